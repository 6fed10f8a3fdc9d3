/**
 * Packs the files of one version into bytes that can be searched in place: the length of a list, the likeness of the
 * code (likeness.ts), the list of paths and lengths as JSON, then the texts, each followed by a newline, so that no line
 * spans two files. A byte order mark at the start of a text is removed, as ripgrep ignores it too.
 */
import { readBundle } from '../../functions/versions/bundle.ts';
import type { SourceFile } from '../query/scan.ts';
import { bundleTexts, type FileBytes } from './bundle-texts.ts';
import { LIKENESS_BYTES, likenessOf } from './likeness.ts';

const LENGTH_BYTES = 4;
const HEAD_BYTES = LENGTH_BYTES + LIKENESS_BYTES;
const NEWLINE = 10;

/** Packs files: valid until the next call of this function or `packBundle`. */
export const packCode = (files: Record<string, string>): Uint8Array => pack(textsOf(files));

/** The same of the bytes of a bundle. Throws if they are no bundle. */
export const packBundle = (bundle: Uint8Array): Uint8Array => pack(bundleTexts(bundle) ?? textsOf(readBundle(bundle)));

const textsOf = (files: Record<string, string>): FileBytes[] =>
  Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text.replace(/^\uFEFF/, '')) }));

/** The memory of the last document, for the next: new memory for each costs more than packing it. */
let memory = Buffer.alloc(0);

function pack(texts: readonly FileBytes[]): Uint8Array {
  const list = Buffer.from(JSON.stringify(texts.map(({ path, bytes }) => [path, bytes.length])));
  const start = HEAD_BYTES + list.length;
  const length = texts.reduce((sum, { bytes }) => sum + bytes.length + 1, start);
  if (length > memory.length) memory = Buffer.allocUnsafeSlow(2 * length);
  const packed = memory.subarray(0, length);
  packed.writeUInt32LE(list.length);
  packed.set(likenessOf(texts), LENGTH_BYTES);
  packed.set(list, HEAD_BYTES);
  let at = start;
  for (const { bytes } of texts) {
    packed.set(bytes, at);
    at += bytes.length;
    packed[at++] = NEWLINE;
  }
  return packed;
}

/** Copies packed code to memory that all threads can read. */
export function toShared(packed: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(packed.length);
  new Uint8Array(shared).set(packed);
  return shared;
}

/** The offset of the texts. */
export function textsStart(packed: Uint8Array): number {
  return HEAD_BYTES + viewOf(packed).readUInt32LE(0);
}

/** The likeness of a document as two 32-bit words. */
export type Likeness = readonly [high: number, low: number];

export function packedLikeness(packed: Uint8Array): Likeness {
  const view = viewOf(packed);
  return [view.readUInt32LE(LENGTH_BYTES), view.readUInt32LE(LENGTH_BYTES + 4)];
}

export const compareLikeness = (a: Likeness, b: Likeness): number => a[0] - b[0] || a[1] - b[1];

/** The bytes of all texts, without a copy. */
export function textBytes(packed: Uint8Array): Buffer {
  return viewOf(packed).subarray(textsStart(packed));
}

/** All texts as one string, each followed by a newline. */
export function allTexts(packed: Uint8Array): string {
  return viewOf(packed).toString('utf8', textsStart(packed), packed.length);
}

export function pathsOf(packed: Uint8Array): string[] {
  return listOf(packed).map(([path]) => path);
}

/** The files one by one. `all` is the result of `allTexts`: if it is ASCII only, the texts are slices of it. */
export function* filesOf(packed: Uint8Array, all: string): Generator<SourceFile> {
  const start = textsStart(packed);
  const isAscii = all.length === packed.length - start;
  let at = 0;
  for (const [path, length] of listOf(packed)) {
    const text = isAscii
      ? all.slice(at, at + length)
      : viewOf(packed).toString('utf8', start + at, start + at + length);
    yield [path, text];
    at += length + 1;
  }
}

function listOf(packed: Uint8Array): [path: string, length: number][] {
  return JSON.parse(viewOf(packed).toString('utf8', HEAD_BYTES, textsStart(packed)));
}

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
