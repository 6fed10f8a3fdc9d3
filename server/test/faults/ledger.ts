/**
 * What a fault is judged by, in Jepsen's words. *Acknowledged*: the source got the confirmation that its event is
 * stored. *Lost*: acknowledged, and a destination never got it. *Duplicated*: arrived once more than needed. *Held*:
 * attempts that a node had taken (in flight, or waiting in a lane) and whose outcome was never or too late recorded, so
 * that they were made again. *Recovered*: how long after the fault everything acknowledged before it had arrived and
 * was recorded.
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

/** Where it is looked up: what arrived at these paths, and the service's own tables. */
export type Field = { sink: Sink; paths: readonly string[]; database: () => Promise<Client> };

/** The most a node has in flight: lanes.ts. */
const IN_FLIGHT_MAX = 128;
const RECOVERED_WITHIN_MS = 20_000;
/** Where other tests share the machine, starting a process alone may take as long. */
export const PATIENCE_MS = 60_000;

/** How often each event has arrived at a path of the receiver. */
export function arrivals(sink: Sink, path: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { headers } of sink.received(path)) {
    const id = String(headers['webhook-id']);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Resolves once all of these have arrived at each path and none is open; with the milliseconds since `sinceMs`. */
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
  // Not expect.poll, which knows only one test at a time.
  await vi.waitFor(left, { timeout: PATIENCE_MS, interval: 100 });
  return performance.now() - sinceMs;
}

function missingAt(sink: Sink, path: string, acknowledged: string[]): string[] {
  const arrived = arrivals(sink, path);
  return acknowledged.filter((id) => !arrived.has(id));
}

/** Of destinations that always answer well: whatever arrives twice had been held. */
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
    // A node whose lease expired may record its attempt late, next to that of the node that took over.
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

/** What must hold after any fault; `faults`: how many there were. */
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
