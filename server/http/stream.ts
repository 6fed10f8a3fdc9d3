/** Event streams: live changes, one stream per tab with batches and ids of platform/live.ts, and feeds of verbs. */
import { LIVE_EVENTS, SEARCH_EVENTS } from '../../contract/live.ts';
import { Failure } from '../lib/failure.ts';
import type { Feed } from '../lib/feed.ts';
import type { Ctx } from '../platform/context.ts';
import type { LiveBatch } from '../platform/live.ts';

const HEARTBEAT_MS = 15_000;
const STREAMS_PER_ACCOUNT = 50;
/** A tab this far behind gets a resync. */
const MOST_WAITING_BYTES = 1024 * 1024;
/** Bytes that a feed produces ahead of the reader. */
const FEED_AHEAD_BYTES = 64 * 1024;

export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

export type Streams = {
  /** `isAuthorized` is called at every heartbeat: a revoked key or an ended session ends its streams. */
  open(ctx: Ctx, lastId: string | undefined, isAuthorized: () => Promise<boolean>): Response;
  /** Streams a verb's feed, with backpressure. Errors of the verb are thrown before the stream opens. */
  feed(ctx: Ctx, open: (signal: AbortSignal) => Promise<Feed>, options: FeedOptions): Promise<Response>;
  /** Ends all streams and rejects new ones, so that the server can stop. Tabs reconnect. */
  close(): void;
};

export type FeedOptions = {
  isAuthorized: () => Promise<boolean>;
  /** Aborts when the caller disconnects before the stream is open. */
  left: AbortSignal;
  /** Error body for a failure after the first byte. Without it, the reader reconnects with the last id. */
  errorBodyOf: ((error: unknown) => unknown) | undefined;
};

export function createStreams(): Streams {
  const closers = new Map<string, Set<() => void>>();
  let closed = false;

  const retry = (seconds: number) => ({ headers: { 'Retry-After': String(seconds) } });
  const stopping = () => new Failure(503, 'The service is stopping.', retry(2));

  function closersOf({ account_id }: Ctx): Set<() => void> {
    if (closed) throw stopping();
    const mine = closers.get(account_id) ?? new Set();
    closers.set(account_id, mine);
    if (mine.size >= STREAMS_PER_ACCOUNT) {
      throw new Failure(429, `Expected at most ${STREAMS_PER_ACCOUNT} open streams.`, retry(30));
    }
    return mine;
  }

  return {
    open(ctx, lastId, isAuthorized) {
      return new Response(streamOf(ctx, lastId, isAuthorized, closersOf(ctx)), { headers: STREAM_HEADERS });
    },
    async feed(ctx, open, options) {
      const mine = closersOf(ctx);
      const gone = new AbortController();
      const abort = () => gone.abort();
      // A stream that is opening counts, and `close` ends it.
      mine.add(abort);
      try {
        const feed = await open(AbortSignal.any([gone.signal, options.left]));
        if (closed) throw stopping();
        return new Response(streamOfFeed(feed, gone, options, mine), { headers: STREAM_HEADERS });
      } catch (error) {
        throw closed ? stopping() : error;
      } finally {
        mine.delete(abort);
      }
    },
    close() {
      closed = true;
      for (const close of [...closers.values()].flatMap((each) => [...each])) close();
    },
  };
}

function streamOf(
  ctx: Ctx,
  lastId: string | undefined,
  isAuthorized: () => Promise<boolean>,
  closers: Set<() => void>,
) {
  let ended = false;
  let end: (close: boolean) => void = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (text: string) => {
          if (ended) return;
          if ((controller.desiredSize ?? 0) < -MOST_WAITING_BYTES) end(true);
          else controller.enqueue(encoder.encode(text));
        };
        const sendBatch = ({ id, changes, resync }: LiveBatch) =>
          send(resync ? message(LIVE_EVENTS.resync, {}, id) : message(LIVE_EVENTS.change, changes, id));
        const subscription = ctx.live.subscribe(ctx.account_id, lastId, sendBatch);
        const heartbeat = setInterval(() => {
          send(': still here\n\n');
          void isAuthorized().then((may) => may || end(true));
        }, HEARTBEAT_MS);
        const close = () => end(true);
        closers.add(close);
        end = (alsoClose) => {
          if (ended) return;
          ended = true;
          clearInterval(heartbeat);
          subscription.stop();
          closers.delete(close);
          if (alsoClose) controller.close();
        };
        send(`retry: 1000\n${message(LIVE_EVENTS.hello, {}, subscription.at)}`);
        if (subscription.missed === null) send(message(LIVE_EVENTS.resync, {}, subscription.at));
        else for (const batch of subscription.missed) sendBatch(batch);
      },
      cancel: () => end(false),
    },
    { highWaterMark: 0, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}

function streamOfFeed(
  feed: Feed,
  gone: AbortController,
  { isAuthorized, errorBodyOf }: FeedOptions,
  closers: Set<() => void>,
) {
  const messages = feed[Symbol.asyncIterator]();
  let end: (close: boolean) => void = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const heartbeat = setInterval(() => {
          if ((controller.desiredSize ?? 0) > -MOST_WAITING_BYTES)
            controller.enqueue(encoder.encode(': still here\n\n'));
          void isAuthorized().then((may) => may || end(true));
        }, HEARTBEAT_MS);
        const close = () => end(true);
        closers.add(close);
        end = (alsoClose) => {
          if (gone.signal.aborted) return;
          gone.abort();
          clearInterval(heartbeat);
          closers.delete(close);
          if (alsoClose) controller.close();
        };
        controller.enqueue(encoder.encode('retry: 1000\n\n'));
      },
      async pull(controller) {
        try {
          const { done, value } = await messages.next();
          if (gone.signal.aborted) return;
          if (done) end(true);
          else controller.enqueue(encoder.encode(message(value.event, value.data, value.id)));
        } catch (error) {
          if (gone.signal.aborted) return;
          if (errorBodyOf) controller.enqueue(encoder.encode(message(SEARCH_EVENTS.error, errorBodyOf(error))));
          end(true);
        }
      },
      cancel: () => end(false),
    },
    { highWaterMark: FEED_AHEAD_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}

const encoder = new TextEncoder();
const message = (event: string, data: unknown, id?: string) =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
