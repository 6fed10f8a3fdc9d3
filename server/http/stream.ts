/** Event streams: live changes, one stream per tab with batches and ids of platform/live.ts, and feeds of verbs. */
import { LIVE_EVENTS, SEARCH_EVENTS } from '../../contract/live.ts';
import { Failure } from '../lib/failure.ts';
import type { Feed } from '../lib/feed.ts';
import { createAccountSlots } from '../lib/shares/account-slots.ts';
import type { Ctx } from '../platform/context.ts';
import type { LiveBatch } from '../platform/live.ts';

const HEARTBEAT_MS = 15_000;
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

/** `perAccount`: streams that one account may have open. */
export function createStreams(perAccount: number): Streams {
  const slots = createAccountSlots<() => void>(perAccount, 'open event streams', 30);
  let closed = false;

  const stopping = () => new Failure(503, 'The service is stopping.', { headers: { 'Retry-After': '2' } });
  /** Takes a slot of the account for a stream that `close` ends; returns the function that frees it. */
  const take = ({ account_id }: Ctx, close: () => void) => {
    if (closed) throw stopping();
    return slots.take(account_id, close);
  };

  return {
    open(ctx, lastId, isAuthorized) {
      return new Response(
        streamOf(ctx, lastId, isAuthorized, (close) => take(ctx, close)),
        { headers: STREAM_HEADERS },
      );
    },
    async feed(ctx, open, options) {
      const gone = new AbortController();
      // A stream that is opening counts, and `close` ends it.
      let close = () => gone.abort();
      const free = take(ctx, () => close());
      try {
        const feed = await open(AbortSignal.any([gone.signal, options.left]));
        if (closed) throw stopping();
        const onClose = (end: () => void) => {
          close = end;
        };
        return new Response(streamOfFeed(feed, gone, options, { onClose, free }), { headers: STREAM_HEADERS });
      } catch (error) {
        free();
        throw closed ? stopping() : error;
      }
    },
    close() {
      closed = true;
      for (const close of slots.all()) close();
    },
  };
}

function streamOf(
  ctx: Ctx,
  lastId: string | undefined,
  isAuthorized: () => Promise<boolean>,
  take: (close: () => void) => () => void,
) {
  let ended = false;
  let end: (close: boolean) => void = () => {};
  const free = take(() => end(true));
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
        end = (alsoClose) => {
          if (ended) return;
          ended = true;
          clearInterval(heartbeat);
          subscription.stop();
          free();
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
  { onClose, free }: { onClose: (end: () => void) => void; free: () => void },
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
        onClose(() => end(true));
        end = (alsoClose) => {
          if (gone.signal.aborted) return;
          gone.abort();
          clearInterval(heartbeat);
          free();
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
