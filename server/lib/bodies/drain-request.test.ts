import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FUNCTION_BODY_MAX_BYTES } from '../../../contract/limits.ts';
import { drainRequest } from './drain-request.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function upload(): IncomingMessage {
  const req = new IncomingMessage(new Socket());
  req.headers['transfer-encoding'] = 'chunked';
  drainRequest(req);
  return req;
}

it('a body that continues after the response is drained for 30 seconds', async () => {
  const req = upload();
  req.push('drip');
  await vi.advanceTimersByTimeAsync(29_000);
  expect(req.destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(2000);
  expect(req.destroyed).toBe(true);
});

it('at most the body limit of a function is drained', async () => {
  const req = upload();
  const gone = new Promise((ok) => req.once('close', ok));
  const megabyte = Buffer.alloc(1024 * 1024);
  for (let size = 0; size < FUNCTION_BODY_MAX_BYTES; size += megabyte.length) req.push(megabyte);
  await new Promise(setImmediate);
  expect(req.destroyed).toBe(false);
  req.push('more');
  await gone;
});
