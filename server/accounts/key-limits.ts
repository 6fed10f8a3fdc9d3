/** Limits of API keys as they are stored, and the checks when they change. */
import { BlockList, isIP } from 'node:net';
import type { DraftLimits } from '../../contract/keys/api-keys.ts';
import {
  type AppCall,
  disguisedMethod,
  gatewayRefusal,
  KEY_LIMITS_MAX_CHARS,
  type KeyLimits,
  NO_LIMITS,
} from '../../contract/keys/key-limits.ts';
import { badRequest, forbidden } from '../lib/failure.ts';
import type { Ctx } from '../platform/context.ts';
import type { ApiKeysTable } from '../platform/database/schema.ts';
import * as store from './store/api-keys.ts';

/** A key in the cache: its row, its limits, and the addresses that may use it (null: all). */
export type KnownKey = { row: ApiKeysTable; limits: KeyLimits | null; addresses: BlockList | null };

export function knownKey(row: ApiKeysTable): KnownKey {
  const limits = row.limits === null ? null : readLimits(row.limits);
  return { row, limits, addresses: limits?.ip_ranges ? addressesIn(limits.ip_ranges) : null };
}

export const readLimits = (text: string | null): KeyLimits =>
  text === null ? NO_LIMITS : (JSON.parse(text) as KeyLimits);

/** Null without any limit. */
export function storedLimits(limits: KeyLimits): string | null {
  const { scopes, gateway, functions, ip_ranges } = limits;
  if (scopes === null && ip_ranges === null) return null;
  return JSON.stringify({ scopes, gateway, functions, ip_ranges });
}

export function addressesIn(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  return list;
}

export const isIn = (addresses: BlockList, ip: string | null): boolean =>
  ip !== null && isIP(ip) !== 0 && addresses.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');

/** The limits after a change. Throws 400 if the parts contradict each other. */
export function limitsAfter(before: KeyLimits, change: DraftLimits): KeyLimits {
  const { access } = change;
  if (access === 'FULL' && change.scopes) throw badRequest('scopes: expected none with access FULL');
  const scopes = access === 'FULL' ? null : change.scopes === undefined ? before.scopes : change.scopes;
  if (access === 'LIMITED' && scopes === null)
    throw badRequest('scopes: expected at least one scope with access LIMITED');
  const hasGateway = scopes?.includes('gateway:call') ?? false;
  if (change.gateway && !hasGateway) throw badRequest('gateway: expected null without the scope gateway:call');
  const hasFunctions = scopes?.some((scope) => scope.startsWith('functions:')) ?? false;
  if (change.functions && !hasFunctions) throw badRequest('functions: expected null without a scope of functions');
  const kept = <T>(changed: T | undefined, stored: T): T => (changed === undefined ? stored : changed);
  const limits: KeyLimits = {
    scopes: scopes && [...new Set(scopes)],
    gateway: hasGateway ? kept(change.gateway, before.gateway) : null,
    functions: hasFunctions ? kept(change.functions, before.functions) : null,
    ip_ranges: kept(change.ip_ranges, before.ip_ranges),
  };
  if (JSON.stringify(limits).length > KEY_LIMITS_MAX_CHARS)
    throw badRequest(`scopes: expected limits of at most ${KEY_LIMITS_MAX_CHARS} characters in all`);
  return limits;
}

/**
 * Throws 403 if the caller is an API key that would obtain more than it has: a key with limits manages no keys, and a
 * key that expires makes none that works longer. `expires_at` is undefined if the change does not concern it.
 */
export async function assertWithinOwnRights(ctx: Ctx, expires_at: string | null | undefined): Promise<void> {
  if (ctx.actor.type !== 'API_KEY' || ctx.actor.id === null) return;
  if (ctx.limits) throw forbidden('This API key has limits; managing keys needs one without, or a member.');
  const own = await store.find(ctx.db, ctx.account_id, ctx.actor.id);
  if (expires_at === undefined || !own?.expires_at) return;
  if (expires_at === null || expires_at > own.expires_at)
    throw forbidden(`expires_at: expected at most ${own.expires_at}, when the API key of this request expires.`);
}

/** Throws 403 if the caller's API key may not make this call of an app. */
export function assertAppCall({ limits }: Pick<Ctx, 'limits'>, call: AppCall): void {
  const refusal = limits ? gatewayRefusal(limits, call) : null;
  if (refusal !== null) throw forbidden(refusal);
}

/** Throws 403 for a header by which the app may read another method, if the caller's API key is limited to methods. */
export function assertPlainMethod(
  { limits }: Pick<Ctx, 'limits'>,
  app: string,
  headers: readonly (readonly [string, string])[],
): void {
  const refusal = limits
    ? disguisedMethod(limits, app, (name) => headers.some(([each]) => each.toLowerCase() === name))
    : null;
  if (refusal !== null) throw forbidden(refusal);
}
