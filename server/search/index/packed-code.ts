/**
 * The files of one version as bytes that can be searched where they lie: a list of paths and lengths as JSON, its
 * length before it, then the texts with a newline after each, so that no line runs from one file into the next. A mark
 * of the byte order before a text is no part of its first line, to ripgrep neither.
 */
import type { SourceFile } from '../query/scan.ts';

const LENGTH_BYTES = 4;

export function packCode(files: Record<string, string>): Uint8Array {
  const texts = Object.entries(files).map(([path, text]) => ({
    path,
    bytes: Buffer.from(text.replace(/^\uFEFF/, '')),
  }));
  const list = Buffer.from(JSON.stringify(texts.map(({ path, bytes }) => [path, bytes.length])));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(list.length);
  const newline = Buffer.from('\n');
  return Buffer.concat([length, list, ...texts.flatMap(({ bytes }) => [bytes, newline])]);
}

/** The same, where all threads can read it. */
export function toShared(packed: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(packed.length);
  new Uint8Array(shared).set(packed);
  return shared;
}

/** Where the texts begin. */
export function textsStart(packed: Uint8Array): number {
  return LENGTH_BYTES + viewOf(packed).readUInt32LE(0);
}

/** The bytes of all texts, where they lie. */
export function textBytes(packed: Uint8Array): Buffer {
  return viewOf(packed).subarray(textsStart(packed));
}

/** All texts as one, with a newline between them. */
export function allTexts(packed: Uint8Array): string {
  return viewOf(packed).toString('utf8', textsStart(packed), packed.length);
}

export function pathsOf(packed: Uint8Array): string[] {
  return listOf(packed).map(([path]) => path);
}

/** The files one by one. `all` is what `allTexts` answered: where it has no more than ASCII, they are parts of it. */
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
  return JSON.parse(viewOf(packed).toString('utf8', LENGTH_BYTES, textsStart(packed)));
}

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
