/** The worker that adds new failures to problems, and resolves problems whose causes are gone; see grouping.ts. */
import type { Services } from '../platform/context.ts';
import { holdPartitions } from '../platform/database/partitions.ts';
import type { Tx } from '../platform/database/schema.ts';
import type { ProblemsTable } from '../platform/database/tables/problem-tables.ts';
import { createLoop, type Worker } from '../platform/loop.ts';
import { fromAttempt, fromCall, fromConnection, fromRejection, fromRun, fromTrigger } from './cause/read-failures.ts';
import { type Caused, group, withCause } from './grouping.ts';
import { sealDue } from './replays/receipts.ts';
import { resolveDue } from './resolving.ts';
import * as read from './store/failures.ts';
import { countedBefore } from './store/groups.ts';
import * as reader from './store/reader.ts';

const EVERY_MS = 1000;
/** Rows of each kind in a round. */
const ROWS = 1000;

export function createGrouper(services: Services): Worker {
  const { db, log, settings } = services;
  let isCreated = false;
  return createLoop({
    name: 'grouper',
    log,
    everyMs: Math.min(EVERY_MS, settings.problems.checkMs),
    async work() {
      if (!isCreated) await reader.create(db);
      isCreated = true;
      const { changed, isMore, isDue } = await round(services);
      for (const { account_id, problem_id } of changed) services.changed(account_id, { noun: 'problem', problem_id });
      if (isDue) await seal(services);
      return isMore ? 0 : undefined;
    },
  });
}

type Changed = Pick<ProblemsTable, 'account_id' | 'problem_id'>;
type Round = { changed: Changed[]; isMore: boolean; isDue: boolean };
const NOTHING: Round = { changed: [], isMore: false, isDue: false };

/** Receipts, apart from the groups: those of large replays take seconds. */
async function seal(services: Services): Promise<void> {
  for (const { account_id, problem_id, replay_id, status } of await sealDue(services)) {
    services.changed(account_id, { noun: 'problem', problem_id });
    services.changed(account_id, { noun: 'replay', replay_id, status });
  }
}

async function round({ db, settings }: Services): Promise<Round> {
  return db.transaction().execute(async (tx) => {
    const state = await reader.lock(tx);
    // The next round reads what this one does not.
    if (!state || !(await holdPartitions(tx))) return NOTHING;
    if (Object.values(state.positions).some(({ xid }) => BigInt(xid) >= BigInt(state.upto))) {
      await reader.begin(tx);
      return NOTHING;
    }
    const { failures, positions, isMore } = await readNew(tx, state, settings.problems.settleMs);
    const isDue = Date.parse(state.now) - Date.parse(state.checked_at) >= settings.problems.checkMs;
    if (isDue) failures.push(...(await readStates(tx, state.since)));
    const { quietMs } = settings.problems;
    const changed: Changed[] = failures.length > 0 ? await group(tx, failures, quietMs) : [];
    if (failures.length > 0 || isMore || hasMoved(state.positions, positions)) await reader.advance(tx, positions);
    if (isDue) {
      changed.push(...(await resolveDue(tx, quietMs)));
      await reader.noteChecked(tx);
    }
    return { changed, isMore, isDue };
  });
}

const hasMoved = (before: reader.Positions, after: reader.Positions): boolean =>
  Object.entries(after).some(([kind, { xid, key }]) => {
    const last = before[kind];
    return last?.xid !== xid || last.key.join() !== key.join();
  });

/**
 * Failures that were stored since the positions. A failure with a run is read when the run and its calls are stored: a
 * while after it ended. The rows behind it wait for the next round.
 */
async function readNew(tx: Tx, state: reader.Reader, settleMs: number) {
  const { positions: before, upto, since, now } = state;
  const settledAt = new Date(Date.parse(now) - settleMs).toISOString();
  const positions = { ...before };
  const failures: Caused[] = [];
  let isMore = false;

  function take<R extends { xid: string; at?: string }>(
    kind: string,
    rows: R[],
    keyOf: (row: R) => (string | number)[],
    waits: (row: R) => boolean,
    convert: (row: R) => ReturnType<typeof fromAttempt>,
  ) {
    const waiting = rows.findIndex((row) => waits(row) && (row.at ?? '') > settledAt);
    const taken = waiting < 0 ? rows : rows.slice(0, waiting);
    for (const row of taken) {
      const found = convert(row);
      if (found && found.links.at >= since) failures.push(withCause(found, found.names));
    }
    const last = taken.at(-1);
    if (last) positions[kind] = { xid: last.xid, key: keyOf(last) };
    if (taken.length === ROWS) isMore = true;
  }

  const spanOf = (kind: string) => ({ after: before[kind], upto, limit: ROWS });
  take(
    'calls',
    await read.calls(tx, spanOf('calls')),
    ({ call_id }) => [call_id],
    () => false,
    fromCall,
  );
  take(
    'runs',
    await read.runs(tx, spanOf('runs')),
    ({ run_id }) => [run_id],
    () => true,
    fromRun,
  );
  take(
    'attempts',
    await read.attempts(tx, spanOf('attempts')),
    ({ event_id, delivery_id, number }) => [event_id, delivery_id, number],
    ({ run_id }) => run_id !== null,
    fromAttempt,
  );
  take(
    'rejections',
    await read.rejections(tx, spanOf('rejections')),
    ({ rejection_id }) => [rejection_id],
    () => false,
    fromRejection,
  );
  return { failures, positions, isMore };
}

/** Connections and triggers that fail now, and were not counted since they began to. */
async function readStates(tx: Tx, since: string): Promise<Caused[]> {
  const found = [
    ...(await read.failingConnections(tx, since)).map(fromConnection),
    ...(await read.failingTriggers(tx, since)).map(fromTrigger),
  ].map((each) => withCause(each, each.names));
  const known = await countedBefore(
    tx,
    found.map(({ links, cause }) => ({ ...links, fingerprint: cause.fingerprint })),
  );
  return found.filter(({ links }) => !known.has(`${links.account_id} ${links.subject_id}`));
}
