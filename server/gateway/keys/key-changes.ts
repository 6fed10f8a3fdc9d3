/** Creates and changes API keys whose limits name apps, connections and functions of the account. */
import type { DraftLimits } from '../../../contract/keys/api-keys.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import * as apiKeys from '../../accounts/api-keys.ts';
import { findApp } from '../../connections/apps/apps.ts';
import { badRequest } from '../../lib/failure.ts';
import type { Ctx } from '../../platform/context.ts';
import * as store from '../store/key-calls.ts';

export async function create(ctx: Ctx, input: Input<'apiKeyCreate'>): Promise<Reply<'apiKeyCreate'>> {
  await assertKnown(ctx, input.body);
  return apiKeys.create(ctx, input);
}

export async function update(ctx: Ctx, input: Input<'apiKeyUpdate'>): Promise<Reply<'apiKeyUpdate'>> {
  await assertKnown(ctx, input.body);
  return apiKeys.update(ctx, input);
}

/** Throws 400 if limits name something that the account does not have. */
export async function assertKnown(ctx: Ctx, { gateway, functions }: DraftLimits): Promise<void> {
  if (gateway) {
    const apps = new Set(gateway.map(({ app }) => app));
    const unknown = new Set<string>();
    for (const app of apps) if (!(await findApp(ctx, ctx.account_id, app))) unknown.add(app);
    const appOf = new Map<string, string>();
    if (gateway.some(({ connection_ids }) => connection_ids))
      for (const { app, connection_id } of await store.connectionsOf(ctx.db, ctx.account_id))
        appOf.set(connection_id, app);
    for (const [index, { app, connection_ids }] of gateway.entries()) {
      if (unknown.has(app)) throw badRequest(`gateway.${index}.app: expected an app of GET /apps, got ${app}`);
      const strange = connection_ids?.findIndex((id) => appOf.get(id) !== app) ?? -1;
      if (strange >= 0) throw badRequest(`gateway.${index}.connection_ids.${strange}: expected a connection of ${app}`);
    }
  }
  if (functions) {
    const own = await store.ownFunctions(ctx.db, ctx.account_id, functions);
    const strange = functions.findIndex((id) => !own.includes(id));
    if (strange >= 0) throw badRequest(`functions.${strange}: expected a function of this account`);
  }
}
