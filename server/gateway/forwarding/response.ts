import type { Dispatcher } from 'undici';
import { connectionOptions } from '../../connections/upstream/upstream-request.ts';

/** Hop-by-hop headers: the only ones removed from a response. */
const PER_HOP = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);
/** Lengths of these names and of Content-Length: a cheap check before comparing the name. */
const HOP_HEADER_LENGTHS = new Set([...PER_HOP, 'content-length'].map(({ length }) => length));

export type AnswerHeaders = {
  /** Alternating names and values, exactly as the app sent them: order, case, duplicates, bytes. */
  flat: string[];
  /** The app's Content-Length; -1 without one. */
  length: number;
};

/** The app's headers that are forwarded to the caller. */
export function answerHeaders(raw: RawHeaders): AnswerHeaders {
  const flat = flatten(raw);
  let length = -1;
  let connection: string | undefined;
  let kept = 0;
  for (let i = 0; i < flat.length; i += 2) {
    const name = flat[i] ?? '';
    const value = flat[i + 1] ?? '';
    if (HOP_HEADER_LENGTHS.has(name.length)) {
      const lower = name.toLowerCase();
      if (lower === 'connection') connection = value;
      if (PER_HOP.has(lower)) continue;
      if (lower === 'content-length') length = Number(value);
    }
    flat[kept++] = name;
    flat[kept++] = value;
  }
  flat.length = kept;
  const named = connectionOptions(connection);
  return { flat: named ? without(flat, named) : flat, length };
}

function without(flat: string[], names: ReadonlySet<string>): string[] {
  return flat.filter((_, i) => !names.has((flat[i - (i % 2)] ?? '').toLowerCase()));
}

type RawHeaders = Dispatcher.DispatchController['rawHeaders'];

/** undici passes HTTP/1 headers as a flat list of bytes. Other forms are for HTTP/2, which is disabled. */
export function flatten(raw: RawHeaders): string[] {
  if (!Array.isArray(raw)) return [];
  return raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
}
