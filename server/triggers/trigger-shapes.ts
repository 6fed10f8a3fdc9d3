/** Triggers as the API returns them. */

import { MASK } from '../../contract/limits.ts';
import type { Reply } from '../../contract/operations.ts';
import { parseExactly } from '../../contract/text/exact-json.ts';
import { findApp } from '../connections/apps/apps.ts';
import { summarize } from '../deliveries/destinations/destinations.ts';
import * as destinationStore from '../deliveries/store/destinations/destinations.ts';
import { now } from '../lib/clock.ts';
import { mask } from '../lib/masking.ts';
import type { Ctx } from '../platform/context.ts';
import type { DestinationsTable, SourceHooksTable, TriggersTable } from '../platform/database/schema.ts';
import { secretKindOf } from './ingress/checks.ts';
import { openSecret, openToken } from './ingress/source-secrets.ts';
import { describeHook } from './registration/trigger-hook.ts';
import * as hookStore from './store/source-hooks.ts';

type Trigger = Reply<'triggerGet'>['trigger'];

/** One trigger in its current state. `shown` is its source's secret in clear, for the response that created it. */
export async function describeOne(ctx: Ctx, row: TriggersTable, shown: string | null = null): Promise<Trigger> {
  const [receivers, hooks] = await Promise.all([
    destinationStore.listOf(ctx.db, ctx.account_id, [row.trigger_id]),
    hookStore.listOf(ctx.db, ctx.account_id, [row.trigger_id]),
  ]);
  return describe(ctx, row, receivers, hooks, shown);
}

export async function describe(
  ctx: Ctx,
  row: TriggersTable,
  receivers: DestinationsTable[],
  hooks: SourceHooksTable[],
  shown: string | null = null,
): Promise<Trigger> {
  return {
    trigger_id: row.trigger_id,
    source: row.source,
    event_type: row.event_type,
    name: row.name,
    description: row.description,
    parameters: JSON.parse(row.parameters) as Record<string, unknown>,
    connection_id: row.connection_id,
    destinations: receivers.filter((each) => each.trigger_id === row.trigger_id).map(summarize),
    status: row.status,
    reason: row.reason,
    created_at: row.created_at,
    updated_at: row.updated_at,
    last_event_at: row.last_event_at,
    next_fire_at: row.next_fire_at,
    filter: row.filter === null ? null : (parseExactly(row.filter) as Record<string, unknown>),
    ingress: await describeIngress(ctx, row, hooks, shown),
  };
}

async function describeIngress(
  ctx: Ctx,
  row: TriggersTable,
  hooks: SourceHooksTable[],
  shown: string | null,
): Promise<Trigger['ingress']> {
  const definition = (await findApp(ctx, ctx.account_id, row.source))?.definition;
  const source = definition?.source;
  if (row.ingress_hash === null || !definition || source?.transport !== 'push') return null;
  const secret = openSecret(ctx.vault, row);
  const until = secret?.previous?.until ?? null;
  // The URL allows creating events, so viewers don't get it. Without its token (the master key was lost) no one does.
  const token =
    ctx.actor.role === 'VIEWER' || row.ingress_token === null ? MASK : openToken(ctx.vault, row, row.ingress_token);
  return {
    url: `${ctx.settings.addresses.hooks_url}/${token}`,
    secret: secretKindOf(source, JSON.parse(row.parameters) as Record<string, unknown>),
    has_secret: secret !== null,
    signing_secret: secret && (shown ?? mask(secret.current)),
    previous_secret_until: until !== null && until > now() ? until : null,
    // A secret received in a header was confirmed in the response and need not be entered by a user.
    can_reveal: source.handshake?.kind === 'secret' && secret?.unconfirmed === true,
    ...describeHook(definition, row, hooks),
  };
}
