/**
 * Grants of connections to functions: `gateway_policy` and, with ALLOW_LIST, `gateway_grants`. Own new functions may use
 * every connection of the account, functions that were copied from another account none until an admin grants some.
 */
import type { Input } from '../../contract/operations.ts';
import { findApp } from '../connections/apps/apps.ts';
import * as connectionStore from '../connections/store/connections.ts';
import { badRequest, forbidden } from '../lib/failure.ts';
import type { Ctx } from '../platform/context.ts';
import type { FunctionsTable } from '../platform/database/tables/function-tables.ts';

export type GatewayGrant = { app: string; connection_id: string | null };
type Granted = Pick<FunctionsTable, 'gateway_policy' | 'gateway_grants'>;
type Asked = Pick<Input<'functionCreate'>['body'], 'gateway_policy' | 'gateway_grants'>;

export const grantsOf = ({ gateway_grants }: Granted): GatewayGrant[] => JSON.parse(gateway_grants) as GatewayGrant[];

/** Whether the caller may grant connections: a key can't grant more than it may call. */
export const mayGrant = ({ limits }: Ctx): boolean =>
  !limits?.scopes || (limits.scopes.includes('gateway:call') && limits.gateway === null);

/** The grants of a new function. */
export const grantsAtFirst = (ctx: Ctx, asked: Asked): Granted => ({
  gateway_policy: asked.gateway_policy ?? (mayGrant(ctx) ? 'ALLOW_ALL' : 'DENY_ALL'),
  gateway_grants: JSON.stringify(asked.gateway_grants ?? []),
});

/** The given grants, or the current ones. */
export const grantsAfter = (fn: Granted, asked: Asked): Granted => ({
  gateway_policy: asked.gateway_policy ?? fn.gateway_policy,
  gateway_grants: asked.gateway_grants ? JSON.stringify(asked.gateway_grants) : fn.gateway_grants,
});

/** Throws if the grants in a request are unknown, or more than the caller may grant. */
export async function assertMayGrant(ctx: Ctx, { gateway_policy, gateway_grants }: Asked): Promise<void> {
  if (gateway_policy === undefined && gateway_grants === undefined) return;
  if (gateway_policy !== 'DENY_ALL' && !mayGrant(ctx))
    throw forbidden('This API key may not grant connections: that needs the scope gateway:call without limits.');
  for (const [index, { app, connection_id }] of (gateway_grants ?? []).entries()) {
    const field = `gateway_grants.${index}`;
    if (!(await findApp(ctx, ctx.account_id, app)))
      throw badRequest(`${field}.app: expected an app of GET /apps, got ${app}`);
    if (connection_id === null) continue;
    const connection = await connectionStore.find(ctx.db, ctx.account_id, connection_id);
    if (connection?.app !== app) throw badRequest(`${field}.connection_id: expected a connection of ${app}`);
  }
}

export function assertGrants({ gateway_policy, gateway_grants }: Granted): void {
  if (gateway_policy === 'ALLOW_LIST' && gateway_grants === '[]')
    throw badRequest('gateway_grants: expected at least one grant when gateway_policy is ALLOW_LIST');
}

/** Why a run may not use an app or a connection; null if it may. `connection_id` is missing before it is chosen. */
export function grantRefusal(
  fn: Granted & Pick<FunctionsTable, 'name'>,
  app: string,
  connection_id: string | undefined,
): string | null {
  if (fn.gateway_policy === 'ALLOW_ALL') return null;
  const ofApp = fn.gateway_policy === 'DENY_ALL' ? [] : grantsOf(fn).filter((grant) => grant.app === app);
  const where = 'Grant it on the function’s page: Settings, Connections.';
  if (ofApp.length === 0) return `The function ${JSON.stringify(fn.name)} is not granted ${app}. ${where}`;
  if (connection_id === undefined) return null;
  if (ofApp.some((grant) => grant.connection_id === null || grant.connection_id === connection_id)) return null;
  return `The function ${JSON.stringify(fn.name)} is not granted the connection ${connection_id} of ${app}. ${where}`;
}
