import type { Input, Reply } from '../../contract/operations.ts';
import { now, toTimestamp } from '../lib/clock.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import { hashToken, newApiKey, prefixOf } from '../lib/tokens.ts';
import type { Ctx } from '../platform/context.ts';
import type { ApiKeysTable } from '../platform/database/schema.ts';
import { requireConfirmation } from './auth.ts';
import * as store from './store/api-keys.ts';
import { write } from './write.ts';

/** Lists the account's keys, newest first, including expired ones. */
export async function list(ctx: Ctx, _input: Input<'apiKeyList'>): Promise<Reply<'apiKeyList'>> {
  return { api_keys: (await store.list(ctx.db, ctx.account_id)).map(describe) };
}

/** Creates a key. Only this reply has it in clear. */
export async function create(ctx: Ctx, { body }: Input<'apiKeyCreate'>): Promise<Reply<'apiKeyCreate'>> {
  requireConfirmation(ctx);
  const key = newApiKey();
  const row = {
    key_id: newId(),
    name: body.name,
    prefix: prefixOf(key),
    hash: hashToken(key),
    created_by: ctx.actor.id ?? ctx.actor.name,
    created_at: now(),
    last_used_at: null,
    expires_at: future(body.expires_at) ?? null,
  };
  await write(ctx, async (tx, about) => {
    about(row.key_id, { noun: 'api_key', hash: null });
    await store.insert(tx, ctx.account_id, row);
  });
  return { api_key: describe(row), key };
}

/** Renames a key, or changes when it expires (null: never). */
export async function update(ctx: Ctx, { params, body }: Input<'apiKeyUpdate'>): Promise<Reply<'apiKeyUpdate'>> {
  const expires_at = future(body.expires_at);
  const change = {
    ...(body.name !== undefined ? { name: body.name } : {}),
    ...(expires_at !== undefined ? { expires_at } : {}),
  };
  const row = await write(ctx, async (tx, about) => {
    const row = found(await store.update(tx, ctx.account_id, params.key_id, change));
    about(params.key_id, { noun: 'api_key', hash: row.hash });
    return row;
  });
  return { api_key: describe(row) };
}

/** Revokes a key: the next request with it is rejected. */
export async function remove(ctx: Ctx, { params }: Input<'apiKeyDelete'>): Promise<Reply<'apiKeyDelete'>> {
  await write(ctx, async (tx, about) => {
    const row = found(await store.remove(tx, ctx.account_id, params.key_id));
    about(params.key_id, { noun: 'api_key', hash: row.hash });
  });
  return {};
}

function found(row: ApiKeysTable | undefined): ApiKeysTable {
  if (!row) throw notFound('API key');
  return row;
}

function future(expires_at: string | null | undefined): string | null | undefined {
  if (expires_at === null || expires_at === undefined) return expires_at;
  if (Date.parse(expires_at) <= Date.now()) throw badRequest('expires_at: expected a time in the future, or null');
  return toTimestamp(expires_at);
}

type Described = Omit<ApiKeysTable, 'account_id'>;
const describe = ({
  key_id,
  name,
  prefix,
  created_at,
  last_used_at,
  expires_at,
}: Described): Reply<'apiKeyUpdate'>['api_key'] => ({ key_id, name, prefix, created_at, last_used_at, expires_at });
