import type { Dispatcher } from 'undici';
import { connectionOptions } from '../services/upstream-request.ts';

/** The only headers that are taken from an answer: they are about the connection it came on. */
const PER_HOP = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

export type AnswerHeaders = {
  /** Names and values in turn, as the app sent them: order, case, duplicates, bytes. */
  flat: string[];
  /** The length the app announced, -1 when it didn't. */
  length: number;
};

/** What of an app's headers goes back to the caller. */
export function answerHeaders(raw: RawHeaders): AnswerHeaders {
  const all = flatten(raw);
  let connection: string | undefined;
  for (let i = 0; i < all.length; i += 2) {
    if (all[i]?.length === 10 && all[i]?.toLowerCase() === 'connection') connection = all[i + 1];
  }
  const perHop = connectionOptions(connection);
  const flat: string[] = [];
  let length = -1;
  for (let i = 0; i < all.length; i += 2) {
    const name = all[i] ?? '';
    const value = all[i + 1] ?? '';
    const lower = name.toLowerCase();
    if (PER_HOP.has(lower) || perHop?.has(lower)) continue;
    if (lower === 'content-length') length = Number(value);
    flat.push(name, value);
  }
  return { flat, length };
}

type RawHeaders = Dispatcher.DispatchController['rawHeaders'];

/** undici hands over the bytes of HTTP/1 headers in turn; other forms are HTTP/2's, which is switched off. */
export function flatten(raw: RawHeaders): string[] {
  if (!Array.isArray(raw)) return [];
  return raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
}
