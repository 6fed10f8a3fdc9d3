import { expect, it } from 'vitest';
import type { Feed } from '../lib/feed.ts';
import type { Ctx } from '../platform/context.ts';
import { createStreams, type FeedOptions } from './stream.ts';

const ctx = { account_id: 'account' } as Ctx;
const options: FeedOptions = {
  isAuthorized: async () => true,
  left: new AbortController().signal,
  errorBodyOf: undefined,
};
async function* messages(): AsyncGenerator<{ event: string; data: unknown }> {
  yield { event: 'hit', data: 1 };
}

/** A feed that opens when `finish` is called. */
function slowFeed() {
  const { promise, resolve } = Promise.withResolvers<Feed>();
  const signals: AbortSignal[] = [];
  const open = (signal: AbortSignal) => {
    signals.push(signal);
    return promise;
  };
  return { open, signals, finish: () => resolve(messages()) };
}

it('a feed that opens while the service stops is aborted, and its caller gets 503', async () => {
  const streams = createStreams(50);
  const feed = slowFeed();
  const response = streams.feed(ctx, feed.open, options);
  streams.close();
  expect(feed.signals[0]?.aborted).toBe(true);
  feed.finish();
  await expect(response).rejects.toMatchObject({ status: 503, message: 'The service is stopping.' });
});

it('feeds that are opening count towards the limit of the account', async () => {
  const streams = createStreams(50);
  const feed = slowFeed();
  const open = Array.from({ length: 50 }, () => streams.feed(ctx, feed.open, options));
  await expect(streams.feed(ctx, feed.open, options)).rejects.toMatchObject({ status: 429 });
  feed.finish();
  const responses = await Promise.all(open);
  await Promise.all(responses.map((response) => response.body?.cancel()));
  await (await streams.feed(ctx, feed.open, options)).body?.cancel();
  streams.close();
});
