/**
 * Parses HTTP/1 responses from the bytes of a connection, one after another. Strict where two parsers could otherwise
 * see two different responses: lines end in CR LF, names are tokens, values contain no control characters, and a length
 * occurs once and never with chunks. Everything else in a response is passed on unchanged.
 *
 * Two mistakes of servers are tolerated, as clients do: line ends before the status line, and a head whose lines all end
 * in LF. The connection is not reused after such a response, so that no later byte can be read as another response.
 *
 * Most responses arrive in one piece; they are parsed in place, and their head is decoded once.
 */
import { errors } from 'undici';
import { isToken, isValue } from './field.ts';
import type { Compression } from './transfer-decoder.ts';

export type ResponseSink = {
  /** Alternating names and values. Called also for informational responses (1xx); another head follows. */
  onHead(status: number, reason: string, headers: string[]): void;
  /** `part` is valid during the call only. */
  onBody(part: Buffer): void;
  /** The response is complete; this parser is not used before the next `begin`. */
  onComplete(trailers: string[]): void;
};

/** States of the parser: the next expected part. */
const HEAD = 0;
const COUNTED = 1;
const UNTIL_END = 2;
const CHUNK_SIZE = 3;
const CHUNK = 4;
const CHUNK_END = 5;
const TRAILERS = 6;
const WHOLE = 7;

const LINE_END = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');
/** The end of a head whose lines end in LF. */
const BARE_HEAD_END = Buffer.from('\n\n');
const CR = 13;
const LF = 10;
/** Bytes before the status line that are skipped. */
const STRAY_MAX_BYTES = 8;
const BEGINNING = 'HTTP/1.';
const HEAD_MAX_BYTES = 65_536;
/** A chunk size and its extensions, which are ignored. */
const SIZE_LINE_MAX_BYTES = 4_096;
const NOTHING: Buffer = Buffer.alloc(0);
const NONE: string[] = [];

export class ResponseParser {
  /** Whether the connection can be reused after this response. */
  keepsAlive = false;
  /** Keep-alive timeout announced by the app, in milliseconds; undefined without one. */
  keepAliveMs: number | undefined;
  /** Whether the end of the connection ends the response. */
  get endsWithConnection(): boolean {
    return this.#state === UNTIL_END;
  }
  /** How the body was compressed for the transfer; undefined if it was not. */
  compression: Compression | undefined;
  /** Whether the head of the final response has been read. */
  get begun(): boolean {
    return this.#state !== HEAD;
  }
  /** A sink sets it during a call: nothing more is read until the next call of `read`. */
  stopped = false;
  readonly #sink: ResponseSink;
  #state = WHOLE;
  #isHead = false;
  /** Whether this response has a mistake that is tolerated. */
  #isTolerated = false;
  #strayBytes = 0;
  /** Remaining bytes of the body or chunk. */
  #left = 0;
  /** The received part of an incomplete line or head. */
  #kept = NOTHING;
  #trailers = NONE;
  #trailerBytes = 0;
  #bytes = NOTHING;
  #at = 0;
  #end = 0;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  /** Starts the response to a request with this method. */
  begin(method: string): void {
    this.#state = HEAD;
    this.#isHead = method === 'HEAD';
    this.#kept = NOTHING;
    this.#trailers = NONE;
    this.#trailerBytes = 0;
    this.#isTolerated = false;
    this.#strayBytes = 0;
    this.stopped = false;
  }

  /**
   * Continues parsing; returns where it stopped: at `end`, or earlier if the response is complete or the sink stopped
   * it.
   */
  read(bytes: Buffer, at: number, end: number): number {
    this.#bytes = bytes;
    this.#at = at;
    this.#end = end;
    while (this.#at < this.#end && !this.stopped && this.#state !== WHOLE) this.#step();
    this.#bytes = NOTHING;
    return this.#at;
  }

  /** Ends a response that ends with the connection. */
  finish(): void {
    this.#whole();
  }

  #step(): void {
    switch (this.#state) {
      case HEAD: {
        if (this.#kept.length === 0 && !this.#skipStray()) return;
        const text = this.#headText();
        if (text !== undefined) this.#head(text);
        return;
      }
      case COUNTED:
        this.#body();
        if (this.#left === 0) this.#whole();
        return;
      case UNTIL_END:
        this.#left = this.#end - this.#at;
        return void this.#body();
      case CHUNK_SIZE: {
        const line = this.#upTo(LINE_END, SIZE_LINE_MAX_BYTES);
        if (line === undefined) return;
        this.#left = sizeOf(line);
        this.#state = this.#left === 0 ? TRAILERS : CHUNK;
        return;
      }
      case CHUNK:
        this.#body();
        if (this.#left === 0) this.#state = CHUNK_END;
        return;
      case CHUNK_END: {
        const line = this.#upTo(LINE_END, 0);
        if (line !== undefined) this.#state = CHUNK_SIZE;
        return;
      }
      case TRAILERS: {
        const line = this.#upTo(LINE_END, HEAD_MAX_BYTES);
        if (line === undefined) return;
        this.#trailerBytes += line.length;
        if (this.#trailerBytes > HEAD_MAX_BYTES) throw new errors.HeadersOverflowError();
        if (line === '') return void this.#whole();
        if (this.#trailers === NONE) this.#trailers = [];
        readFields(line, 0, this.#trailers);
      }
    }
  }

  /** Skips line ends before the status line; false if nothing else has arrived. */
  #skipStray(): boolean {
    for (; this.#at < this.#end; this.#at++) {
      const byte = this.#bytes[this.#at];
      if (byte !== CR && byte !== LF) return true;
      this.#isTolerated = true;
      if (++this.#strayBytes > STRAY_MAX_BYTES) throw new errors.HTTPParserError('invalid status line');
    }
    return false;
  }

  /** The head, with CR LF between its lines; undefined until it is complete. */
  #headText(): string | undefined {
    const first = this.#kept.length > 0 ? this.#kept[0] : this.#bytes[this.#at];
    // Not HTTP, or in another version: fails below.
    if (first !== 0x48 || !this.#isBare()) return this.#upTo(HEAD_END, HEAD_MAX_BYTES);
    this.#isTolerated = true;
    const text = this.#upTo(BARE_HEAD_END, HEAD_MAX_BYTES);
    // With a CR, other parsers may see the head end elsewhere.
    if (text === undefined ? this.#kept.includes(CR) : text.includes('\r'))
      throw new errors.HTTPParserError('invalid line end');
    return text?.replaceAll('\n', '\r\n');
  }

  /** Whether the status line ends in LF without CR. */
  #isBare(): boolean {
    let before: number | undefined;
    for (const byte of this.#kept) {
      if (byte === LF) return before !== CR;
      before = byte;
    }
    for (let at = this.#at; at < this.#end; at++) {
      const byte = this.#bytes[at];
      if (byte === LF) return before !== CR;
      before = byte;
    }
    return false;
  }

  #whole(): void {
    this.#state = WHOLE;
    this.#sink.onComplete(this.#trailers);
  }

  #body(): void {
    const from = this.#at;
    const to = Math.min(this.#end, from + this.#left);
    this.#at = to;
    this.#left -= to - from;
    this.#sink.onBody(this.#bytes.subarray(from, to));
  }

  /** Returns the text before `mark` once it has arrived; throws after `max` bytes. */
  #upTo(mark: Buffer, max: number): string | undefined {
    if (this.#kept.length > 0) return this.#upToWithKept(mark, max);
    const from = this.#at;
    const found = this.#bytes.indexOf(mark, from);
    // Bytes after `end` are not part of the data.
    if (found >= 0 && found + mark.length <= this.#end) {
      if (found - from > max) throw tooLong(max);
      this.#at = found + mark.length;
      return this.#bytes.toString('latin1', from, found);
    }
    if (this.#end - from >= max + mark.length) throw tooLong(max);
    // A peer with another protocol may send no more and wait.
    if (
      this.#state === HEAD &&
      !BEGINNING.startsWith(this.#bytes.toString('latin1', from, Math.min(from + 7, this.#end)))
    )
      throw new errors.HTTPParserError('invalid status line');
    this.#kept = Buffer.from(this.#bytes.subarray(from, this.#end));
    this.#at = this.#end;
    return undefined;
  }

  #upToWithKept(mark: Buffer, max: number): string | undefined {
    const before = this.#kept.length;
    const come = Math.min(this.#end, this.#at + max + mark.length - before);
    const whole = Buffer.concat([this.#kept, this.#bytes.subarray(this.#at, come)]);
    const found = whole.indexOf(mark, Math.max(0, before - mark.length));
    if (found < 0) {
      if (whole.length >= max + mark.length) throw tooLong(max);
      this.#kept = whole;
      this.#at = come;
      return undefined;
    }
    this.#at += found + mark.length - before;
    this.#kept = NOTHING;
    return whole.toString('latin1', 0, found);
  }

  #head(text: string): void {
    const end = text.indexOf('\r\n');
    const { minor, status, reason } = readStatusLine(end < 0 ? text : text.slice(0, end));
    const headers: string[] = [];
    if (end >= 0) readFields(text, end + 2, headers);
    if (status < 200) {
      // 101 would switch the protocol, which was not requested.
      if (status === 101) throw new errors.SocketError('bad upgrade');
      this.#sink.onHead(status, reason, headers);
      return;
    }
    this.#frame(minor, status, headers);
    this.#sink.onHead(status, reason, headers);
    if (this.#state === COUNTED && this.#left === 0) this.#whole();
  }

  /** Determines the end of the body (RFC 9112, section 6.3) and whether the connection is reusable. */
  #frame(minor: number, status: number, headers: string[]): void {
    let length: string | undefined;
    let coding: string | undefined;
    let connection = '';
    this.keepAliveMs = undefined;
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i] ?? '';
      const { length: chars } = name;
      if (chars !== 10 && chars !== 14 && chars !== 17) continue;
      const value = headers[i + 1] ?? '';
      switch (name.toLowerCase()) {
        case 'content-length':
          if (length !== undefined) throw new errors.HTTPParserError('duplicate Content-Length');
          length = value.trimEnd();
          break;
        case 'transfer-encoding':
          coding = coding === undefined ? value : `${coding},${value}`;
          break;
        case 'connection':
          connection += `,${value}`;
          break;
        case 'keep-alive':
          this.keepAliveMs = hintOf(value);
      }
    }
    if (length !== undefined && !/^\d{1,15}$/.test(length)) throw new errors.HTTPParserError('invalid Content-Length');
    if (length !== undefined && coding !== undefined)
      throw new errors.HTTPParserError('both Content-Length and Transfer-Encoding');
    this.keepsAlive = !this.#isTolerated && (connection === '' ? minor === 1 : keepsAlive(connection, minor));
    this.#left = 0;
    this.compression = undefined;
    const isChunked = coding !== undefined && this.#readCodings(coding);
    if (this.#isHead || status === 204 || status === 304) {
      this.#state = COUNTED;
      this.compression = undefined;
    } else if (isChunked) this.#state = CHUNK_SIZE;
    else if (coding === undefined && length !== undefined) {
      this.#state = COUNTED;
      this.#left = Number(length);
    } else {
      this.#state = UNTIL_END;
      this.keepsAlive = false;
    }
  }

  /** Reads Transfer-Encoding; returns whether the body is chunked. Throws for codings that end somewhere else. */
  #readCodings(value: string): boolean {
    const codings = value.toLowerCase().split(',');
    let isChunked = false;
    for (const each of codings) {
      const coding = each.trim();
      const compression = COMPRESSIONS[coding];
      const isLast = !isChunked && (compression === undefined || this.compression === undefined);
      if (!isLast || !(compression || coding === 'chunked' || coding === 'identity' || coding === ''))
        throw new errors.HTTPParserError('unsupported Transfer-Encoding');
      if (compression) this.compression = compression;
      isChunked = coding === 'chunked';
    }
    return isChunked;
  }
}

const COMPRESSIONS: Record<string, Compression> = { gzip: 'gzip', 'x-gzip': 'gzip', deflate: 'deflate' };

const tooLong = (max: number) =>
  max === HEAD_MAX_BYTES ? new errors.HeadersOverflowError() : new errors.HTTPParserError('invalid chunk size');

type StatusLine = { minor: number; status: number; reason: string };
/** Cache: few distinct status lines occur, each of them often. */
const statusLines = new Map<string, StatusLine>();
const STATUS_LINES_MAX = 200;

function readStatusLine(line: string): StatusLine {
  const known = statusLines.get(line);
  if (known) return known;
  const match = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/.exec(line);
  if (!match) throw new errors.HTTPParserError('invalid status line');
  const read = { minor: Number(match[1]), status: Number(match[2]), reason: match[3] ?? '' };
  if (statusLines.size < STATUS_LINES_MAX && line.length < 100) statusLines.set(line, read);
  return read;
}

/** Lines `Name: value` from `at` to the end of `text`. */
function readFields(text: string, at: number, into: string[]): void {
  let from = at;
  while (from < text.length) {
    const found = text.indexOf('\r\n', from);
    const end = found < 0 ? text.length : found;
    const colon = text.indexOf(':', from);
    if (colon < 0 || colon >= end) throw new errors.HTTPParserError('invalid header line');
    const name = text.slice(from, colon);
    let start = colon + 1;
    while (start < end && isBlank(text.charCodeAt(start))) start++;
    const value = text.slice(start, end);
    if (!isToken(name) || !isValue(value)) throw new errors.HTTPParserError('invalid header line');
    into.push(name, value);
    from = end + 2;
  }
}

const isBlank = (code: number) => code === 0x20 || code === 0x09;

/** Extensions after a semicolon are allowed and ignored. */
function sizeOf(line: string): number {
  const match = /^([0-9a-f]{1,12})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i.exec(line);
  if (!match) throw new errors.HTTPParserError('invalid chunk size');
  return Number.parseInt(match[1] ?? '', 16);
}

function keepsAlive(connection: string, minor: number): boolean {
  if (/(?:^|,)[\t ]*close[\t ]*(?:,|$)/i.test(connection)) return false;
  return minor === 1 || /(?:^|,)[\t ]*keep-alive[\t ]*(?:,|$)/i.test(connection);
}

function hintOf(value: string): number | undefined {
  const seconds = /(?:^|[,\s])timeout=(\d{1,6})/i.exec(value)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
