import type { Input, Reply } from '../../contract/operations.ts';
import type { TriggerStatus } from '../../contract/states.ts';
import { parseExactly } from '../../contract/text/exact-json.ts';
import { write } from '../accounts/write.ts';
import { findApp } from '../connections/apps/apps.ts';
import type { AppDefinition } from '../connections/apps/definition.ts';
import * as connectionStore from '../connections/store/connections.ts';
import { openSecret } from '../deliveries/destinations/destination-secrets.ts';
import * as destinations from '../deliveries/destinations/destinations.ts';
import * as destinationStore from '../deliveries/store/destinations/destinations.ts';
import * as deliveryStore from '../deliveries/store/queue/deliveries.ts';
import { now } from '../lib/clock.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import type { Ctx } from '../platform/context.ts';
import type { DestinationsTable, TriggersTable } from '../platform/database/schema.ts';
import { closePage, openPage } from '../platform/paging.ts';
import { holdWatched } from '../search/saved-searches.ts';
import { changeIngress, prepareIngress } from './ingress/trigger-ingress.ts';
import { isPolled, POLL_SOURCE } from './polling/poll.ts';
import { settleNow } from './registration/registration.ts';
import { attach, detach, follow, missingIn, renew } from './registration/trigger-hook.ts';
import { nextFiring, SCHEDULE_SOURCE, type Schedule } from './schedules/schedules.ts';
import { CODE_MATCHED, checkParameters, checkPolledUrls, getEventType, SLUICE_SOURCE } from './sources.ts';
import * as hookStore from './store/source-hooks.ts';
import * as store from './store/triggers.ts';
import { describe, describeOne } from './trigger-shapes.ts';

/** Triggers with their destinations, newest first. */
export async function list(ctx: Ctx, input: Input<'triggerList'>): Promise<Reply<'triggerList'>> {
  const { source, status, failing, q } = input.query;
  const { limit, after } = openPage(ctx, input);
  const found = await store.list(
    ctx.db,
    ctx.account_id,
    { source, status, q, failing: failing === 'true' },
    { limit: limit + 1, before: after?.[0] },
  );
  const { rows, next_token } = closePage(ctx, input, found, (row) => [row.trigger_id]);
  const ids = rows.map((row) => row.trigger_id);
  const [receivers, hooks] = await Promise.all([
    destinationStore.listOf(ctx.db, ctx.account_id, ids),
    hookStore.listOf(ctx.db, ctx.account_id, ids),
  ]);
  return { triggers: await Promise.all(rows.map((row) => describe(ctx, row, receivers, hooks))), next_token };
}

export async function get(ctx: Ctx, { params }: Input<'triggerGet'>): Promise<Reply<'triggerGet'>> {
  const row = await store.find(ctx.db, ctx.account_id, params.trigger_id);
  if (!row) throw notFound('Trigger');
  return { trigger: await describeOne(ctx, row) };
}

/**
 * Creates a trigger with its destinations, atomically. A schedule starts at once. If possible, the webhook is
 * registered through the connection, and the response contains the result. Only this response contains, in clear, the
 * generated signing secret and the secrets of the destinations.
 */
export async function create(ctx: Ctx, { body }: Input<'triggerCreate'>): Promise<Reply<'triggerCreate'>> {
  const { source } = body;
  const type = await getEventType(ctx, source, body.event_type);
  const { event_type } = type;
  const parameters = checkParameters(type, body.parameters);
  await checkPolledUrls(ctx, type, parameters);
  await checkConnection(ctx, type.definition, body.connection_id ?? null);
  const trigger_id = newId();
  const owner = { account_id: ctx.account_id, trigger_id };
  const ingress = prepareIngress(ctx, type.definition, owner, parameters, body.secret);
  const receivers: DestinationsTable[] = [];
  for (const [index, each] of body.destinations.entries()) {
    receivers.push(await destinations.prepare(ctx, trigger_id, each, `destinations.${index}.`));
  }
  const at = now();
  const row: TriggersTable = {
    ...owner,
    source,
    event_type,
    name: body.name ?? defaultName(source, event_type, parameters),
    description: body.description ?? null,
    parameters: JSON.stringify(parameters),
    connection_id: body.connection_id ?? null,
    status: 'ENABLED',
    reason: null,
    created_at: at,
    updated_at: at,
    last_event_at: null,
    next_fire_at: nextFireAt(source, parameters),
    filter: body.filter ? JSON.stringify(body.filter) : null,
    ...ingress.columns,
    hook: null,
    position: null,
    next_poll_at: isPolled(source) || source === SLUICE_SOURCE ? at : null,
    failing_since: null,
    missed_at: null,
    missed: null,
  };
  const hooks = await write(ctx, async (tx, about) => {
    about(trigger_id, { noun: 'trigger', trigger_id });
    if (event_type === CODE_MATCHED) await holdWatched(tx, ctx.account_id, parameters);
    await store.insert(tx, ctx.account_id, row);
    for (const receiver of receivers) await destinationStore.insert(tx, ctx.account_id, receiver);
    return attach(tx, type.definition, row);
  });
  wakeWorkers(ctx);
  await settleNow(ctx, hooks);
  return {
    trigger:
      hooks.length > 0
        ? await current(ctx, trigger_id, ingress.shown)
        : await describe(ctx, row, receivers, [], ingress.shown),
    signing_secrets: receivers.map((each) => ({
      destination_id: each.destination_id,
      name: each.name,
      signing_secret: openSecret(ctx.vault, each),
    })),
  };
}

/**
 * Updates the given fields. ENABLED clears the reason, and a schedule continues from now; DISABLED stops it. A
 * registration at the app is replaced if it differs.
 */
export async function update(ctx: Ctx, { params, body }: Input<'triggerUpdate'>): Promise<Reply<'triggerUpdate'>> {
  const { trigger_id } = params;
  const before = await store.find(ctx.db, ctx.account_id, trigger_id);
  if (!before) throw notFound('Trigger');
  const { source } = before;
  const type = await getEventType(ctx, source, before.event_type);
  if (body.connection_id !== undefined) await checkConnection(ctx, type.definition, body.connection_id);
  const parameters = body.parameters && checkParameters(type, body.parameters);
  if (parameters) await checkPolledUrls(ctx, type, parameters);
  const { shown, hooks } = await write(ctx, async (tx, about, note) => {
    about(trigger_id, { noun: 'trigger', trigger_id, ingress_hash: before.ingress_hash });
    const row = await store.lock(tx, ctx.account_id, trigger_id);
    if (!row) throw notFound('Trigger');
    const status = body.status ?? row.status;
    const moved = parameters !== undefined || status !== row.status;
    const effective = parameters ?? (JSON.parse(row.parameters) as Record<string, unknown>);
    if (parameters && row.event_type === CODE_MATCHED) await holdWatched(tx, ctx.account_id, parameters);
    const ingress = changeIngress(ctx, type.definition, row, effective, body.secret);
    await store.update(tx, ctx.account_id, trigger_id, {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.description === undefined ? {} : { description: body.description }),
      ...(body.connection_id === undefined ? {} : { connection_id: body.connection_id }),
      ...(body.filter === undefined ? {} : { filter: body.filter && JSON.stringify(body.filter) }),
      ...(parameters === undefined ? {} : { parameters: JSON.stringify(parameters) }),
      ...(body.status === undefined ? {} : { status, reason: status === 'ENABLED' ? null : row.reason }),
      ...(moved ? { next_fire_at: status === 'ENABLED' ? nextFireAt(source, effective) : null } : {}),
      ...(moved && isPolled(source) ? nextPoll(status === 'ENABLED', parameters !== undefined) : {}),
      ...(moved && source === SLUICE_SOURCE ? nextWatch(status, row.status) : {}),
      ...ingress.columns,
      updated_at: now(),
    });
    const after = await store.find(tx, ctx.account_id, trigger_id);
    if (after) note(body, settingsOf(row), settingsOf(after));
    const hooks = after ? await follow(tx, type.definition, after, after.source_secret !== row.source_secret) : [];
    return { shown: ingress.shown, hooks };
  });
  wakeWorkers(ctx);
  await settleNow(ctx, hooks);
  return { trigger: await current(ctx, trigger_id, shown) };
}

/**
 * Registers the webhook at the app again, through its connection, and replaces an existing one of ours. 400 if it can't
 * be registered; `ingress` contains the result.
 */
export async function register(ctx: Ctx, { params }: Input<'triggerRegister'>): Promise<Reply<'triggerRegister'>> {
  const { trigger_id } = params;
  const before = await store.find(ctx.db, ctx.account_id, trigger_id);
  if (!before) throw notFound('Trigger');
  const definition = (await findApp(ctx, ctx.account_id, before.source))?.definition;
  if (!definition || definition.hooks.length === 0)
    throw badRequest('The webhook can’t be registered at this trigger’s source: paste the URL there.');
  const hooks = await write(ctx, async (tx, about) => {
    about(trigger_id);
    const row = await store.lock(tx, ctx.account_id, trigger_id);
    if (!row) throw notFound('Trigger');
    if (row.connection_id === null)
      throw badRequest(`connection_id: expected a connection of ${definition.app}, which registers the webhook`);
    const missing = missingIn(definition, row);
    if (missing) throw badRequest(`parameters: ${missing}`);
    return renew(tx, definition, row);
  });
  await settleNow(ctx, hooks);
  return { trigger: await current(ctx, trigger_id) };
}

/**
 * Deletes a trigger with its destinations. Its pending deliveries are canceled; its events are no longer listed. A
 * webhook registered at an app is removed there; the deletion is final whatever the app responds, and `hook` reports
 * the result.
 */
export async function remove(ctx: Ctx, { params }: Input<'triggerDelete'>): Promise<Reply<'triggerDelete'>> {
  const { trigger_id } = params;
  const hooks = await write(ctx, async (tx, about) => {
    const row = await store.lock(tx, ctx.account_id, trigger_id);
    if (!row) throw notFound('Trigger');
    about(trigger_id, { noun: 'trigger', trigger_id, ingress_hash: row.ingress_hash });
    const receivers = await destinationStore.listOf(tx, ctx.account_id, [trigger_id]);
    await store.remove(tx, ctx.account_id, trigger_id);
    const ids = receivers.map(({ destination_id }) => destination_id);
    await deliveryStore.setAside(tx, ctx.account_id, ids, { status: 'CANCELED', reason: 'CANCELED', at: now() });
    return detach(tx, ctx.account_id, trigger_id);
  });
  wakeWorkers(ctx);
  // End bulk replays of its events.
  ctx.nudge('replayer');
  const ends = await settleNow(ctx, hooks.free);
  if (hooks.free.length + hooks.busy === 0) return {};
  return { hook: ends?.[0] ?? { state: 'REMOVING', message: null } };
}

/** What an update can change, as in the API. */
const settingsOf = ({ name, description, status, parameters, connection_id, filter }: TriggersTable) => ({
  name,
  description,
  status,
  parameters: parseExactly(parameters),
  connection_id,
  filter: filter === null ? null : parseExactly(filter),
});

async function current(
  ctx: Ctx,
  trigger_id: string,
  shown: string | null = null,
): Promise<Reply<'triggerGet'>['trigger']> {
  const row = await store.find(ctx.db, ctx.account_id, trigger_id);
  if (!row) throw notFound('Trigger');
  return describeOne(ctx, row, shown);
}

export { revealSecret, rotateSecret } from './ingress/trigger-ingress.ts';
export { test } from './trial/test-event.ts';

function wakeWorkers(ctx: Ctx): void {
  ctx.nudge('scheduler');
  ctx.nudge('poller');
  ctx.nudge('watcher');
}

const nextFireAt = (source: string, parameters: Record<string, unknown>) =>
  source === SCHEDULE_SOURCE ? nextFiring(parameters as Schedule, new Date()) : null;

/** After a change of URL or parameters, polling starts again without a position. */
const nextPoll = (enabled: boolean, moved: boolean) => ({
  next_poll_at: enabled ? now() : null,
  failing_since: null,
  ...(moved ? { position: null } : {}),
});

/** What happened while the trigger was disabled is not reported. */
const nextWatch = (status: TriggerStatus, before: TriggerStatus) => ({
  next_poll_at: status === 'ENABLED' ? now() : null,
  ...(status === 'ENABLED' && before !== 'ENABLED' ? { position: now() } : {}),
});

function defaultName(source: string, event_type: string, parameters: Record<string, unknown>): string {
  if (source !== SCHEDULE_SOURCE)
    return (event_type.startsWith(`${source}.`) ? event_type : `${source} ${event_type}`).slice(0, 100);
  const { cron_expression, timezone } = parameters as Schedule;
  return `Schedule ${cron_expression}${timezone === 'UTC' ? '' : ` (${timezone})`}`.slice(0, 100);
}

/** A given connection must belong to the account and, if the source is an app, to that app. */
async function checkConnection(ctx: Ctx, { app, source }: AppDefinition, connection_id: string | null): Promise<void> {
  if (connection_id === null) {
    if (source && 'needs_connection' in source && source.needs_connection)
      throw badRequest(`connection_id: the source ${app} needs a connection`);
    return;
  }
  const connection = await connectionStore.find(ctx.db, ctx.account_id, connection_id);
  if (!connection) throw badRequest('connection_id: expected a connection of this account');
  if (app !== SCHEDULE_SOURCE && app !== POLL_SOURCE && connection.app !== app)
    throw badRequest(`connection_id: expected a connection of ${app}, this one is of ${connection.app}`);
}
