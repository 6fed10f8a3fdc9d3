/** A JSON response whose links are rewritten: buffered up to a limit, then sent whole. */
import zlib from 'node:zlib';
import type { LinkRewriter } from './link-rewriter.ts';

/** A longer response is returned unchanged. */
const BODY_MAX_BYTES = 2 * 1024 * 1024;
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;
const DECODERS: Record<string, (bytes: Buffer, options: zlib.ZlibOptions & zlib.BrotliOptions) => Buffer> = {
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
};

export type Head = { status: number; reason: string; flat: string[] };

/** Whether the body of this response is JSON that may be rewritten. */
export function hasJsonLinks(links: LinkRewriter, method: string | undefined, { status, flat }: Head): boolean {
  if (!links.readsJson || method === 'HEAD' || status === 204 || status === 206 || status === 304) return false;
  const encoding = headerOf(flat, 'content-encoding');
  return JSON_TYPE.test(headerOf(flat, 'content-type') ?? '') && (encoding === undefined || encoding in DECODERS);
}

export class JsonLinks {
  readonly head: Head;
  readonly #links: LinkRewriter;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(head: Head, links: LinkRewriter) {
    this.head = head;
    this.#links = links;
  }

  /** Adds a part, of which it keeps a copy; false if the body is too long. */
  add(part: Buffer): boolean {
    this.#chunks.push(Buffer.from(part));
    this.#size += part.length;
    return this.#size <= BODY_MAX_BYTES;
  }

  /** The bytes so far. */
  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** The head and the body with the links rewritten. */
  whole(): { flat: string[]; body: Buffer } {
    const { flat } = this.head;
    const given = this.bytes();
    const decoded = this.#decoded(given);
    const text = decoded?.toString() ?? '';
    const rewritten = decoded?.equals(Buffer.from(text)) ? this.#links.json(text) : text;
    if (decoded === undefined || rewritten === text)
      return { flat: withLength(flat, given.length, false), body: given };
    const body = Buffer.from(rewritten);
    return { flat: withLength(flat, body.length, true), body };
  }

  /** Undefined if the bytes can't be decoded, or expand beyond the limit. */
  #decoded(bytes: Buffer): Buffer | undefined {
    const decode = DECODERS[headerOf(this.head.flat, 'content-encoding') ?? ''];
    try {
      return decode ? decode(bytes, { maxOutputLength: BODY_MAX_BYTES }) : bytes;
    } catch {
      return undefined;
    }
  }
}

function headerOf(flat: readonly string[], wanted: string): string | undefined {
  const at = flat.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === wanted);
  return at < 0 ? undefined : flat[at + 1]?.trim().toLowerCase();
}

function withLength(flat: readonly string[], length: number, isDecoded: boolean): string[] {
  const out: string[] = [];
  for (let i = 0; i < flat.length; i += 2) {
    const name = flat[i] ?? '';
    const lower = name.toLowerCase();
    if (lower !== 'content-length' && !(isDecoded && lower === 'content-encoding')) out.push(name, flat[i + 1] ?? '');
  }
  out.push('Content-Length', String(length));
  return out;
}
