import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { callAddress, invoke, makeFunction, PATIENTLY } from './functions-support.ts';
import { openTail } from './tail-support.ts';

type Page = Reply<'functionLogList'>;

/** Logs its name before, between and after awaiting, so that lines of concurrent runs interleave. */
const CODE = `export default { async fetch(request) {
  const who = new URL(request.url).searchParams.get('who') ?? 'missing';
  for (let i = 0; i < 8; i++) {
    console.log(who, i);
    await new Promise((go) => setTimeout(go, Math.random() * 4));
  }
  console.error(JSON.stringify({ who, level: 'error' }));
  return new Response('ok');
} };`;

const service = serviceForAll();
const fn = forAll(() => makeFunction(service, CODE, { invoke_access: 'ANYONE', visibility: 'UNLISTED' }));

const read = (query: Record<string, string> = {}, of = fn) =>
  service.api<Page & { message: string }>('GET', `/functions/${of.function_id}/logs?${new URLSearchParams(query)}`);

async function readAll(query: Record<string, string> = {}): Promise<Page['events']> {
  const events: Page['events'] = [];
  let next: string | null = null;
  do {
    const { status, body } = await read({ ...query, ...(next ? { next_token: next } : {}) });
    expect(status, JSON.stringify(body)).toBe(200);
    events.push(...body.events);
    next = body.next_token;
  } while (next);
  return events;
}

const keyOf = ({ run_id, seq }: Page['events'][number]) => `${run_id}:${seq}`;
const RUNS = 50;

/** Makes this many runs, at most twenty at once: a rejected call is repeated. */
async function callMany(prefix: string): Promise<void> {
  const call = async (index: number): Promise<void> => {
    const { status } = await callAddress(service, fn.url, { path: `/?who=${prefix}${index}` });
    if (status === 429) return call(index);
    expect(status).toBe(200);
  };
  await Promise.all(Array.from({ length: RUNS }, (_, index) => call(index)));
}

describe('the log of a function', () => {
  it('separates the lines of fifty concurrent callers, in the order of time', async () => {
    await callMany('a');
    await expect
      .poll(async () => (await readAll({ filter_pattern: 'REPORT', limit: '1000' })).length, PATIENTLY)
      .toBe(RUNS);
    const events = await readAll({ limit: '1000' });
    const byRun = Map.groupBy(events, ({ run_id }) => run_id);
    expect(byRun.size).toBe(RUNS);
    for (const [run_id, lines] of byRun) {
      expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index));
      const said = lines.slice(1, -3).map(({ message }) => message.split(' ')[0]);
      expect(new Set(said).size).toBe(1);
      expect(lines.slice(1, 9).map(({ message }) => message)).toEqual(
        [0, 1, 2, 3, 4, 5, 6, 7].map((i) => `${said[0]} ${i}`),
      );
      expect(lines[0]?.message).toContain(run_id);
    }
    const times = events.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('is paged without gaps, from either end, filtered or not', async () => {
    for (const filter of [{}, { filter_pattern: '{ $.level = "error" }' }, { filter_pattern: 'a1 -a11' }]) {
      const whole = (await readAll({ ...filter, limit: '1000' })).map(keyOf);
      expect(whole.length).toBeGreaterThan(7);
      expect((await readAll({ ...filter, limit: '7' })).map(keyOf)).toEqual(whole);
      expect((await readAll({ ...filter, limit: '7', order: 'newest' })).map(keyOf)).toEqual(whole.toReversed());
    }
  });

  it('can show all lines, each with whether it matches, and where', async () => {
    const all = await readAll({ limit: '1000', show: 'all', filter_pattern: '"a7 3"' });
    expect(all.length).toBe((await readAll({ limit: '1000' })).length);
    const matching = all.filter(({ matches }) => matches);
    expect(matching).toMatchObject([{ message: 'a7 3', marks: [[0, 4]] }]);
    expect(await readAll({ filter_pattern: '"a7 3"' })).toMatchObject([{ message: 'a7 3', marks: [[0, 4]] }]);
  });

  it('can be filtered by a minimum level, also in the tail', async () => {
    const grave = await makeFunction(
      service,
      `export default { fetch() {
        console.debug('a debug'); console.log('an info'); console.warn('a warn'); console.error('an error');
        console.log(JSON.stringify({ level: 50, n: 1 })); console.log(JSON.stringify({ level: 'debug', n: 2 }));
        return new Response();
      } };`,
    );
    const tail = await openTail(service, grave, { level: 'error' });
    await tail.hello();
    const { run_id } = await invoke(service, grave);
    const said = async (query: Record<string, string>) =>
      (await read({ ...query, limit: '1000' }, grave)).body.events.map(({ message }) => message);
    const errors = ['an error', '{"level":50,"n":1}'];
    expect(await said({ level: 'error' })).toEqual(errors);
    expect(await said({ level: 'warn', show: 'all', filter_pattern: 'error' })).toEqual(['a warn', ...errors]);
    expect(await said({ level: 'error', filter_pattern: '{ $.n = 1 }', order: 'newest' })).toEqual(errors.slice(1));
    expect(await said({ level: 'info' })).toHaveLength((await said({})).length - 2);
    expect(await said({ level: 'debug' })).toEqual(await said({}));
    await tail.until((lines) => lines.length === errors.length);
    expect(tail.lines.map((line) => [line.run_id, line.message])).toEqual(errors.map((each) => [run_id, each]));
    await tail.close();
    expect((await read({ level: 'fatal' }, grave)).body.message).toMatch(/^level: expected one of/);
  });

  it('can be limited to a time range, both ends included, and to a version', async () => {
    const events = await readAll({ limit: '1000' });
    const middle = events[Math.floor(events.length / 2)]?.timestamp ?? 0;
    const until = await readAll({ limit: '1000', end_time: String(middle) });
    const from = await readAll({ limit: '1000', start_time: String(middle + 1) });
    expect([...until, ...from].map(keyOf)).toEqual(events.map(keyOf));
    expect((await read({ start_time: '2', end_time: '1' })).body.message).toMatch(/^end_time: /);
    expect((await readAll({ version: '1', limit: '1000' })).length).toBe(events.length);
    expect(await readAll({ version: '2' })).toEqual([]);
    expect((await read({ filter_pattern: '"open' })).body.message).toMatch(/^filter_pattern: .*at character 1/);
    const { next_token } = (await read({ limit: '4' })).body;
    expect((await read({ order: 'newest', next_token: next_token ?? '' })).status).toBe(400);
  });

  it('has the lines of a run before it threw, hung, ended its process or used all memory', async () => {
    const mortal = await makeFunction(
      service,
      `export default { fetch(request) {
        const { pathname } = new URL(request.url);
        console.log('before ' + pathname);
        if (pathname === '/throw') throw new Error('thrown on purpose');
        if (pathname === '/hang') for (;;);
        if (pathname === '/exit') Deno.exit(3);
        const kept = []; for (;;) kept.push(new Array(1e6).fill(pathname));
      } };`,
      { timeout_seconds: 2 },
    );
    for (const path of ['/throw', '/hang', '/exit', '/memory']) {
      const run = await invoke(service, mortal, { path });
      expect(run.status).not.toBe('OK');
      const { events } = (await read({ filter_pattern: `"before ${path}"` }, mortal)).body;
      expect(events.map(({ run_id }) => run_id)).toEqual([run.run_id]);
    }
  });

  it('shows where it was truncated when a run logs too much', async () => {
    const loud = await makeFunction(
      service,
      'export default { fetch() { for (let i = 0; i < 40000; i++) console.log(i); return new Response(); } };',
    );
    const run = await invoke(service, loud);
    const { events } = (await read({ order: 'newest', limit: '4' }, loud)).body;
    expect(events.map(({ message }) => message.split(' ')[0])).toEqual(['REPORT', 'END', 'Log', expect.any(String)]);
    expect(events[2]).toMatchObject({
      run_id: run.run_id,
      level: 'warn',
      message: expect.stringMatching(/^Log truncated: /),
    });
  });
});

describe('the tail of a function’s log', () => {
  it('has every line of fifty callers, once, in order within each run', async () => {
    const tail = await openTail(service, fn);
    await tail.hello();
    await callMany('b');
    await tail.until((lines) => lines.filter(({ message }) => message.startsWith('REPORT')).length === RUNS);
    const kept = await readAll({ limit: '1000', filter_pattern: '?b ?START ?END ?REPORT' });
    const runs = new Set(tail.lines.map(({ run_id }) => run_id));
    const mine = kept.filter(({ run_id }) => runs.has(run_id)).map(keyOf);
    expect(tail.lines.map(keyOf).toSorted()).toEqual(mine.toSorted());
    for (const lines of Map.groupBy(tail.lines, ({ run_id }) => run_id).values())
      expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index));
    await tail.close();
  });

  it('has a line while its run is in progress', async () => {
    const slow = await makeFunction(
      service,
      `export default { async fetch() {
        console.log('first'); await new Promise((go) => setTimeout(go, 60_000)); return new Response();
      } };`,
      { timeout_seconds: 90 },
    );
    const tail = await openTail(service, slow);
    await tail.hello();
    const gone = new AbortController();
    const call = callAddress(service, slow.url, {
      headers: { authorization: `Bearer ${service.key}` },
      signal: gone.signal,
    }).catch(() => null);
    await tail.until((lines) => lines.some(({ message }) => message === 'first'));
    expect(tail.lines.map(({ message }) => message.split(' ')[0])).toEqual(['START', 'first']);
    void gone.abort();
    await call;
    await tail.close();
  });

  it('accepts a pattern and a version, and rejects invalid ones before it opens', async () => {
    const tail = await openTail(service, fn, { filter_pattern: '{ $.who = "c*" }', version: '1' });
    const other = await openTail(service, fn, { version: '7' });
    await Promise.all([tail.hello(), other.hello()]);
    await invoke(service, fn, { query: { who: 'd1' } });
    const run = await invoke(service, fn, { query: { who: 'c1' } });
    await tail.until((lines) => lines.length > 0);
    expect(tail.lines).toMatchObject([{ run_id: run.run_id, version: 1, seq: 9, level: 'error' }]);
    expect(other.lines).toEqual([]);
    await Promise.all([tail.close(), other.close()]);
    const refused = await service.api<{ message: string }>(
      'GET',
      `/functions/${fn.function_id}/logs:tail?filter_pattern=foo-bar`,
    );
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(/^filter_pattern: /);
  });

  it('resumes after a broken connection, and can start in the past', async () => {
    const tail = await openTail(service, fn);
    await tail.hello();
    await invoke(service, fn, { query: { who: 'e1' } });
    await tail.until((lines) => lines.some(({ message }) => message.startsWith('REPORT')));
    await tail.close();
    const missed = await invoke(service, fn, { query: { who: 'e2' } });
    const again = await openTail(service, fn, {}, tail.lastId);
    await again.until((lines) =>
      lines.some(({ run_id, message }) => run_id === missed.run_id && /^REPORT/.test(message)),
    );
    const lines = again.lines.filter(({ run_id }) => run_id === missed.run_id);
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index));
    expect(lines).toHaveLength(12);
    await again.close();
    const started = lines[0]?.timestamp ?? 0;
    const past = await openTail(service, fn, { start_time: String(started) });
    await past.until((got) => got.some(({ run_id, message }) => run_id === missed.run_id && /^REPORT/.test(message)));
    expect(past.lines.every(({ timestamp }) => timestamp >= started)).toBe(true);
    await past.close();
  });

  it('reports when it cannot start that far in the past', async () => {
    const tail = await openTail(service, fn, { start_time: '1' });
    await tail.untilEvent('gap');
    await tail.close();
  });
});
