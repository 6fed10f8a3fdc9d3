import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readBody } from './input.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a body that drips for a minute is given up', async () => {
  const canceled = vi.fn();
  let timer: NodeJS.Timeout | undefined;
  const drip = new ReadableStream<Uint8Array>({
    start: (controller) => {
      timer = setInterval(() => controller.enqueue(new TextEncoder().encode(' ')), 1000);
    },
    cancel: () => {
      clearInterval(timer);
      canceled();
    },
  });
  const request = new Request('http://localhost/api/session', { method: 'POST', body: drip, duplex: 'half' });
  const outcome = readBody(request, 'sessionCreate').catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(await outcome).toMatchObject({ status: 408, message: expect.stringMatching(/^body: /) });
  expect(canceled).toHaveBeenCalledOnce();
});
