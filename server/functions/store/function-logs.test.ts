import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { now } from '../../lib/clock.ts';
import { msOf, newId } from '../../lib/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { openScratchDatabase } from '../../platform/database/embedded/scratch.ts';
import { ensurePartitions } from '../../platform/database/partitions.ts';
import type { RunsTable } from '../../platform/database/tables/function-tables.ts';
import { comparing, type FunctionLogFilter, type FunctionLogLine, listOfFunction } from './function-logs.ts';
import { type RunBatch, store } from './run-batch.ts';
import { keepLines, type SaidLine, spelled } from './run-lines.ts';
import * as runLogs from './run-logs.ts';

const START_MS = Math.floor(Date.now() / 1000) * 1000 - 60_000;
const account_id = newId();
const function_id = newId();

let database: Database;
/** The lines as logged, in the order of `oldest`. */
let said: FunctionLogLine[];

/** A run that logs this many lines, at these times after its start. */
function runOf(atMs: number, version: number, times: number[], message = (n: number) => `line ${n}`) {
  const run_id = newId(atMs);
  const at = now();
  const row: Omit<RunsTable, 'log'> = {
    ...{ account_id, run_id, function_id, version, status: 'OK', method: 'GET', path: '/', request: '{}' },
    ...{ response_status: 200, response_headers: '{}', response_body: '', response_base64: false },
    ...{
      response_truncated: false,
      error: null,
      trigger_id: null,
      event_id: null,
      delivery_id: null,
      attempt: null,
      caller: null,
      key_id: null,
      key_name: null,
    },
    ...{ node_id: newId(), created_at: at, started_at: at, ended_at: at, duration_ms: 1.5 },
    ...{ start: 'WARM', ready_ms: 0.25, loaded_ms: null, answer_ms: 1 },
  };
  const from = msOf(run_id);
  const last = from + (times.at(-1) ?? 0);
  const lines: SaidLine[] = [
    { seq: 0, at_ms: from, mark: 'START' },
    ...times.map((after, n) => ({ seq: n + 1, at_ms: from + after, level: 'info' as const, message: message(n) })),
    { seq: times.length + 1, at_ms: last, mark: 'END' },
    { seq: times.length + 2, at_ms: last, mark: 'REPORT' },
  ];
  return { row, lines };
}

const RUNS = Array.from({ length: 300 }, (_, n) => {
  // Many in the same millisecond, some pauses, long runs beside short ones.
  const atMs = START_MS + Math.floor(n / 7) * 3 + (n > 150 ? 5000 : 0);
  if (n % 10 === 3) return runOf(atMs, 2, [0, 20, 90, 130, 400, 6000]);
  if (n % 50 === 9) return runOf(atMs, 1, [0, 1, 1], () => 'long '.repeat(1000));
  return runOf(atMs, 1 + (n % 2), n % 4 === 0 ? [] : [0, n % 60]);
});

beforeAll(async () => {
  database = await openScratchDatabase();
  await ensurePartitions(database.kysely);
  const account = { account_id, name: 'Tests', created_at: now(), require_second_factor: false };
  await database.kysely.insertInto('accounts').values(account).execute();
  const batch: RunBatch = { begun: [], ended: [], lines: [] };
  said = [];
  for (const [n, { row, lines }] of RUNS.entries()) {
    const { run_id, version } = row;
    // Like runs stored before rows had room for lines, or only in a second attempt.
    const { log, kept } = n % 6 === 5 ? { log: null, kept: 0 } : keepLines(run_id, lines);
    batch.begun.push({ ...row, log });
    for (const line of lines.slice(kept)) batch.lines.push({ account_id, function_id, run_id, ...spelled(line, row) });
    for (const line of lines) said.push({ ...spelled(line, row), run_id, version });
  }
  expect(batch.lines.length).toBeGreaterThan(100);
  expect(batch.begun.filter(({ log }) => log).length).toBe(250);
  await store(database.kysely, batch);
  said.sort(comparing('oldest'));
});
afterAll(() => database.close());

async function readAll(filter: FunctionLogFilter, limit: number): Promise<FunctionLogLine[]> {
  const read: FunctionLogLine[] = [];
  for (;;) {
    const page = await listOfFunction(database.kysely, account_id, function_id, filter, { limit, after: read.at(-1) });
    expect(page.length).toBeLessThanOrEqual(limit);
    read.push(...page);
    if (page.length < limit) return read;
  }
}

describe('the lines of a function', () => {
  it.each([
    ['oldest', 17],
    ['newest', 17],
    ['oldest', 1000],
    ['newest', 1000],
  ] as const)('are returned %s first in pages of %i, each once, wherever they are stored', async (order, limit) => {
    expect(await readAll({ order }, limit)).toEqual(order === 'oldest' ? said : said.toReversed());
  });

  it('can be limited to a time range, both ends included, and to a version', async () => {
    const spans = [0, 40, 95, 5000, 5060, 6100];
    for (const version of [undefined, 2])
      for (const [i, from] of spans.entries())
        for (const to of spans.slice(i)) {
          const [from_ms, to_ms] = [START_MS + from, START_MS + to];
          const meant = said.filter(
            (line) => line.at_ms >= from_ms && line.at_ms <= to_ms && (!version || line.version === version),
          );
          expect(await readAll({ order: 'oldest', from_ms, to_ms, version }, 200)).toEqual(meant);
          expect(await readAll({ order: 'newest', from_ms, to_ms, version }, 200)).toEqual(meant.toReversed());
        }
    expect(await readAll({ order: 'newest', from_ms: 8_640_000_000_000_000 }, 10)).toEqual([]);
    expect(await readAll({ order: 'newest', to_ms: 8_640_000_000_000_000 }, 1000)).toEqual(said.toReversed());
  });
});

it('the lines of a run are returned in pages, from its row and from theirs', async () => {
  for (const { row } of RUNS.slice(0, 12)) {
    const [meant, read] = [said.filter(({ run_id }) => run_id === row.run_id), [] as FunctionLogLine[]];
    const { run_id, version } = row;
    const run = await database.kysely
      .selectFrom('runs')
      .selectAll()
      .where('run_id', '=', run_id)
      .executeTakeFirstOrThrow();
    for (;;) {
      const page = { limit: 2, after: read.at(-1)?.seq };
      const lines = await runLogs.list(database.kysely, account_id, run, {}, page);
      read.push(...lines.map((line) => ({ ...line, run_id, version })));
      if (lines.length < 2) break;
    }
    expect(read).toEqual(meant.toSorted((a, b) => a.seq - b.seq));
    const from_ms = msOf(run_id) + 50;
    const late = await runLogs.list(database.kysely, account_id, run, { from_ms }, { limit: 100 });
    expect(late.map(({ seq }) => seq)).toEqual(read.filter(({ at_ms }) => at_ms >= from_ms).map(({ seq }) => seq));
  }
});

it('a reader that follows a function receives new lines, each once', async () => {
  const since_ms = START_MS + 5040;
  const followed = await runLogs.runsToFollow(database.kysely, account_id, function_id, { since_ms }, 2000);
  const read = await runLogs.linesAfter(database.kysely, account_id, followed, 500);
  const keyOf = ({ run_id, seq }: { run_id: string; seq: number }) => `${run_id} ${seq}`;
  const meant = said.filter(({ at_ms }) => at_ms >= since_ms);
  expect(read.map(keyOf)).toEqual(meant.map(keyOf));
});
