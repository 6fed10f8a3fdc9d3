/** What a replay of a problem would send now: counted within a time limit, nothing is stored. */
import { IN_FLIGHT, PERIOD_SECONDS } from '../../../contract/limits.ts';
import type { Reply } from '../../../contract/operations.ts';
import { addLeftOut, boundsOf, type LeftOutCounts } from '../../deliveries/replays/replay-gathering.ts';
import * as store from '../../deliveries/store/replays/problem-deliveries.ts';
import { gather } from '../../deliveries/store/replays/replay-gathering.ts';
import { timestampAt } from '../../lib/clock.ts';
import { msOf } from '../../lib/ids.ts';
import type { Ctx } from '../../platform/context.ts';

type Plan = NonNullable<Reply<'problemReplayCreate'>['plan']>;
type Destination = { name: string; deliveries: number; left_out: number; oldest: string | null; newest: string | null };

/** Counts the affected deliveries by destination, with an estimate of the time that a replay takes. */
export async function planOf(ctx: Ctx, problem: store.ProblemSource, ratePerSecond: number): Promise<Plan> {
  const { db, account_id } = ctx;
  const left_out: LeftOutCounts = {};
  const found = new Map<string, Destination>();
  let events = 0;
  const selection = { filter: {}, choice: {}, problem };
  const { budgetMs } = boundsOf(ctx.settings, 'alone');
  const rest = await gather(db, account_id, selection, { before: undefined, budgetMs }, async (_, ids) => {
    const counted = await store.countAffected(db, account_id, problem, ids);
    addLeftOut(left_out, counted);
    for (const each of counted) addTo(found, each);
    events += await store.countEventsToSend(db, account_id, problem, ids);
    return true;
  });
  for (const { left_out: reason, count } of await store.countOthers(db, account_id, problem.problem_id))
    left_out[reason] = count;
  const paces = new Map(
    (await store.pacesOf(db, account_id, [...found.keys()])).map((each) => [each.destination_id, each]),
  );
  const destinations = [...found].map(([destination_id, counts]) =>
    describe(destination_id, counts, paces.get(destination_id), ratePerSecond),
  );
  const sending = destinations.filter(({ deliveries }) => deliveries > 0);
  const deliveries = sending.reduce((sum, each) => sum + each.deliveries, 0);
  const times = sending.map(({ seconds }) => seconds);
  return {
    events,
    deliveries,
    at_least: rest !== null,
    oldest_at: edge(sending, 'oldest_at', -1),
    newest_at: edge(sending, 'newest_at', 1),
    left_out,
    seconds: times.includes(null) ? null : Math.max(Math.ceil(deliveries / ratePerSecond), ...times.map(Number), 0),
    destinations: destinations.toSorted((a, b) => b.deliveries - a.deliveries),
  };
}

function addTo(found: Map<string, Destination>, each: store.AffectedCount): void {
  const { destination_id, destination_name, left_out, deliveries, oldest, newest } = each;
  if (destination_id === null) return;
  const before = found.get(destination_id) ?? {
    name: destination_name ?? '',
    deliveries: 0,
    left_out: 0,
    oldest: null,
    newest: null,
  };
  if (left_out !== null) found.set(destination_id, { ...before, left_out: before.left_out + deliveries });
  else
    found.set(destination_id, {
      ...before,
      deliveries: before.deliveries + deliveries,
      // Each stretch is older than the one before it.
      oldest,
      newest: before.newest ?? newest,
    });
}

const timeOf = (event_id: string | null) => (event_id === null ? null : timestampAt(msOf(event_id)));

function describe(
  destination_id: string,
  { name, deliveries, left_out, oldest, newest }: Destination,
  pace: store.PaceRow | undefined,
  ratePerSecond: number,
): Plan['destinations'][number] {
  const isPaused = pace !== undefined && pace.paused_at !== null;
  return {
    destination_id,
    destination_name: pace?.name ?? name,
    deliveries,
    left_out,
    oldest_at: timeOf(oldest),
    newest_at: timeOf(newest),
    seconds: isPaused ? null : Math.ceil(deliveries / Math.min(ratePerSecond, perSecondOf(pace))),
    is_paused: isPaused,
    circuit_open_until: pace?.circuit_open_until ?? null,
  };
}

/** Without a measured response. */
const USUAL_MS = 100;

/** What a destination takes: its rate limit, or what its attempts in flight complete at its last response times. */
function perSecondOf(pace: store.PaceRow | undefined): number {
  if (!pace) return Number.POSITIVE_INFINITY;
  const { rate_requests, rate_per, max_in_flight, duration_ms } = pace;
  const completed = ((max_in_flight ?? IN_FLIGHT.default) * 1000) / Math.max(1, duration_ms ?? USUAL_MS);
  return rate_requests === null || rate_per === null
    ? completed
    : Math.min(completed, rate_requests / PERIOD_SECONDS[rate_per]);
}

/** The earliest (-1) or latest (1) of these times. */
function edge(all: Plan['destinations'], field: 'oldest_at' | 'newest_at', sign: 1 | -1): string | null {
  const times = all.flatMap((each) => each[field] ?? []).toSorted();
  return (sign < 0 ? times[0] : times.at(-1)) ?? null;
}
