import { CAPTURE } from '../../../contract/limits.ts';
import type { Upstream } from '../../connections/upstream/upstream.ts';
import { namesOfPlaces, type Secrets } from './mask.ts';

/** The first bytes of a body. */
export class CapturedBytes {
  /** Of the whole body. */
  bytes = 0;
  readonly #chunks: Buffer[] = [];
  #kept = 0;

  /** Copies: the buffer of a chunk may be reused. */
  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    const room = CAPTURE.bodyBytes - this.#kept;
    if (room <= 0) return;
    const part = Buffer.from(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#chunks.push(part);
    this.#kept += part.length;
  }

  clear(): void {
    this.bytes = 0;
    this.#kept = 0;
    this.#chunks.length = 0;
  }

  get isCut(): boolean {
    return this.bytes > this.#kept;
  }

  whole(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

export type SentRequest = { method: string; path: string; headers: readonly string[]; secrets: Secrets };
export type ReceivedResponse = { status: number; reason: string; headers: readonly string[] };

/** The request and the response of a call in flight, as sent and as received. */
export class Capture {
  readonly requestBody = new CapturedBytes();
  readonly responseBody = new CapturedBytes();
  sent: SentRequest | undefined;
  received: ReceivedResponse | undefined;

  /** `path`: native, as the caller sent it; `headers`: alternating names and values. A repeated request replaces it. */
  request(method: string, path: string, headers: readonly string[], upstream: Upstream): void {
    this.requestBody.clear();
    this.sent = { method, path, headers: [...headers], secrets: secretsOf(upstream) };
  }

  response(status: number, reason: string, headers: readonly string[]): void {
    this.received = { status, reason, headers: [...headers] };
  }
}

/** The credentials of a connection, and their places. */
function secretsOf({ headers, query, replaced, keyPlaces }: Upstream): Secrets {
  const sent = [...headers.filter((_, i) => i % 2 === 1), ...query.map(([, value]) => value)];
  const values = sent.flatMap((value) => [value, ...value.split(/[\s,;="]+/), ...basicParts(value)]);
  return {
    // Longest first: a part of a credential must not be masked before the whole.
    values: [...new Set(values)].filter((value) => value !== '').sort((a, b) => b.length - a.length),
    names: new Set([...replaced, ...namesOfPlaces(keyPlaces), ...query.map(([name]) => name)]),
  };
}

function basicParts(value: string): string[] {
  const [, encoded] = /^basic\s+([A-Za-z0-9+/=]+)$/i.exec(value) ?? [];
  if (encoded === undefined) return [];
  const pair = Buffer.from(encoded, 'base64').toString();
  const colon = pair.indexOf(':');
  return colon < 0 ? [pair] : [pair, pair.slice(colon + 1)];
}
