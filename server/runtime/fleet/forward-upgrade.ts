/** Forwards a WebSocket request into the sandbox: returns a connection, or a plain response. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import type { CancelSignal } from '../cancellation.ts';
import type { RunOptions } from '../watch-run.ts';
import { escaped, type Forwarded, pairsOf, type RunRequest, returned, sentHeaders } from './forward.ts';
import type { Isolate } from './isolate.ts';

/** Resolves with the 101 and its connection, or with any other response of the function. */
export async function forwardUpgrade(
  isolate: Isolate,
  request: RunRequest,
  options: RunOptions,
  caller: CancelSignal,
): Promise<Forwarded> {
  const cut = new AbortController();
  const { signal } = cut;
  if (caller.aborted) cut.abort();
  caller.addEventListener('abort', () => cut.abort());
  const call = httpRequest({
    socketPath: isolate.socketPath,
    method: request.method,
    path: escaped(request.path),
    headers: [...sentHeaders(request, options), 'connection', 'Upgrade', 'upgrade', 'websocket'],
    agent: false,
    signal,
  });
  const agreed = Promise.withResolvers<Forwarded>();
  call.once('upgrade', (answer: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (head.length > 0) socket.unshift(head);
    signal.addEventListener('abort', () => socket.destroy(), { once: true });
    if (signal.aborted) socket.destroy();
    const headers = pairsOf(answer.rawHeaders);
    agreed.resolve({ status: 101, headers, body: Readable.from([]), threw: false, isLast: false, socket });
  });
  call.on('error', agreed.reject);
  call.end();
  const answered = once(call, 'response').then(([answer]: IncomingMessage[]): Promise<Forwarded> | Forwarded =>
    answer
      ? { status: answer.statusCode ?? 500, ...returned(answer.rawHeaders, options), body: answer }
      : agreed.promise,
  );
  answered.catch(() => undefined);
  return Promise.race([agreed.promise, answered]);
}
