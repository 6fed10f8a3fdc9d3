/**
 * Criteria for a fault, in the terms of Jepsen. *Acknowledged*: the source received the confirmation that its event is
 * stored. *Lost*: acknowledged, and never received by a destination. *Duplicated*: received once more than necessary.
 * *Held*: attempts that a node had taken (in flight, or waiting in a lane) and whose outcome was recorded late or not
 * at all, so that they were made again. *Recovered*: the time from the fault until everything acknowledged before it
 * was received and recorded.
 */
import type { Client } from 'pg';
import { expect, vi } from 'vitest';
import type { Sink } from '../sink.ts';
import { IS_LONG } from './world.ts';

export type Verdict = {
  fault: string;
  acknowledged: number;
  lost: string[];
  duplicated: number;
  held: number;
  recoveredMs: number;
};

/** The sources of the verdict: requests received at these paths, and the service's tables. */
export type Field = { sink: Sink; paths: readonly string[]; database: () => Promise<Client> };

/** Maximum number of attempts in flight on a node: lanes.ts. */
const IN_FLIGHT_MAX = 128;
const RECOVERED_WITHIN_MS = 20_000;
/** With other tests on the machine, starting a process may take this long. */
export const PATIENCE_MS = 60_000;

/** The number of times each event was received at a path. */
export function arrivals(sink: Sink, path: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { headers } of sink.received(path)) {
    const id = String(headers['webhook-id']);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Resolves with the milliseconds since `sinceMs` once all of these were received at each path and none is pending. */
export async function whenRecovered(
  { sink, paths, database }: Field,
  acknowledged: string[],
  sinceMs = performance.now(),
): Promise<number> {
  const open = async () => {
    const client = await database();
    const { rows } = await client.query<{ open: number }>(
      `select count(*)::int as open from deliveries where next_at is not null and event_id = any($1::uuid[])`,
      [acknowledged],
    );
    return rows[0]?.open;
  };
  const missing = () => paths.flatMap((path) => missingAt(sink, path, acknowledged)).length;
  const left = async () => expect([missing(), await open().catch(String)]).toEqual([0, 0]);
  // Not expect.poll, which supports only one test at a time.
  await vi.waitFor(left, { timeout: PATIENCE_MS, interval: 100 });
  return performance.now() - sinceMs;
}

function missingAt(sink: Sink, path: string, acknowledged: string[]): string[] {
  const arrived = arrivals(sink, path);
  return acknowledged.filter((id) => !arrived.has(id));
}

/** For destinations that always succeed: an event that is received twice had been held. */
export async function judge(
  fault: string,
  { sink, paths, database }: Field,
  acknowledged: string[],
  recoveredMs: number,
): Promise<Verdict> {
  const counts = paths.map((path) => arrivals(sink, path));
  const ids = [...new Set(counts.flatMap((count) => [...count.keys()]))];
  const client = await database();
  const { rows } = await client.query<{ held: number }>(
    // A node whose lease expired may record its attempt late, in addition to that of the next node.
    `select coalesce(sum(d.attempts - a.recorded + greatest(a.of_event - 1, 0)), 0)::int as held
     from deliveries d, lateral (
       select count(*) as recorded, count(*) filter (where origin = 'EVENT') as of_event from attempts a
       where a.account_id = d.account_id and a.event_id = d.event_id and a.delivery_id = d.delivery_id) a
     where event_id = any($1::uuid[])`,
    [ids],
  );
  return {
    fault,
    acknowledged: acknowledged.length,
    lost: paths.flatMap((path) => missingAt(sink, path, acknowledged)),
    duplicated: counts.flatMap((count) => [...count.values()]).reduce((sum, each) => sum + each - 1, 0),
    held: rows[0]?.held ?? 0,
    recoveredMs,
  };
}

/** The conditions after any fault; `faults`: the number of faults. */
export function expectGood({ fault, lost, duplicated, held, recoveredMs }: Verdict, faults = 1): void {
  expect(lost, `${fault}: lost`).toEqual([]);
  expect(duplicated, `${fault}: duplicated`).toBeLessThanOrEqual(held);
  expect(duplicated, `${fault}: duplicated`).toBeLessThanOrEqual(IN_FLIGHT_MAX * faults);
  if (IS_LONG) expect(recoveredMs, `${fault}: recovered`).toBeLessThanOrEqual(RECOVERED_WITHIN_MS);
}

export function print(title: string, verdicts: Verdict[]): void {
  const head = ['fault', 'acknowledged', 'lost', 'duplicated', 'held', 'recovered'];
  const lines = verdicts.map((each) => [
    each.fault,
    String(each.acknowledged),
    String(each.lost.length),
    String(each.duplicated),
    String(each.held),
    `${(each.recoveredMs / 1000).toFixed(1)} s`,
  ]);
  const widths = head.map((name, i) => Math.max(name.length, ...lines.map((line) => line[i]?.length ?? 0)));
  const text = [head, ...lines].map((line) =>
    line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
  );
  console.log(`\n${title}\n${text.join('\n')}\n`);
}
