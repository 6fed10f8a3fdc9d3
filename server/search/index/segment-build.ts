/** Makes a segment: the code is written as it comes, the lists and all else once all code is written. */
import { crc32 } from 'node:zlib';
import { fileNameOf, footerOf, NAME_BYTES } from './kept-segment.ts';
import { createLists } from './lists.ts';
import { createFile } from './new-file.ts';
import { textsStart } from './packed-code.ts';
import type { SegmentView } from './segment.ts';

/** A segment takes no more once it has this. */
const FULL_BYTES = 64 * 1024 * 1024;
const FULL_CODES = 60_000;

export type SegmentBuilder = {
  /** Whether there is room for more. */
  readonly isFull: boolean;
  /** How many codes it has. */
  readonly count: number;
  add(number: number, sha256: string, packed: Uint8Array): void;
  /** The segment; the caller closes its file one day. */
  finish(id: number): SegmentView;
  /** Gives up. */
  abandon(): void;
};

export function buildSegment(folder: string): SegmentBuilder {
  const file = createFile(folder);
  const numbers: number[] = [];
  const names: string[] = [];
  const starts: number[] = [0];
  const codeSums: number[] = [];
  const lists = createLists();

  return {
    get isFull() {
      return file.written() >= FULL_BYTES || numbers.length >= FULL_CODES;
    },
    get count() {
      return numbers.length;
    },
    add(number, sha256, packed) {
      numbers.push(number);
      names.push(sha256);
      lists.add(packed, textsStart(packed));
      file.write(packed);
      starts.push(file.written());
      codeSums.push(crc32(packed));
    },
    finish(id) {
      const { common, grams, bytes, ends, sums } = lists.finish();
      const codeBytes = file.written();
      // In the order of partsOf.
      const { index, words } = joined([common, grams, ends, sums, starts, codeSums], numbers);
      const addresses = Buffer.from(names.join(''), 'hex');
      if (addresses.length !== NAME_BYTES * names.length) throw new Error('an address of a code isn’t one');
      const counts = { codes: numbers.length, grams: grams.length, common: common.length, codeBytes };
      const sumsOfAll = { wordsSum: crc32(words), namesSum: crc32(addresses) };
      for (const part of [bytes, words]) file.write(part);
      const namesAt = file.written();
      file.write(addresses);
      file.write(footerOf({ ...counts, listBytes: bytes.length, ...sumsOfAll }));
      file.flush();
      const fileName = fileNameOf(names);
      file.finish(fileName);
      const indexBytes = bytes.length + index.byteLength;
      return { id, fd: file.fd, fileName, ...counts, index, indexBytes, namesAt, namesSum: sumsOfAll.namesSum };
    },
    abandon: file.abandon,
  };
}

type Words = readonly number[] | Uint32Array;

/** All words one after the other; `numbers`, which each process has its own of, behind those that are written. */
function joined(parts: Words[], numbers: Words) {
  const index = new SharedArrayBuffer(4 * [...parts, numbers].reduce((length, part) => length + part.length, 0));
  const all = new Uint32Array(index);
  let at = 0;
  for (const part of [...parts, numbers]) {
    all.set(part, at);
    at += part.length;
  }
  return { index, words: new Uint8Array(index, 0, 4 * (at - numbers.length)) };
}
