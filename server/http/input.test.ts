import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readBody } from './input.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a body that drips for a minute is abandoned', async () => {
  const drip = Object.assign(new PassThrough(), { headers: { 'transfer-encoding': 'chunked' }, method: 'POST' });
  const timer = setInterval(() => drip.write(' '), 1000);
  const outcome = readBody(drip, 'sessionCreate', '/api/session').catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(61_000);
  clearInterval(timer);
  expect(await outcome).toMatchObject({ status: 408, message: expect.stringMatching(/^body: /) });
  expect(drip.listenerCount('data')).toBe(0);
});
