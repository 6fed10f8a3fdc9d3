/** Makes a segment: the code is written as it comes, the lists when all of it is there. */
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { createLists } from './lists.ts';
import { textsStart } from './packed-code.ts';
import type { SegmentView } from './segment.ts';

/** A segment takes no more once it has this. */
const FULL_BYTES = 64 * 1024 * 1024;
const FULL_CODES = 60_000;
/** Of what is larger the system makes larger pages, which it clears and fills for two times as long or more. */
const WRITE_BYTES = 128 * 1024;

export type SegmentBuilder = {
  /** Whether there is room for more. */
  readonly isFull: boolean;
  add(number: number, packed: Uint8Array): void;
  /** The segment; the caller closes its file one day. */
  finish(id: number): SegmentView;
  /** Gives up. */
  abandon(): void;
};

export function buildSegment(folder: string): SegmentBuilder {
  const file = openNameless(folder);
  const numbers: number[] = [];
  const starts: number[] = [0];
  const codeSums: number[] = [];
  const lists = createLists();

  return {
    get isFull() {
      return file.written() >= FULL_BYTES || numbers.length >= FULL_CODES;
    },
    add(number, packed) {
      numbers.push(number);
      lists.add(packed, textsStart(packed));
      file.write(packed);
      starts.push(file.written());
      codeSums.push(crc32(packed));
    },
    finish(id) {
      const { common, grams, bytes, ends, sums } = lists.finish();
      const codeBytes = file.written();
      file.write(bytes);
      file.flush();
      // In the order of partsOf.
      const parts = [common, grams, ends, sums, numbers, starts, codeSums];
      const index = new SharedArrayBuffer(4 * parts.reduce((length, part) => length + part.length, 0));
      const words = new Uint32Array(index);
      let at = 0;
      for (const part of parts) {
        words.set(part, at);
        at += part.length;
      }
      const indexBytes = bytes.length + index.byteLength;
      const counts = { codes: numbers.length, grams: grams.length, common: common.length };
      return { id, fd: file.fd, ...counts, index, codeBytes, indexBytes };
    },
    abandon: file.close,
  };
}

/** A file that nothing is left of when this process ends, even by kill -9. */
function openNameless(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${process.pid}-${crypto.randomUUID()}`);
  const fd = openSync(path, 'wx+', 0o600);
  rmSync(path, { force: true });
  const buffer = Buffer.allocUnsafe(WRITE_BYTES);
  let held = 0;
  let flushed = 0;
  const put = (bytes: Uint8Array) => {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, flushed + done);
    flushed += bytes.length;
  };
  const flush = () => {
    put(buffer.subarray(0, held));
    held = 0;
  };
  return {
    fd,
    written: () => flushed + held,
    write(bytes: Uint8Array) {
      if (held + bytes.length > WRITE_BYTES) flush();
      if (bytes.length > WRITE_BYTES) return put(bytes);
      buffer.set(bytes, held);
      held += bytes.length;
    },
    flush,
    close: () => closeSync(fd),
  };
}
