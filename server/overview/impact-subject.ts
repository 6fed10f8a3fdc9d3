/** What is to be removed, and what names it directly. */
import { Id } from '../../contract/fields.ts';
import type { Input } from '../../contract/operations.ts';
import type { ImpactCause, ImpactKind } from '../../contract/states.ts';
import * as keyStore from '../accounts/store/api-keys.ts';
import { findApp } from '../connections/apps/apps.ts';
import { appsWithHost } from '../connections/apps/hosts.ts';
import * as connectionStore from '../connections/store/connections.ts';
import { withUrlText } from '../deliveries/store/destinations/destinations.ts';
import { destinationsOf } from '../deliveries/targets/connection.ts';
import { openValue } from '../functions/environment.ts';
import { getOwn } from '../functions/hosted-function.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import { hashToken } from '../lib/tokens.ts';
import type { Ctx } from '../platform/context.ts';
import * as store from './store/impact.ts';

const LIMIT = 51;
/** Environment variables that are compared with a key. */
const VARIABLES_MAX = 2_000;

export type Subject = {
  name: string;
  /** The search for its lines; undefined if code cannot name it. */
  code: { q: string; case: 'auto' | 'yes'; function_id?: string } | undefined;
  calls: store.CallsWith | undefined;
  functions: [function_id: string, cause: ImpactCause][];
  keys: store.Named[];
  triggers: store.FoundTrigger[];
  destinations: store.FoundDestination[];
  isCut: boolean;
};

const nothing = { calls: undefined, functions: [], keys: [], triggers: [], destinations: [], isCut: false };

type Read = (ctx: Ctx, id: string, function_id: string | undefined) => Promise<Subject>;

const KINDS: Record<ImpactKind, Read> = {
  API_KEY: readKey,
  CONNECTION: readConnection,
  APP: readApp,
  HOST: readHost,
  ENVIRONMENT: readVariable,
  FUNCTION: readFunction,
};

/** What the query names; 404 if the account does not have it. */
export function subjectOf(ctx: Ctx, { kind, id, function_id }: Input<'impactGet'>['query']): Promise<Subject> {
  if (kind !== 'ENVIRONMENT' && function_id !== undefined)
    throw badRequest('function_id: expected only with the kind ENVIRONMENT');
  return KINDS[kind](ctx, id, function_id);
}

function idOf(id: string, what: string): string {
  const { data } = Id.safeParse(id);
  if (data === undefined) throw notFound(what);
  return data;
}

async function readKey(ctx: Ctx, id: string): Promise<Subject> {
  const key = await keyStore.find(ctx.db, ctx.account_id, idOf(id, 'API key'));
  if (!key) throw notFound('API key');
  const rows = await store.variables(ctx.db, ctx.account_id, VARIABLES_MAX);
  const hashes = [key.hash, key.old_hash];
  const holding = rows.filter((row) => hashes.includes(hashToken(openValue(ctx, row))));
  return {
    ...nothing,
    name: key.name,
    code: { q: literal(key.prefix), case: 'yes' },
    calls: { key_id: key.key_id },
    functions: [...new Set(holding.map(({ function_id }) => function_id))].map((each) => [each, 'VARIABLE']),
    isCut: rows.length === VARIABLES_MAX,
  };
}

async function readConnection(ctx: Ctx, id: string): Promise<Subject> {
  const { db, account_id } = ctx;
  const row = await connectionStore.find(db, account_id, idOf(id, 'Connection'));
  if (!row) throw notFound('Connection');
  const { connection_id } = row;
  const [triggers, granted, keys, destinations] = await Promise.all([
    store.triggersWith(db, account_id, { connection_id }, LIMIT),
    store.grantedFunctions(db, account_id, connection_id, LIMIT),
    store.limitedKeys(db, account_id, connection_id, LIMIT),
    destinationsOf(ctx, connection_id, LIMIT),
  ]);
  return {
    ...nothing,
    name: row.name ?? row.app,
    code: { q: literal(connection_id), case: 'auto' },
    calls: { connection_id },
    functions: granted.map((each) => [each.id, 'GRANT']),
    keys,
    triggers,
    destinations,
  };
}

async function readApp(ctx: Ctx, id: string): Promise<Subject> {
  const { db, account_id } = ctx;
  const found = await findApp(ctx, account_id, id);
  if (!found) throw notFound('App');
  const { app, name } = found.definition;
  const inLimits = `"app":"${app}"`;
  const [triggers, granted, keys] = await Promise.all([
    store.triggersWith(db, account_id, { source: app }, LIMIT),
    store.grantedFunctions(db, account_id, inLimits, LIMIT),
    store.limitedKeys(db, account_id, inLimits, LIMIT),
  ]);
  return {
    ...nothing,
    name,
    // A quoted name, or a segment of a path.
    code: { q: `/["'\`\\/]${app}["'\`\\/?]/`, case: 'yes' },
    calls: { apps: [app] },
    functions: granted.map((each) => [each.id, 'GRANT']),
    keys,
    triggers,
  };
}

async function readHost(ctx: Ctx, id: string): Promise<Subject> {
  const host = id.toLowerCase();
  if (!/^[a-z0-9._-]+(?::\d{1,5})?$/.test(host)) throw badRequest('id: expected a host such as api.example.com');
  const [apps, found] = await Promise.all([
    appsWithHost(ctx, ctx.account_id, host),
    withUrlText(ctx.db, ctx.account_id, `://${host}`, LIMIT),
  ]);
  const isHost = ({ url }: { url: string }) =>
    URL.canParse(url) && [new URL(url).host, new URL(url).hostname].includes(host);
  return {
    ...nothing,
    name: host,
    code: { q: `host:${host}`, case: 'auto' },
    calls: apps.length > 0 ? { apps } : undefined,
    destinations: found.filter(isHost).map(({ url: _, ...destination }) => destination),
  };
}

async function readVariable(ctx: Ctx, key: string, function_id: string | undefined): Promise<Subject> {
  if (function_id === undefined) throw badRequest('function_id: expected the function of the environment variable');
  if (!/^[A-Za-z_]\w*$/.test(key)) throw badRequest('id: expected the key of an environment variable');
  await getOwn(ctx, function_id);
  return {
    ...nothing,
    name: key,
    code: { q: `/\\b${key}\\b/`, case: 'yes', function_id },
  };
}

async function readFunction(ctx: Ctx, id: string): Promise<Subject> {
  const { function_id, name, label } = await getOwn(ctx, idOf(id, 'Function'));
  return { ...nothing, name, code: { q: literal(`${label}.`), case: 'yes' }, functions: [[function_id, 'REMOVED']] };
}

const literal = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
