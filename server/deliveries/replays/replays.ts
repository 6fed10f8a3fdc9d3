import { REPLAY_RATE_PER_SECOND } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import type { ReplayStatus } from '../../../contract/states.ts';
import { write } from '../../accounts/write.ts';
import { now, timestampAt } from '../../lib/clock.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import type { Ctx } from '../../platform/context.ts';
import type { ReplaysTable, Tx } from '../../platform/database/schema.ts';
import { closePage, openPage } from '../../platform/paging.ts';
import * as destinationStore from '../store/destinations/destinations.ts';
import * as store from '../store/replays/replays.ts';
import { dryRunOf } from './dry-run.ts';
import { changesOf } from './replay-changes.ts';
import { boundsOf, collect, type ReplayRequest, selectionOf, survey, tooMany } from './replay-gathering.ts';
import { matrixOf } from './replay-matrix.ts';
import { secondsLeft } from './replay-rate.ts';

/**
 * Delivers stored events again: those that match the filter now, oldest first, at a pace. The deliveries are fixed
 * here, or by the worker if they are too many to find at once (see replayer.ts). `dry_run` creates nothing: the reply
 * has the counts, and for the first 20 deliveries the request that would be sent and the last one sent. 400 for a
 * destination that does not exist.
 */
export async function create(ctx: Ctx, { body }: Input<'replayCreate'>): Promise<Reply<'replayCreate'>> {
  const selection = selectionOf(body);
  await refuseUnknown(ctx, body.destination_ids);
  const changes = await changesOf(ctx, body);
  const bounds = boundsOf(ctx.settings, 'awaited');
  if (body.dry_run) {
    const { first, ...found } = await survey(ctx.db, ctx.account_id, selection, bounds);
    return { replay: null, waits_for: [], dry_run: { ...found, items: await dryRunOf(ctx, first, changes) } };
  }
  const row = await write(ctx, (tx, about) => begin(tx, ctx, body, changes, about));
  announce(ctx, row);
  return { replay: describe(row), waits_for: await waitsFor(ctx, row), dry_run: null };
}

/** Stores a replay with the deliveries that are found within a request; `about` gets its id. */
export async function begin(
  tx: Tx,
  ctx: Ctx,
  request: ReplayRequest,
  changes: store.ReplayChanges,
  about: (replay_id: string) => void,
): Promise<ReplaysTable> {
  const { account_id } = ctx;
  const bounds = boundsOf(ctx.settings, 'awaited');
  const made = { ...newReplay(ctx, request), ...changes, account_id };
  about(made.replay_id);
  await store.insert(tx, account_id, made);
  const { isTooMany, ...gathered } = await collect(tx, made, selectionOf(request), bounds);
  if (isTooMany) throw tooMany(bounds.maxEvents);
  await store.update(tx, account_id, made.replay_id, gathered);
  return { ...made, ...gathered };
}

/** Bulk replays of the account, or of a problem, newest first. */
export async function list(ctx: Ctx, input: Input<'replayList'>): Promise<Reply<'replayList'>> {
  const { limit, after } = openPage(ctx, input);
  const { problem_id } = input.query;
  const found = await store.list(ctx.db, ctx.account_id, { limit: limit + 1, before: after?.[0], problem_id });
  const { rows, next_token } = closePage(ctx, input, found, (row) => [row.replay_id]);
  return { replays: rows.map(describe), next_token };
}

/** One replay, and the number of deliveries by status before and after; at most a second old while the replay runs. */
export async function get(ctx: Ctx, { params }: Input<'replayGet'>): Promise<Reply<'replayGet'>> {
  const first = await find(ctx, params.replay_id);
  const counted = await matrixOf(ctx, first);
  const waits_for = await waitsFor(ctx, first);
  // Read the counters last, because they are the newest. The matrix of a replay that ended meanwhile is counted again.
  const row = await find(ctx, params.replay_id);
  const matrix = row.status === first.status ? counted : await matrixOf(ctx, row);
  return { replay: describe(row), body_template: row.body_template, waits_for, matrix };
}

/** The deliveries of a replay with their status before and now, oldest event first. */
export async function listItems(ctx: Ctx, input: Input<'replayItemList'>): Promise<Reply<'replayItemList'>> {
  const { replay_id } = input.params;
  await find(ctx, replay_id);
  const { before, after: became } = input.query;
  const { limit, after } = openPage(ctx, input);
  const found = await store.items(
    ctx.db,
    ctx.account_id,
    replay_id,
    { before, after: became },
    { limit: limit + 1, after: after && [after[0] ?? '', after[1] ?? ''] },
  );
  const { rows, next_token } = closePage(ctx, input, found, (row) => [row.event_id, row.delivery_id]);
  return { items: rows.map(describeItem), next_token };
}

/** Pauses a replay until it is resumed; deliveries already sent are not stopped. */
export const pause = (ctx: Ctx, { params }: Input<'replayPause'>): Promise<Reply<'replayPause'>> =>
  move(ctx, params.replay_id, 'RUNNING', 'PAUSED');

/** Resumes a paused replay. */
export const resume = (ctx: Ctx, { params }: Input<'replayResume'>): Promise<Reply<'replayResume'>> =>
  move(ctx, params.replay_id, 'PAUSED', 'RUNNING');

/** Ends a replay; its waiting deliveries are unchanged. */
export const cancel = (ctx: Ctx, { params }: Input<'replayCancel'>): Promise<Reply<'replayCancel'>> =>
  move(ctx, params.replay_id, null, 'CANCELED');

/** `from` null: every status that can still change. A replay that already has the status `to` is not an error. */
async function move(ctx: Ctx, replay_id: string, from: ReplayStatus | null, to: ReplayStatus) {
  const row = await write(ctx, async (tx, about) => {
    about(replay_id);
    const before = await store.lock(tx, ctx.account_id, replay_id);
    if (!before) throw notFound('Replay');
    if (before.status === to) return before;
    if (from === null ? !store.isActive(before.status) : before.status !== from)
      throw badRequest(`status: expected a replay that is ${from ?? 'RUNNING or PAUSED'}; it is ${before.status}`);
    const at = now();
    const ended = to === 'CANCELED';
    // The reason of a pause is that of the canary.
    const reason = to === 'RUNNING' ? null : before.reason;
    const changes = { status: to, reason, updated_at: at, next_at: at, ...(ended ? { finished_at: at } : {}) };
    await store.update(tx, ctx.account_id, replay_id, changes);
    return { ...before, ...changes };
  });
  announce(ctx, row);
  return { replay: describe(row) };
}

async function refuseUnknown({ db, account_id }: Ctx, destination_ids: string[] = []): Promise<void> {
  if (destination_ids.length === 0) return;
  const existing = await destinationStore.existing(db, account_id, destination_ids);
  const index = destination_ids.findIndex((id) => !existing.has(id));
  if (index < 0) return;
  const id = destination_ids[index];
  throw badRequest(
    `destination_ids.${index}: expected a destination of this account; ${id} does not exist or was deleted`,
  );
}

async function find(ctx: Ctx, replay_id: string): Promise<ReplaysTable> {
  const row = await store.find(ctx.db, ctx.account_id, replay_id);
  if (!row) throw notFound('Replay');
  return row;
}

/** Notifies consoles and the replayer of a replay that was changed. */
export function announce(ctx: Ctx, { replay_id, status }: ReplaysTable): void {
  ctx.changed(ctx.account_id, { noun: 'replay', replay_id, status });
  ctx.nudge('replayer');
}

function newReplay(ctx: Ctx, body: ReplayRequest): Omit<ReplaysTable, 'account_id' | keyof store.ReplayChanges> {
  const at = now();
  return {
    replay_id: newId(),
    status: 'RUNNING',
    reason: null,
    request: JSON.stringify(body),
    rate_per_second: body.rate_per_second ?? REPLAY_RATE_PER_SECOND,
    canary: body.canary ?? null,
    total: 0,
    done: 0,
    succeeded: 0,
    failed: 0,
    skipped: 0,
    created_by: ctx.actor.name,
    created_at: at,
    updated_at: at,
    finished_at: null,
    node_id: null,
    next_at: at,
    gather_before: null,
    current_rate: null,
    problem_id: body.problem?.problem_id ?? null,
    canary_passed: false,
    left_out: null,
    receipt: null,
  };
}

/** Destinations that the replay cannot reach now, from the breakers of this node. */
async function waitsFor(ctx: Ctx, { replay_id, status }: ReplaysTable): Promise<Reply<'replayGet'>['waits_for']> {
  const until = new Map(ctx.pipeline.lanes.openCircuits().map(({ id, untilMs }) => [id, timestampAt(untilMs)]));
  if (until.size === 0 || !store.isActive(status)) return [];
  const waiting = await store.stillFor(ctx.db, ctx.account_id, replay_id, [...until.keys()]);
  return waiting.map(({ destination_id, name }) => ({
    destination_id,
    destination_name: name,
    until: until.get(destination_id) ?? now(),
  }));
}

export function describe(row: ReplaysTable): Reply<'replayList'>['replays'][number] {
  const { account_id: _, request: __, node_id: ___, next_at: ____, function_id: _____, ...more } = row;
  const {
    gather_before,
    current_rate,
    body_template,
    transform_then,
    canary_passed: ______,
    left_out: _7,
    receipt: _8,
    ...shown
  } = more;
  const gathering = gather_before !== null && store.isActive(row.status);
  const rate = row.status === 'RUNNING' && !gathering ? current_rate : null;
  return {
    ...shown,
    gathering,
    has_body_template: body_template !== null,
    transform: transform_then ? 'THEN' : 'NOW',
    current_rate_per_second: rate,
    seconds_left: secondsLeft(row.total - row.done, rate),
  };
}

function describeItem(row: store.ItemRow): Reply<'replayItemList'>['items'][number] {
  return {
    event_id: row.event_id,
    trigger_id: row.trigger_id,
    delivery_id: row.delivery_id,
    destination_id: row.destination_id,
    state: row.state,
    before: { status: row.before_status, response_status: row.before_response_status },
    after: row.now_status === null ? null : { status: row.now_status, response_status: row.now_response_status },
  };
}
