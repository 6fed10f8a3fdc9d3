import { NO_LIMITS } from '../../contract/keys/key-limits.ts';
import { KEY_OVERLAP_HOURS } from '../../contract/limits.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import { fromNow, now, toTimestamp } from '../lib/clock.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import { hashToken, newApiKey, prefixOf } from '../lib/tokens.ts';
import type { Ctx } from '../platform/context.ts';
import type { ApiKeysTable } from '../platform/database/schema.ts';
import { requireConfirmation } from './auth.ts';
import { assertWithinOwnRights, limitsAfter, readLimits, storedLimits } from './key-limits.ts';
import * as store from './store/api-keys.ts';
import * as users from './store/users.ts';
import type { About } from './write.ts';
import { write } from './write.ts';

const HOUR_MS = 3_600_000;

/** Lists the account's keys, newest first, including expired ones. */
export async function list(ctx: Ctx, _input: Input<'apiKeyList'>): Promise<Reply<'apiKeyList'>> {
  const members = new Set((await users.list(ctx.db, ctx.account_id)).map(({ user_id }) => user_id));
  return { api_keys: (await store.list(ctx.db, ctx.account_id)).map((row) => describe(row, members)) };
}

/** Creates a key. Only this reply has it in clear. */
export async function create(ctx: Ctx, { body }: Input<'apiKeyCreate'>): Promise<Reply<'apiKeyCreate'>> {
  requireConfirmation(ctx);
  const expires_at = future(body.expires_at) ?? null;
  await assertWithinOwnRights(ctx, expires_at);
  const key = newApiKey();
  const made = {
    key_id: newId(),
    name: body.name,
    prefix: prefixOf(key),
    hash: hashToken(key),
    ...creator(ctx),
    created_at: now(),
    expires_at,
    limits: storedLimits(limitsAfter(NO_LIMITS, body)),
  };
  const row = await write(ctx, async (tx, about) => {
    about(made.key_id, { noun: 'api_key', hash: null });
    return store.insert(tx, ctx.account_id, made);
  });
  return { api_key: await describeOne(ctx, row), key };
}

/** Changes the given fields of a key. */
export async function update(ctx: Ctx, { params, body }: Input<'apiKeyUpdate'>): Promise<Reply<'apiKeyUpdate'>> {
  const { name, expires_at: expires, ...limits } = body;
  if (Object.keys(limits).length > 0) requireConfirmation(ctx);
  const expires_at = future(expires);
  await assertWithinOwnRights(ctx, expires_at);
  const row = await write(ctx, async (tx, about, note) => {
    const before = found(await store.lock(tx, ctx.account_id, params.key_id));
    const row = found(
      await store.update(tx, ctx.account_id, params.key_id, {
        ...(name !== undefined ? { name } : {}),
        ...(expires_at !== undefined ? { expires_at } : {}),
        limits: storedLimits(limitsAfter(readLimits(before.limits), limits)),
      }),
    );
    forgetSecrets(about, row);
    note(body, describe(before, new Set()), describe(row, new Set()));
    return row;
  });
  return { api_key: await describeOne(ctx, row) };
}

/**
 * Gives a key a new secret, which only this reply has in clear. The old one works until the overlap ends; one from an
 * earlier rotation ends now.
 */
export async function rotate(ctx: Ctx, { params, body }: Input<'apiKeyRotate'>): Promise<Reply<'apiKeyRotate'>> {
  requireConfirmation(ctx);
  const overlap = body?.overlap_hours ?? KEY_OVERLAP_HOURS.default;
  const key = newApiKey();
  const row = await write(ctx, async (tx, about) => {
    const before = found(await store.lock(tx, ctx.account_id, params.key_id));
    await assertWithinOwnRights(ctx, before.expires_at);
    forgetSecrets(about, before);
    return found(
      await store.update(tx, ctx.account_id, params.key_id, {
        prefix: prefixOf(key),
        hash: hashToken(key),
        ...creator(ctx),
        ...(overlap === 0
          ? { old_hash: null, old_prefix: null, old_expires_at: null }
          : { old_hash: before.hash, old_prefix: before.prefix, old_expires_at: fromNow(overlap * HOUR_MS) }),
      }),
    );
  });
  return { api_key: await describeOne(ctx, row), key };
}

/** Revokes a key: the next request with it is rejected. */
export async function remove(ctx: Ctx, { params }: Input<'apiKeyDelete'>): Promise<Reply<'apiKeyDelete'>> {
  await assertWithinOwnRights(ctx, undefined);
  await write(ctx, async (tx, about) => {
    forgetSecrets(about, found(await store.remove(tx, ctx.account_id, params.key_id)));
  });
  return {};
}

const creator = ({ actor: { id, name, type } }: Ctx) => ({
  created_by: id ?? name,
  created_by_type: type,
  created_by_name: name,
});

/** Evicts both secrets of a key from the caches. */
export function forgetSecrets(about: About, { key_id, hash, old_hash }: ApiKeysTable): void {
  about(key_id, { noun: 'api_key', hash });
  if (old_hash !== null) about(key_id, { noun: 'api_key', hash: old_hash });
}

export function found(row: ApiKeysTable | undefined): ApiKeysTable {
  if (!row) throw notFound('API key');
  return row;
}

function future(expires_at: string | null | undefined): string | null | undefined {
  if (expires_at === null || expires_at === undefined) return expires_at;
  if (Date.parse(expires_at) <= Date.now()) throw badRequest('expires_at: expected a time in the future, or null');
  return toTimestamp(expires_at);
}

async function describeOne({ db, account_id }: Ctx, row: ApiKeysTable): Promise<Reply<'apiKeyUpdate'>['api_key']> {
  const creator = row.created_by_type === 'USER' ? await users.find(db, account_id, row.created_by) : undefined;
  return describe(row, new Set(creator && [creator.user_id]));
}

/** `members` are the ids of the account's members. */
function describe(row: ApiKeysTable, members: ReadonlySet<string>): Reply<'apiKeyUpdate'>['api_key'] {
  const limits = readLimits(row.limits);
  const created_by_user_id = row.created_by_type === 'USER' ? row.created_by : null;
  const { old_prefix, old_expires_at } = row;
  return {
    key_id: row.key_id,
    name: row.name,
    prefix: row.prefix,
    access: limits.scopes === null ? 'FULL' : 'LIMITED',
    ...limits,
    created_at: row.created_at,
    created_by: row.created_by_name,
    created_by_user_id,
    creator_removed: created_by_user_id !== null && !members.has(created_by_user_id),
    last_used_at: row.last_used_at,
    last_used_ip: row.last_used_ip,
    expires_at: row.expires_at,
    old:
      old_prefix === null || old_expires_at === null || old_expires_at <= now()
        ? null
        : { prefix: old_prefix, expires_at: old_expires_at },
  };
}
