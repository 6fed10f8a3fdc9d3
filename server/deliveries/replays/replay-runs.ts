import { now } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import type { Services } from '../../platform/context.ts';
import type { ReplaysTable } from '../../platform/database/schema.ts';
import { LEASE_MS as DELIVERY_LEASE_MS } from '../intake/store-events.ts';
import * as eventStore from '../store/events/events.ts';
import * as progress from '../store/replays/replay-progress.ts';
import * as store from '../store/replays/replays.ts';
import { judgeCanary, type Verdict } from './canary.ts';
import { replayIn } from './replay.ts';
import { createFlow, type Flow } from './replay-flow.ts';
import { boundsOf, collect, type ReplayRequest, selectionOf, tooManyMessage } from './replay-gathering.ts';
import { createRate, type Rate } from './replay-rate.ts';
import { optionsOf, type Sent, sendShare } from './replay-sending.ts';

/** The time from one step of a replay to the next. Each step sends what the pace has allowed since the last one. */
export const STEP_MS = 250;
/** Another node continues a replay after this time without a step. */
const LEASE_MS = 15_000;
/** Replays step concurrently, so that a large one does not delay the progress of others. */
const REPLAYS_AT_ONCE = 4;
/** How many seconds of its pace a replay may catch up on after a delay. */
const SAVED_SECONDS = 1;

/**
 * State of a replay between steps. `left`: deliveries that the pace allowed at `atMs` and that were not sent, with
 * fractions. `from`: where its open items begin. `destination_ids`: of the waiting items, once all are gathered.
 * `shown`: what the last published change depends on, besides the counters.
 */
type Pace = {
  left: number;
  atMs: number;
  from: progress.OpenFrom;
  flow: Flow;
  rate: Rate;
  destination_ids: string[] | undefined;
  shown: string;
};
export type Paces = Map<string, Pace>;
const newPace = ({ rate_per_second }: ReplaysTable): Pace => ({
  left: 1,
  atMs: performance.now() - STEP_MS,
  from: progress.FROM_START,
  flow: createFlow(),
  rate: createRate(rate_per_second),
  destination_ids: undefined,
  shown: '',
});

/** Runs one step of every replay that is due; returns the milliseconds until the next one is due. */
export async function stepDue(services: Services, paces: Paces): Promise<number | undefined> {
  const atMs = performance.now();
  const due = await store.claim(services.db, services.nodeId, LEASE_MS, REPLAYS_AT_ONCE);
  const stepOf = (replay: ReplaysTable) =>
    step(services, replay, paces).catch((error: unknown) => {
      services.log.warn({ err: error, replay_id: replay.replay_id }, 'replay step failed, retrying');
      return false;
    });
  const isLate = await Promise.all(due.map(stepOf));
  if (due.length === REPLAYS_AT_ONCE || isLate.includes(true)) return 0;
  return due.length > 0 ? restOfStep(atMs) : undefined;
}

/** The milliseconds until the step after the one that began at `atMs`. */
const restOfStep = (atMs: number): number => Math.max(0, STEP_MS - (performance.now() - atMs));
/** The time of the next step is stored after it was computed; a step that is not due when read waits a second. */
const NOTIFY_DELAY_MS = 100;

/** Resolves with whether the pace allowed more than there was time to send. */
async function step(services: Services, replay: ReplaysTable, paces: Paces): Promise<boolean> {
  const atMs = performance.now();
  const { db } = services;
  const { account_id, replay_id } = replay;
  if (replay.gather_before !== null && replay.status === 'RUNNING') return continueGathering(services, replay);
  const running = replay.status === 'RUNNING';
  let pace = paces.get(replay_id);
  if (!pace) {
    await progress.recount(db, account_id, replay_id);
    pace = newPace(replay);
    paces.set(replay_id, pace);
  }
  if (running) await progress.skipDeleted(db, account_id, replay_id, pace.from);
  const before = await settle(services, replay, pace);
  const stopped = running ? await judgeCanary(db, replay, before) : null;
  const { share, isProbe } = running && !stopped ? takeShare(replay, before, pace) : { share: 0, isProbe: false };
  const sent = await (isProbe ? probe : sendPaced)(services, replay, pace, share);
  pace.left += sent.left;
  // Attempts end while the share is sent.
  let after = share > 0 ? await settle(services, replay, pace) : before;
  if (running && isClosed(after)) {
    // A replay ends only when it has no open item from its first event on.
    pace.from = progress.FROM_START;
    after = await settle(services, replay, pace);
  }
  const ended = running && isClosed(after);
  const verdict = stopped ?? (ended ? await verdictOf(services, replay) : null);
  const isLate = sent.isLate && after.waiting && !verdict;
  const watching = store.isActive(replay.status) ? !verdict : after.sent > 0;
  const waits = watching && !(replay.status === 'PAUSED' && after.sent === 0);
  const waitMs = isLate ? 0 : Math.max(0, restOfStep(atMs) - NOTIFY_DELAY_MS);
  if (!watching) paces.delete(replay_id);
  const { done, succeeded, failed } = after;
  const circuits = services.pipeline.lanes
    .openCircuits()
    .map(({ id, untilMs }) => `${id} ${untilMs}`)
    .join();
  const current_rate = running && !verdict ? pace.rate.at(done) : null;
  const shown = `${circuits} ${current_rate}`;
  const isChanged = watching && pace.shown !== shown;
  pace.shown = shown;
  const changed =
    isChanged || verdict !== null || done !== replay.done || succeeded !== replay.succeeded || failed !== replay.failed;
  await store.updateStep(db, account_id, replay_id, {
    verdict,
    seen: replay.status,
    at: now(),
    waitMs: waits ? waitMs : null,
    current_rate,
  });
  if (changed) services.changed(account_id, { noun: 'replay', replay_id, status: verdict?.status ?? replay.status });
  return isLate;
}

const isClosed = ({ waiting, sent }: progress.Progress) => !waiting && sent === 0;

/** Closes items with an outcome; returns the progress of the replay. */
async function settle({ db }: Services, replay: ReplaysTable, pace: Pace): Promise<progress.Progress> {
  const { account_id, replay_id } = replay;
  pace.flow.closed(await progress.settle(db, account_id, replay_id, pace.from));
  const found = await progress.progressOf(db, account_id, replay_id, pace.from);
  if (!found) throw new Error('the replay was deleted');
  // Gathering finds the newest events first: a replay that was paused meanwhile gets older items when it resumes.
  if (replay.gather_before === null) pace.from = found.from;
  return found;
}

/** The verdict on a replay that has no open items. */
async function verdictOf({ db }: Services, { account_id, replay_id }: ReplaysTable): Promise<Verdict> {
  await progress.recount(db, account_id, replay_id);
  const deleted = await progress.deletedOf(db, account_id, replay_id);
  if (deleted === 0) return { status: 'COMPLETED', reason: null };
  const deliveries = deleted === 1 ? '1 delivery was' : `${deleted} deliveries were`;
  return { status: 'STOPPED', reason: `The trigger was deleted: ${deliveries} not sent.` };
}

/**
 * Collects more items; returns true: the next step is due. A replay of too many events stops before anything is sent.
 */
async function continueGathering(services: Services, { account_id, replay_id }: ReplaysTable): Promise<boolean> {
  const status = await services.db.transaction().execute(async (tx) => {
    const replay = await store.lock(tx, account_id, replay_id);
    if (replay?.status !== 'RUNNING') return undefined;
    const selection = selectionOf(JSON.parse(replay.request) as ReplayRequest);
    const bounds = boundsOf(services.settings, 'alone');
    const { isTooMany, ...gathered } = await collect(tx, replay, selection, bounds);
    const at = now();
    const reason = tooManyMessage(bounds.maxEvents);
    const stopped = { status: 'STOPPED' as const, reason, finished_at: at, next_at: null };
    const changes = isTooMany ? stopped : { next_at: at };
    await store.update(tx, account_id, replay_id, { ...gathered, ...changes, updated_at: at });
    return isTooMany ? stopped.status : replay.status;
  });
  if (status) services.changed(account_id, { noun: 'replay', replay_id, status });
  return status === 'RUNNING';
}

/** Takes the deliveries that the pace allows now. A canary sends its deliveries first and waits for their outcomes. */
function takeShare(
  { rate_per_second, canary }: ReplaysTable,
  tally: progress.Progress,
  pace: Pace,
): { share: number; isProbe: boolean } {
  const atMs = performance.now();
  const most = Math.max(1, rate_per_second * SAVED_SECONDS);
  const earned = Math.min(most, pace.left + ((atMs - pace.atMs) / 1000) * rate_per_second);
  let share = Math.floor(earned);
  const begun = tally.sent + tally.done;
  const isProbe = canary !== null && begun < canary;
  if (isProbe) share = Math.min(share, canary - begun);
  else if (canary !== null && tally.done < canary) share = 0;
  pace.left = earned - share;
  pace.atMs = atMs;
  return { share, isProbe };
}

/** Sends what the pace allows, up to what each destination may have open. */
async function sendPaced(services: Services, replay: ReplaysTable, pace: Pace, share: number): Promise<Sent> {
  if (share === 0) return { left: 0, isLate: false };
  const { account_id, replay_id } = replay;
  const { flow, from } = pace;
  pace.destination_ids ??= await store.waitingDestinations(services.db, account_id, replay_id);
  flow.setOpen(await progress.openByDestination(services.db, account_id, replay_id, from));
  return sendShare(services, replay, { from: from.waiting, flow, destination_ids: pace.destination_ids }, share);
}

/** Sends the deliveries of a canary: nothing of the share is left over. */
async function probe(services: Services, replay: ReplaysTable, { from }: Pace, share: number): Promise<Sent> {
  const none = { left: 0, isLate: false };
  if (share === 0) return none;
  const items = await store.waiting(services.db, replay.account_id, replay.replay_id, from.waiting, share);
  for (const each of Map.groupBy(items, ({ event_id }) => event_id).values()) await sendEvent(services, replay, each);
  if (items.length > 0) services.nudge('deliverer');
  return none;
}

/**
 * Restarts the deliveries of one event and marks their items in the same transaction, so that a crash sends none twice.
 * A canary's deliveries skip the queue, as those of a manual replay do: they probe a destination with an open circuit.
 */
async function sendEvent(services: Services, replay: ReplaysTable, items: store.Waiting[]): Promise<void> {
  const [first] = items;
  if (!first) return;
  const { account_id, replay_id } = replay;
  const { event_id, trigger_id } = first;
  const { lanes } = services.pipeline;
  const options = {
    destination_ids: items.map(({ destination_id }) => destination_id),
    ...optionsOf(replay),
    replay_id,
    lease: lanes.takesUrgent() ? { node_id: services.nodeId, ms: DELIVERY_LEASE_MS } : null,
  };
  const leases = await services.db.transaction().execute(async (tx) => {
    const current = await store.lock(tx, account_id, replay_id);
    if (current?.status !== 'RUNNING') return [];
    const event = await eventStore.find(tx, account_id, trigger_id, event_id);
    const nothing = { sent: [], leased: [] };
    const { sent, leased } = event ? await replayInOr(tx, account_id, { trigger_id, event_id }, options) : nothing;
    const isSent = ({ delivery_id }: store.Waiting) => sent.includes(delivery_id);
    const notSent = items.filter((item) => !isSent(item));
    await progress.markItems(tx, account_id, replay_id, items.filter(isSent), 'SENT');
    await progress.markItems(tx, account_id, replay_id, notSent, 'SKIPPED');
    if (!event) return [];
    const { received_at, payload, traceparent, tracestate } = event;
    return leased.map((each) => ({ ...each, received_at, payload, traceparent, tracestate }));
  });
  for (const each of leases) lanes.pushUrgent(each);
  for (const { delivery_id } of items)
    services.changed(account_id, { noun: 'delivery', trigger_id, event_id, delivery_id, status: 'PENDING' });
}

/** Sends nothing when retention has removed the event meanwhile. */
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
