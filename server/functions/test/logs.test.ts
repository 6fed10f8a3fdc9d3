import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { type Service, startService } from '../../test/service.ts';
import { invoke, makeFunction, type Run } from './functions-support.ts';

let service: Service;
let run: Run;
const CODE = `export default { fetch() {
  for (let i = 0; i < 30; i++) console.log(JSON.stringify({ level: i % 3 ? 'info' : 'error', i }));
  console.warn('plain WARNING');
  return new Response();
} };`;

beforeAll(async () => {
  service = await startService();
  run = await invoke(service, await makeFunction(service, CODE));
});
afterAll(() => service.stop());

const read = (query: Record<string, string> = {}) => {
  const path = `/functions/${run.function_id}/runs/${run.run_id}/logs?${new URLSearchParams(query)}`;
  return service.api<Reply<'runLogList'> & { message: string }>('GET', path);
};
const messages = async (query: Record<string, string>) => (await read(query)).body.events.map(({ message }) => message);

it('are returned oldest first, with time and level', async () => {
  const { events, next_token } = (await read()).body;
  expect(events).toHaveLength(34);
  expect(next_token).toBeNull();
  expect(events[0]?.message).toMatch(/^START RunId: /);
  expect(events.at(-3)).toMatchObject({ message: 'plain WARNING', level: 'warn' });
  const times = events.map(({ timestamp }) => timestamp);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(Number.isInteger(times[0])).toBe(true);
});

it('are paged without gaps, filtered or not', async () => {
  for (const filter of [{}, { filter_pattern: '{ $.level = "error" }' }]) {
    const seen: string[] = [];
    let next: string | null = null;
    do {
      const { body } = await read({ ...filter, limit: '4', ...(next ? { next_token: next } : {}) });
      expect(body.events.length).toBeLessThanOrEqual(4);
      seen.push(...body.events.map(({ message }) => message));
      next = body.next_token;
    } while (next);
    expect(seen).toEqual(await messages(filter));
  }
});

describe('filter_pattern', () => {
  it.each([
    ['{ $.level = "error" && $.i >= 24 }', 2],
    ['WARNING', 1],
    ['?START ?END', 2],
    ['[w1 = plain, w2]', 1],
    ['%"i":2\\d%', 0],
    ['%i..2[0-9]%', 10],
  ])('%s matches %i', async (filter_pattern, count) => {
    const answer = await read({ filter_pattern });
    if (count === 0) expect(answer.status).toBe(400);
    else expect(answer.body.events).toHaveLength(count);
  });

  it('that is invalid is rejected with the position', async () => {
    const { status, body } = await read({ filter_pattern: '{ $.a = 1 && }' });
    expect(status).toBe(400);
    expect(body.message).toMatch(/^filter_pattern: .*at character 14/);
  });
});

it('can be limited to a time range, both ends included', async () => {
  const { events } = (await read()).body;
  const first = events[0]?.timestamp ?? 0;
  const last = events.at(-1)?.timestamp ?? 0;
  expect(await messages({ start_time: String(first), end_time: String(last) })).toHaveLength(34);
  expect(await messages({ start_time: String(last + 1) })).toEqual([]);
  expect(await messages({ end_time: String(first - 1) })).toEqual([]);
  expect((await read({ start_time: '2', end_time: '2' })).status).toBe(200);
  const backwards = await read({ start_time: '2', end_time: '1' });
  expect(backwards.status).toBe(400);
  expect(backwards.body.message).toMatch(/^end_time: /);
});

it('accepts no cursor of another filter', async () => {
  const { next_token } = (await read({ limit: '4' })).body;
  expect((await read({ limit: '4', filter_pattern: 'x', next_token: next_token ?? '' })).status).toBe(400);
});

it('are stored completely, with any content', async () => {
  const code = `export default { fetch() {
    console.log('nul \\0 end'); console.log('lone \\ud800 end'); console.log('two\\nlines'); console.error({ a: 1 });
    return new Response();
  } };`;
  run = await invoke(service, await makeFunction(service, code));
  const lines = await messages({});
  expect(lines).toHaveLength(7);
  expect(lines[1]).toBe('nul \ufffd end');
  expect(lines[3]).toBe('two\nlines');
});
