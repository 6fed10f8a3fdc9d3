/**
 * The response of an app as a feed. Text is passed on as it arrives; what arrives while the client reads slowly is
 * merged into one message, so the feed holds no more than the response itself. Encoded and binary bodies are counted,
 * and are in the complete reply.
 */
import { StringDecoder } from 'node:string_decoder';
import { APP_STREAM_MAX_MS } from '../../contract/limits.ts';
import { type AppResponseData, type AppResponseHead, REQUEST_EVENTS } from '../../contract/live.ts';
import type { Reply } from '../../contract/operations.ts';
import { headerOf } from '../../contract/text/header-of.ts';
import type { Feed, FeedMessage } from '../lib/feed.ts';
import type { ResponseWatcher } from './upstream/upstream-call.ts';

export type SendWatched = (watcher?: ResponseWatcher) => Promise<Reply<'connectionRequest'>>;

/** Sends the request at once. `signal` aborts it. */
export async function* responseFeed(send: SendWatched, signal: AbortSignal): Feed & AsyncGenerator<FeedMessage> {
  let head: AppResponseHead | undefined;
  let data: AppResponseData | undefined;
  let bytes = 0;
  let decoder: StringDecoder | undefined;
  let wake = Promise.withResolvers<void>();
  const reply = send({
    signal,
    streamMs: APP_STREAM_MAX_MS,
    // Called again if the credentials were refreshed after a 401.
    onResponse(answer) {
      head = { status: answer.status, reason: answer.reason, headers: answer.headers };
      data = undefined;
      bytes = 0;
      decoder = isPlainText(answer.headers) ? new StringDecoder('utf8') : undefined;
      wake.resolve();
    },
    onData(chunk) {
      bytes += chunk.length;
      data = { text: (data?.text ?? '') + (decoder?.write(chunk) ?? ''), bytes };
      wake.resolve();
    },
  });
  let hasEnded = false;
  // A rejection is thrown below.
  reply
    .catch(() => {})
    .finally(() => {
      hasEnded = true;
      wake.resolve();
    });
  while (!hasEnded) {
    await wake.promise;
    wake = Promise.withResolvers();
    if (head) yield { event: REQUEST_EVENTS.response, data: head };
    head = undefined;
    if (data && !hasEnded) {
      const arrived = data;
      data = undefined;
      yield { event: REQUEST_EVENTS.data, data: arrived };
    }
  }
  yield { event: REQUEST_EVENTS.done, data: await reply };
}

function isPlainText(headers: AppResponseHead['headers']): boolean {
  const isEncoded = /[^\s,]/.test((headerOf(headers, 'content-encoding') ?? '').replaceAll(/identity/gi, ''));
  return !isEncoded && /^text\/|json|xml|yaml|javascript/i.test(headerOf(headers, 'content-type') || 'text/plain');
}
