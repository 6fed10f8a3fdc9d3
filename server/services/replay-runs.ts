import type { Input } from '../../contract/operations.ts';
import { now } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import * as eventStore from '../store/events.ts';
import * as store from '../store/replays.ts';
import type { ReplaysTable } from '../store/schema.ts';
import type { Services } from './context.ts';
import { LEASE_MS as DELIVERY_LEASE_MS } from './delivery/store-events.ts';
import { replayIn } from './replay.ts';
import { boundsOf, collect, tooManyWords, wishOf } from './replay-gathering.ts';

/** How often a replay is looked at: it sends its share of a second's pace each time. */
export const STEP_MS = 250;
/** After a crash another node takes over when this has passed. */
const LEASE_MS = 15_000;
const REPLAYS_AT_ONCE = 10;
/** Events that are put back at the same time. */
const EVENTS_AT_ONCE = 4;
/** What a pace may save up while nothing could be sent. */
const SAVED_SECONDS = 1;

/**
 * How much of each replay's pace this node has left: shares that weren't whole deliveries add up. `told`: the
 * destinations that were left alone when its readers last heard of it.
 */
export type Paces = Map<string, { left: number; atMs: number; told: string }>;

/** Moves every replay that is due on by one step; answers in how many milliseconds to look again. */
export async function stepDue(services: Services, paces: Paces): Promise<number | undefined> {
  const due = await store.claim(services.db, services.nodeId, LEASE_MS, REPLAYS_AT_ONCE);
  for (const replay of due) {
    try {
      await step(services, replay, paces);
    } catch (error) {
      services.log.warn({ err: error, replay_id: replay.replay_id }, 'a replay could not be moved on; it tries again');
    }
  }
  return due.length > 0 ? STEP_MS : undefined;
}

async function step(services: Services, replay: ReplaysTable, paces: Paces): Promise<void> {
  const { account_id, replay_id } = replay;
  if (replay.gather_before !== null && replay.status === 'RUNNING') return gatherOn(services, replay);
  await store.settle(services.db, account_id, replay_id);
  const before = await store.tally(services.db, account_id, replay_id);
  const running = replay.status === 'RUNNING';
  const stopped = running ? judgeCanary(replay, before) : null;
  const { share, isProbe } = running && !stopped ? shareOf(replay, before, paces) : { share: 0, isProbe: false };
  await send(services, replay, share, isProbe);
  const tally = share > 0 ? await store.tally(services.db, account_id, replay_id) : before;
  const ended = running && tally.waiting + tally.sent === 0;
  const verdict: Verdict | null = stopped ?? (ended ? { status: 'COMPLETED', reason: null } : null);
  const watching = store.isGoingOn(replay.status) ? !verdict : tally.sent > 0;
  if (!watching) paces.delete(replay_id);
  const { done, succeeded, failed, skipped } = tally;
  const pace = paces.get(replay_id);
  const leftAlone = services.pipeline.lanes.leftAlone().map(({ id, untilMs }) => `${id} ${untilMs}`);
  const isNews = pace !== undefined && pace.told !== leftAlone.join();
  if (isNews) pace.told = leftAlone.join();
  const changed =
    isNews || verdict !== null || done !== replay.done || succeeded !== replay.succeeded || failed !== replay.failed;
  await store.moveOn(services.db, account_id, replay_id, {
    done,
    succeeded,
    failed,
    skipped,
    verdict,
    seen: replay.status,
    at: now(),
    waitMs: watching ? (replay.status === 'PAUSED' && tally.sent === 0 ? null : STEP_MS) : null,
  });
  if (changed)
    services.live.publish(account_id, { noun: 'replay', replay_id, status: verdict?.status ?? replay.status });
}

/** Looks for more of what it is about; where that would be too much it stops before anything went out. */
async function gatherOn(services: Services, { account_id, replay_id }: ReplaysTable): Promise<void> {
  const status = await services.db.transaction().execute(async (tx) => {
    const replay = await store.lock(tx, account_id, replay_id);
    if (replay?.status !== 'RUNNING') return undefined;
    const wish = wishOf(JSON.parse(replay.request) as Input<'replayCreate'>['body']);
    const bounds = boundsOf(services.settings, 'alone');
    const { isTooMany, ...gathered } = await collect(tx, replay, wish, bounds);
    const at = now();
    const reason = tooManyWords(bounds.maxEvents);
    const stopped = { status: 'STOPPED' as const, reason, finished_at: at, next_at: null };
    const changes = isTooMany ? stopped : { next_at: at };
    await store.update(tx, account_id, replay_id, { ...gathered, ...changes, updated_at: at });
    return isTooMany ? stopped.status : replay.status;
  });
  if (status) services.live.publish(account_id, { noun: 'replay', replay_id, status });
}

/** Whole deliveries that the pace allows now. A canary first sends its few, and waits for what becomes of them. */
function shareOf(
  { replay_id, rate_per_second, canary }: ReplaysTable,
  tally: store.Tally,
  paces: Paces,
): { share: number; isProbe: boolean } {
  const atMs = performance.now();
  const before = paces.get(replay_id) ?? { left: 1, atMs: atMs - STEP_MS, told: '' };
  const earned = before.left + ((atMs - before.atMs) / 1000) * rate_per_second;
  const most = Math.max(1, rate_per_second * SAVED_SECONDS);
  let share = Math.floor(Math.min(earned, most));
  const begun = tally.sent + tally.done;
  const isProbe = canary !== null && begun < canary;
  if (isProbe) share = Math.min(share, canary - begun);
  else if (canary !== null && tally.done < canary) share = 0;
  paces.set(replay_id, { left: Math.min(earned, most) - share, atMs, told: before.told });
  return { share, isProbe };
}

type Verdict = { status: 'COMPLETED' | 'STOPPED'; reason: string | null };

/** Once the canary's few have all had an outcome, and nothing more has gone out. */
function judgeCanary({ canary }: ReplaysTable, { waiting, sent, done, failed }: store.Tally): Verdict | null {
  if (canary === null || done !== canary || sent > 0 || waiting === 0 || failed * 2 <= done) return null;
  return { status: 'STOPPED', reason: `${failed} of the first ${done} deliveries failed again.` };
}

async function send(services: Services, replay: ReplaysTable, share: number, isProbe: boolean): Promise<void> {
  if (share === 0) return;
  const items = await store.waiting(services.db, replay.account_id, replay.replay_id, share);
  const events = [...Map.groupBy(items, ({ event_id }) => event_id).values()];
  for (let i = 0; i < events.length; i += EVENTS_AT_ONCE)
    await Promise.all(events.slice(i, i + EVENTS_AT_ONCE).map((each) => sendEvent(services, replay, each, isProbe)));
  if (items.length > 0) services.nudge('deliverer');
}

/**
 * Puts the deliveries of one event back and notes it in the same transaction, so that a crash sends none twice. Those of
 * a canary go out from here at once, as a replay by hand does: they ask how a destination is that is being left alone.
 */
async function sendEvent(
  services: Services,
  replay: ReplaysTable,
  items: store.Waiting[],
  isProbe: boolean,
): Promise<void> {
  const [first] = items;
  if (!first) return;
  const { account_id, replay_id } = replay;
  const { event_id, trigger_id } = first;
  const { lanes } = services.pipeline;
  const wish = {
    destination_ids: items.map(({ destination_id }) => destination_id),
    as_new: (JSON.parse(replay.request) as { as_new?: boolean }).as_new,
    replay_id,
    lease: isProbe && lanes.takesUrgent() ? { node_id: services.nodeId, ms: DELIVERY_LEASE_MS } : null,
  };
  const leases = await services.db.transaction().execute(async (tx) => {
    const current = await store.lock(tx, account_id, replay_id);
    if (current?.status !== 'RUNNING') return [];
    const there = await eventStore.find(tx, account_id, trigger_id, event_id);
    const nothing = { sent: [], leased: [] };
    const { sent, leased } = there ? await replayInOr(tx, account_id, { trigger_id, event_id }, wish) : nothing;
    const mine = items.map(({ delivery_id }) => delivery_id);
    await store.markItems(
      tx,
      account_id,
      replay_id,
      event_id,
      mine.filter((id) => sent.includes(id)),
      'SENT',
    );
    await store.markItems(
      tx,
      account_id,
      replay_id,
      event_id,
      mine.filter((id) => !sent.includes(id)),
      'SKIPPED',
    );
    return there ? leased.map((each) => ({ ...each, received_at: there.received_at, payload: there.payload })) : [];
  });
  for (const each of leases) lanes.pushUrgent(each);
  for (const { delivery_id } of items)
    services.live.publish(account_id, { noun: 'delivery', trigger_id, event_id, delivery_id, status: 'PENDING' });
}

/** A delivery that retention took meanwhile is no reason to stop. */
async function replayInOr(
  ...args: Parameters<typeof replayIn>
): Promise<Pick<Awaited<ReturnType<typeof replayIn>>, 'sent' | 'leased'>> {
  try {
    return await replayIn(...args);
  } catch (error) {
    if (error instanceof Failure) return { sent: [], leased: [] };
    throw error;
  }
}
