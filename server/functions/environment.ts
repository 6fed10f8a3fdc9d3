import type { Input, Reply } from '../../contract/operations.ts';
import { write } from '../accounts/write.ts';
import { now } from '../lib/clock.ts';
import { conflict, notFound } from '../lib/failure.ts';
import type { Ctx, Services } from '../platform/context.ts';
import type { EnvVariablesTable } from '../platform/database/tables/function-tables.ts';
import type { SealedPlace } from '../platform/vault/vault.ts';
import { getOwn, lockOwn } from './hosted-function.ts';
import * as store from './store/environment.ts';

/** The variables by key; values of SENSITIVE ones are hidden. */
export async function list(ctx: Ctx, { params }: Input<'envList'>): Promise<Reply<'envList'>> {
  const { function_id } = await getOwn(ctx, params.function_id);
  const rows = await store.list(ctx.db, ctx.account_id, function_id);
  return {
    env: rows.map((row) => ({
      key: row.key,
      type: row.type,
      value: row.type === 'PLAIN' ? openValue(ctx, row) : null,
      created_at: row.created_at,
      updated_at: row.updated_at,
    })),
  };
}

/** Adds all variables, or none when some exist: 409 with their keys. */
export async function create(ctx: Ctx, { params, body }: Input<'envCreate'>): Promise<Reply<'envCreate'>> {
  const { function_id } = params;
  await write(ctx, async (tx, about) => {
    about(function_id, { noun: 'function', function_id });
    await lockOwn(tx, ctx, function_id);
    const there = new Set((await store.list(tx, ctx.account_id, function_id)).map(({ key }) => key));
    const taken = body.env.filter(({ key }) => there.has(key)).map(({ key }) => key);
    if (taken.length > 0) throw conflict(`env: these keys already exist: ${taken.join(', ')}`);
    const at = now();
    const rows = body.env.map(({ key, value, type }) => ({
      function_id,
      key,
      type,
      value: ctx.vault.seal(place(ctx.account_id, function_id, key), value),
      created_at: at,
      updated_at: at,
    }));
    await store.insertAll(tx, ctx.account_id, rows);
  });
  return {};
}

/** Sets a variable, new or existing; an existing one keeps its type unless another is given. */
export async function put(ctx: Ctx, { params, body }: Input<'envPut'>): Promise<Reply<'envPut'>> {
  const { function_id, key } = params;
  await write(ctx, async (tx, about) => {
    about(function_id, { noun: 'function', function_id });
    await lockOwn(tx, ctx, function_id);
    const before = (await store.list(tx, ctx.account_id, function_id)).find((row) => row.key === key);
    const at = now();
    await store.put(tx, ctx.account_id, {
      function_id,
      key,
      type: body.type ?? before?.type ?? 'SENSITIVE',
      value: ctx.vault.seal(place(ctx.account_id, function_id, key), body.value),
      created_at: at,
      updated_at: at,
    });
  });
  return {};
}

export async function remove(ctx: Ctx, { params }: Input<'envDelete'>): Promise<Reply<'envDelete'>> {
  const { function_id, key } = params;
  await write(ctx, async (tx, about) => {
    about(function_id, { noun: 'function', function_id });
    await lockOwn(tx, ctx, function_id);
    if (!(await store.remove(tx, ctx.account_id, function_id, key))) throw notFound('Variable');
  });
  return {};
}

/** The clear value, for a run or to show a PLAIN one. */
export function openValue({ vault }: Pick<Services, 'vault'>, row: EnvVariablesTable): string {
  return vault.open(place(row.account_id, row.function_id, row.key), row.value);
}

const place = (account_id: string, function_id: string, key: string): SealedPlace => ({
  account_id,
  table: 'env_variables',
  row: `${function_id}/${key}`,
  field: 'value',
});
