/**
 * Files that are written while the client downloads them. A complete file ends with its response. After a failure the
 * file gets a last line with the error, and then the connection closes without the end of the response, so that every
 * client reports an incomplete download.
 */
import { EXPORTS_AT_ONCE } from '../../contract/limits.ts';
import { Failure } from '../lib/failure.ts';
import type { FileFeed } from '../lib/feed.ts';
import { createAccountSlots } from '../lib/shares/account-slots.ts';
import type { Ctx } from '../platform/context.ts';

const CHECK_MS = 15_000;
/** A client that accepts nothing for this long is disconnected. */
const STALLED_MS = 300_000;
/** Time for the line with the error to be sent. */
const LAST_LINE_MS = 1_000;

export type FileStreams = {
  /** Responds with a verb's file, with backpressure. Errors of the verb are thrown before the response begins. */
  open(
    ctx: Pick<Ctx, 'account_id'>,
    open: (signal: AbortSignal) => Promise<FileFeed>,
    options: FileOptions,
  ): Promise<Response>;
  /** Ends all files as incomplete and rejects new ones, so that the server can stop. */
  close(): void;
};

export type FileOptions = {
  /** Called at intervals: a revoked key or an ended session ends its downloads. */
  isAuthorized: () => Promise<boolean>;
  /** Aborts when the caller disconnects. */
  left: AbortSignal;
  /** Whether only the headers are wanted. */
  headersOnly: boolean;
  errorBodyOf: (error: unknown) => unknown;
  /** Closes the connection: once what is written has been sent, or at once. */
  cut: (at: 'sent' | 'once') => void;
};

const stopping = () => new Failure(503, 'The service is stopping.', { headers: { 'Retry-After': '2' } });

export function createFileStreams(): FileStreams {
  const slots = createAccountSlots<AbortController>(EXPORTS_AT_ONCE, 'exports at the same time', 10);
  let closed = false;

  return {
    async open({ account_id }, start, options) {
      if (closed) throw stopping();
      const ending = new AbortController();
      const free = slots.take(account_id, ending);
      try {
        const file = await start(AbortSignal.any([ending.signal, options.left]));
        ending.signal.throwIfAborted();
        const headers = {
          'Content-Type': file.type,
          'Content-Disposition': `attachment; filename="${file.name}"`,
          'Cache-Control': 'no-store',
          'X-Accel-Buffering': 'no',
        };
        if (!options.headersOnly) return new Response(streamOf(file, ending, options, free), { headers });
        free();
        return new Response(null, { headers });
      } catch (error) {
        free();
        throw options.left.aborted ? new Failure(400, 'The client disconnected.') : error;
      }
    },
    close() {
      closed = true;
      for (const ending of slots.all()) ending.abort(stopping());
    },
  };
}

const encoder = new TextEncoder();

function streamOf(
  { parts, errorText }: FileFeed,
  ending: AbortController,
  { isAuthorized, left, errorBodyOf, cut }: FileOptions,
  free: () => void,
) {
  const reader = parts[Symbol.asyncIterator]();
  /** Since when the client has accepted nothing; undefined while a part is being read. */
  let acceptedMs: number | undefined = performance.now();
  let failed = false;
  let canceled = false;
  const check = setInterval(() => {
    if (acceptedMs !== undefined && performance.now() - acceptedMs > STALLED_MS) cut('once');
    else void isAuthorized().then((may) => may || ending.abort(new Failure(401, 'The API key or session ended.')));
  }, CHECK_MS);
  let last: NodeJS.Timeout | undefined;
  // The client may accept nothing more.
  ending.signal.addEventListener('abort', () => {
    last = setTimeout(() => cut('once'), LAST_LINE_MS);
  });
  const end = () => {
    clearInterval(check);
    clearTimeout(last);
    free();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        acceptedMs = undefined;
        // Called again: the line with the error was accepted.
        if (failed) return cut('sent');
        try {
          const { done, value } = await reader.next();
          ending.signal.throwIfAborted();
          if (!done) return controller.enqueue(encoder.encode(value));
          end();
          controller.close();
        } catch (error) {
          if (canceled || left.aborted) return;
          failed = true;
          controller.enqueue(encoder.encode(errorText(errorBodyOf(error))));
        } finally {
          acceptedMs = performance.now();
        }
      },
      cancel() {
        canceled = true;
        ending.abort();
        end();
      },
    },
    { highWaterMark: 0 },
  );
}
