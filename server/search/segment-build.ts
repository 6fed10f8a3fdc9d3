/** Makes a segment: the code is written as it comes, the lists when all of it is there. */
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { textsStart } from './packed-code.ts';
import type { SegmentView } from './segment.ts';
import { eachTrigram, foldInto, TRIGRAMS } from './trigrams.ts';

/** A segment takes no more once it has this. */
const FULL_BYTES = 64 * 1024 * 1024;
const FULL_CODES = 60_000;
/** A trigram that more codes than this have gets no list. */
const COMMON_SHARE = 0.3;
const FEW_CODES = 64;
const WRITE_BYTES = 4 * 1024 * 1024;

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
  const lastIn = new Uint16Array(TRIGRAMS);
  const keys: number[] = [];
  let trigrams = new Uint32Array(1 << 16);
  let trigramCount = 0;
  /** Where the trigrams of each code begin. */
  const bounds: number[] = [0];
  let codes = new Uint8Array(1 << 16);

  return {
    get isFull() {
      return file.written() >= FULL_BYTES || numbers.length >= FULL_CODES;
    },
    add(number, packed) {
      const texts = packed.subarray(textsStart(packed));
      if (codes.length < texts.length) codes = new Uint8Array(texts.length * 2);
      numbers.push(number);
      const stamp = numbers.length;
      if (trigrams.length < trigramCount + texts.length) trigrams = enlarged(trigrams, trigramCount + texts.length);
      eachTrigram(codes, foldInto(texts, codes), (trigram) => {
        const last = lastIn[trigram];
        if (last === stamp) return;
        if (last === 0) keys.push(trigram);
        lastIn[trigram] = stamp;
        trigrams[trigramCount++] = trigram;
      });
      bounds.push(trigramCount);
      file.write(packed);
      starts.push(file.written());
    },
    finish(id) {
      const known = Uint32Array.from(keys).sort();
      const { lists, ends } = listsOf(trigrams, bounds, known);
      const codeBytes = file.written();
      file.write(lists);
      file.flush();
      const index = new SharedArrayBuffer((2 * known.length + 2 * numbers.length + 2) * 4);
      const words = new Uint32Array(index);
      words.set(known);
      words.set(ends, known.length);
      words.set(starts, 2 * known.length + 1);
      words.set(numbers, 2 * known.length + numbers.length + 2);
      const indexBytes = lists.length + index.byteLength;
      return { id, fd: file.fd, codes: numbers.length, trigrams: known.length, index, codeBytes, indexBytes };
    },
    abandon: file.close,
  };
}

function enlarged(words: Uint32Array, least: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(words.length * 2, least));
  larger.set(words);
  return larger;
}

/** The lists one after the other, and where each begins (and the last ends). Twice through: sizes first. */
function listsOf(trigrams: Uint32Array, bounds: number[], keys: Uint32Array): { lists: Uint8Array; ends: Uint32Array } {
  const rankOf = new Uint32Array(TRIGRAMS);
  for (let rank = 0; rank < keys.length; rank++) rankOf[keys[rank] as number] = rank;
  const last = new Int32Array(keys.length);
  const each = (visit: (rank: number, distance: number) => void) => {
    last.fill(-1);
    for (let code = 0; code + 1 < bounds.length; code++) {
      for (let i = bounds[code] as number; i < (bounds[code + 1] as number); i++) {
        const rank = rankOf[trigrams[i] as number] as number;
        visit(rank, code - (last[rank] as number));
        last[rank] = code;
      }
    }
  };
  const ends = new Uint32Array(keys.length + 1);
  const times = new Uint32Array(keys.length);
  each((rank, distance) => {
    times[rank] = (times[rank] as number) + 1;
    ends[rank + 1] = (ends[rank + 1] as number) + (distance < 128 ? 1 : distance < 16_384 ? 2 : 3);
  });
  // What most codes have tells nothing: it is known, with an empty list.
  const most = Math.max(FEW_CODES, bounds.length * COMMON_SHARE);
  for (let rank = 0; rank < keys.length; rank++) if ((times[rank] as number) > most) ends[rank + 1] = 0;
  for (let rank = 0; rank < keys.length; rank++) ends[rank + 1] = (ends[rank + 1] as number) + (ends[rank] as number);
  const next = ends.slice();
  const lists = new Uint8Array(ends[keys.length] as number);
  each((rank, given) => {
    if ((times[rank] as number) > most) return;
    let at = next[rank] as number;
    let distance = given;
    while (distance > 127) {
      lists[at++] = (distance & 127) | 128;
      distance >>>= 7;
    }
    lists[at++] = distance;
    next[rank] = at;
  });
  return { lists, ends };
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
