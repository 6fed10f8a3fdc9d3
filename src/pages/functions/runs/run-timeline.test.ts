import { expect, it } from 'vitest';
import type { GatewayCall, LogEvent, Run } from '../../../api/entities.ts';
import { timelineOf } from './run-timeline.ts';

const AT = '2026-03-01T10:00:00.000000Z';
const run: Run = {
  run_id: 'r',
  function_id: 'f',
  version: 1,
  request: {
    method: 'GET',
    raw_path: '/',
    path: '/',
    raw_query_string: '',
    query_params: {},
    headers: {},
    cookies: [],
    body: '',
    is_base64_encoded: false,
    source_ip: '127.0.0.1',
    user_agent: '',
    protocol: 'HTTP/1.1',
    host: 'f',
    label: 'f',
  },
  response: { status: 200, headers: {}, body: '' },
  created_at: AT,
  started_at: AT,
  ended_at: AT,
  status: 'OK',
  duration_ms: 100,
  timing: { start: 'SPARE', ready_ms: 4, loaded_ms: 20, answer_ms: 90 },
  error: null,
  caller: null,
  key_id: null,
  key_name: null,
  cause: null,
};
const line = (after: number, level: LogEvent['level'] = 'info'): LogEvent => ({
  timestamp: Date.parse(AT) + 7 + after,
  level,
  message: '',
});
const call: GatewayCall = {
  call_id: 'c',
  at: new Date(Date.parse(AT) + 7 + 30).toISOString(),
  connection_id: 'x',
  app: 'github',
  run_id: 'r',
  key_id: null,
  key_name: null,
  method: 'GET',
  path: '/user',
  status: 502,
  duration_ms: 200,
  request_bytes: 0,
  response_bytes: 0,
  error: null,
  request_id: null,
};

it('places phases end to end, and calls at their times', () => {
  const { spans = [] } = timelineOf(run, [call], [line(0)]) ?? {};
  expect(spans.map(({ name, from, to, look }) => [name, from, to, look])).toEqual([
    ['Prewarmed start', 0, 4, 'quiet'],
    ['Loading the code', 4, 20, 'load'],
    ['Handler', 20, 90, 'work'],
    ['GET github /user', 30, 100, 'bad'],
    ['Response', 90, 100, 'quiet'],
  ]);
});

it('counts from the first line, and merges lines of one moment under the highest level', () => {
  const { ticks = [] } = timelineOf(run, [], [line(0), line(50), line(50, 'error'), line(50), line(500)]) ?? {};
  expect(ticks).toEqual([
    { at: 0, level: 'info' },
    { at: 0.5, level: 'error' },
    { at: 1, level: 'info' },
  ]);
});

it('returns nothing for a run in progress, and a plain timeline without process data', () => {
  expect(timelineOf({ ...run, duration_ms: null, timing: null }, [], [])).toBeUndefined();
  const bare = timelineOf({ ...run, status: 'ERROR', timing: null }, [], []);
  expect(bare?.spans).toEqual([{ key: 'handler', name: 'Handler', from: 0, to: 100, look: 'bad' }]);
});
