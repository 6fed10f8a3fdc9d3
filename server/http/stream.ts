/** The live streams: one a tab. Their batches and ids come from lib/live.ts. */
import { LIVE_EVENTS } from '../../contract/live.ts';
import { Failure } from '../lib/failure.ts';
import type { LiveBatch } from '../lib/live.ts';
import type { Ctx } from '../services/context.ts';

const HEARTBEAT_MS = 15_000;
const STREAMS_PER_ACCOUNT = 50;
/** A tab this far behind is told to read again. */
const MOST_WAITING_BYTES = 1024 * 1024;

export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

export type Streams = {
  /** `stillMay` is asked at every heartbeat: a revoked key or an ended session ends its streams too. */
  open(ctx: Ctx, lastId: string | undefined, stillMay: () => Promise<boolean>): Response;
  /** Ends every stream and opens no more, so that the server can stop; the tabs come back by themselves. */
  close(): void;
};

export function createStreams(): Streams {
  const closers = new Map<string, Set<() => void>>();
  let closed = false;

  function open(ctx: Ctx, lastId: string | undefined, stillMay: () => Promise<boolean>): Response {
    const retry = (seconds: number) => ({ headers: { 'Retry-After': String(seconds) } });
    if (closed) throw new Failure(503, 'The service is stopping.', retry(2));
    const mine = closers.get(ctx.account_id) ?? new Set();
    closers.set(ctx.account_id, mine);
    if (mine.size >= STREAMS_PER_ACCOUNT) {
      throw new Failure(429, `Expected at most ${STREAMS_PER_ACCOUNT} open streams.`, retry(30));
    }
    const body = streamOf(ctx, lastId, stillMay, mine);
    return new Response(body, { headers: STREAM_HEADERS });
  }

  return {
    open,
    close() {
      closed = true;
      for (const close of [...closers.values()].flatMap((each) => [...each])) close();
    },
  };
}

function streamOf(ctx: Ctx, lastId: string | undefined, stillMay: () => Promise<boolean>, closers: Set<() => void>) {
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
          void stillMay().then((may) => may || end(true));
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

const encoder = new TextEncoder();
const message = (event: string, data: unknown, id: string) =>
  `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
