/**
 * What an API key was used for, and what limits would have refused of it. Calls of apps are read from the calls log,
 * operations and calls of functions from the counts of accounts/last-used.ts.
 */
import {
  functionRefusal,
  gatewayRefusal,
  type KeyLimits,
  NO_LIMITS,
  operationRefusal,
} from '../../../contract/keys/key-limits.ts';
import { needsOf } from '../../../contract/keys/scopes.ts';
import { KEY_USAGE_DAYS } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import { type Operation, routes } from '../../../contract/routes.ts';
import { found } from '../../accounts/api-keys.ts';
import { addressesIn, isIn, limitsAfter } from '../../accounts/key-limits.ts';
import * as keyStore from '../../accounts/store/api-keys.ts';
import { timestampOf } from '../../platform/chart-range.ts';
import type { Ctx } from '../../platform/context.ts';
import * as store from '../store/key-calls.ts';
import { assertKnown } from './key-changes.ts';
import { proposeLimits } from './propose-limits.ts';

const DAY_MS = 86_400_000;
/** Kinds of calls of apps: those that are tested, and that a reply has. */
const KINDS_TESTED = 20_000;
const KINDS_SHOWN = 100;
const EXAMPLES = 20;

export async function usage(ctx: Ctx, { params }: Input<'apiKeyUsage'>): Promise<Reply<'apiKeyUsage'>> {
  const used = await readUse(ctx, params.key_id);
  const { since_ms, gateway, operations, functions, addresses, calls } = used;
  const connections = await store.connectionsOf(ctx.db, ctx.account_id);
  const proposed = proposeLimits({
    operations: operations.filter(isCurrent),
    functions: functions.map(({ function_id }) => function_id),
    gateway: gateway.kinds,
    connections,
  });
  return {
    since: timestampOf(since_ms),
    calls,
    gateway: gateway.kinds.slice(0, KINDS_SHOWN),
    operations,
    functions,
    addresses,
    ...proposed,
  };
}

export async function test(ctx: Ctx, { params, query }: Input<'apiKeyTest'>): Promise<Reply<'apiKeyTest'>> {
  const draft = query.limits ?? {};
  const limits = limitsAfter(NO_LIMITS, draft);
  await assertKnown(ctx, draft);
  const { since_ms, gateway, operations, functions, addresses, calls } = await readUse(ctx, params.key_id);
  const tested = [
    ...gateway.kinds.map((kind) => ({
      what: `${kind.method} ${kind.app} ${kind.path}`,
      calls: kind.calls,
      reason: gatewayRefusal(limits, kind),
    })),
    ...operations.filter(isCurrent).map(({ operation, function_id, calls }) => ({
      what: routes[operation].summary,
      calls,
      reason: operationRefusal(limits, operation, function_id ?? undefined),
    })),
    ...functions.map(({ function_id, calls }) => ({
      what: `Function ${function_id}`,
      calls,
      reason: functionRefusal(limits, function_id),
    })),
  ];
  const refused = tested.flatMap(({ reason, ...each }) => (reason === null ? [] : [{ ...each, reason }]));
  return {
    since: timestampOf(since_ms),
    calls,
    refused: sum(refused),
    untested: calls - sum(tested),
    examples: refused.sort((a, b) => b.calls - a.calls).slice(0, EXAMPLES),
    refused_addresses: addressesOutside(limits, addresses),
  };
}

type Counted = { calls: number };
const sum = (counted: readonly Counted[]): number => counted.reduce((all, { calls }) => all + calls, 0);

type OperationUse = { operation: string; function_id: string | null; calls: number };
/** Whether the operation still exists, as an earlier release may have counted it. */
const isCurrent = (used: OperationUse): used is OperationUse & { operation: Operation } => used.operation in routes;

function addressesOutside({ ip_ranges }: KeyLimits, addresses: { ip: string; calls: number }[]) {
  if (ip_ranges === null) return [];
  const allowed = addressesIn(ip_ranges);
  return addresses.filter(({ ip }) => !isIn(allowed, ip));
}

/** Uses of a key since the first day that is recorded completely. 404 if the account does not have it. */
async function readUse(ctx: Ctx, key_id: string) {
  const key = found(await keyStore.find(ctx.db, ctx.account_id, key_id));
  await ctx.memory.keyUses.flush();
  const recorded = await keyStore.usesSince(ctx.db);
  const days = Math.min(KEY_USAGE_DAYS, ctx.settings.retentionDays);
  const firstDayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS;
  const since_ms = Math.max(firstDayMs, Date.parse(key.created_at), recorded ? Date.parse(recorded) : 0);
  const [uses, gateway] = await Promise.all([
    keyStore.usesOf(ctx.db, ctx.account_id, key_id, timestampOf(since_ms)),
    store.kindsOfKey(ctx.db, ctx.account_id, key_id, since_ms, KINDS_TESTED),
  ]);
  const addresses = total(uses, ({ ip }) => ip).map(([{ ip }, calls]) => ({ ip, calls }));
  const functions = total(
    uses.filter(({ operation }) => operation === 'function'),
    ({ function_id }) => function_id ?? '',
  ).map(([{ function_id }, calls]) => ({ function_id: function_id ?? '', calls }));
  const operations = total(uses.filter(isApiUse), (use) => `${use.operation} ${use.function_id}`).map(
    ([{ operation, function_id }, calls]) => ({ operation, function_id, calls }),
  );
  const calls = sum(functions) + sum(operations) + gateway.calls;
  return { since_ms, gateway, functions, operations, addresses, calls };
}

/** Requests to apps by an operation are in the calls log, too. */
function isApiUse({ operation }: { operation: string }): boolean {
  if (operation === 'gateway' || operation === 'function') return false;
  if (!(operation in routes)) return true;
  const needs = needsOf(operation as Operation);
  return needs === 'FULL' || !needs.includes('gateway:call');
}

/** The sum of calls for each key, the most frequent first. */
function total<U extends Counted>(uses: readonly U[], keyOf: (use: U) => string): [U, number][] {
  return [...Map.groupBy(uses, keyOf).values()]
    .flatMap((group): [U, number][] => (group[0] ? [[group[0], sum(group)]] : []))
    .sort(([, a], [, b]) => b - a);
}
