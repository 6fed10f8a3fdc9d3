/**
 * The file format of a segment, so that the next process can open it: the documents, the posting lists, the words with
 * their offsets, the hashes of the documents, and a footer with the size of each part. Documents are written as they
 * arrive, the rest at the end; only then does the file get its name. Nothing waits for fsync: after a power loss,
 * checksums detect what is missing. Those of the footer, the words and the hashes are checked here, those of documents
 * and lists when they are read. The input may be any bytes: memory is allocated only within the limits of the file's
 * length.
 */
import { hash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  open,
  openSync,
  read,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { endianness, hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { CODE_MAX_BYTES } from '../../../contract/limits.ts';
import { isAlive } from '../../lib/is-alive.ts';
import { CODE_BITS, FOLD, KELVIN, LONG_S, MOST_COMMON, MOST_GRAMS, TRIGRAMS } from './grams.ts';
import { compareLikeness, type Likeness, packedLikeness, textsStart } from './packed-code.ts';
import { bitsLength, createLists, MOST_CODES } from './posting-lists.ts';
import { partsOf, type SegmentView } from './segment.ts';

export const NAME_BYTES = 32;
/** Increase it when the content changes in a way that the rest of the format does not show. */
const FORMAT_NUMBER = 2;
/** A hash of everything that another version may write differently. */
const FORMAT = hash(
  'sha256',
  JSON.stringify([FORMAT_NUMBER, endianness(), CODE_BITS, MOST_COMMON, MOST_GRAMS, LONG_S, KELVIN, [...FOLD]]),
);
const MAGIC = Buffer.from(`sluice segment ${FORMAT.slice(0, 32)}\n`);
/**
 * Numbers in the footer: documents, grams, common trigrams, bytes of documents and of lists, checksums of words and
 * hashes. The checksum of the footer follows.
 */
const NUMBERS = 7;
const FOOTER_BYTES = MAGIC.length + 4 * (NUMBERS + 1);
/** Packing adds paths, and may replace invalid characters by longer ones. */
const MOST_CODE_BYTES = 4 * CODE_MAX_BYTES;

type Counts = Pick<SegmentView, 'codes' | 'grams' | 'common' | 'codeBytes'> & { listBytes: number };
type Footer = Counts & { wordsSum: number; namesSum: number };
type Kept = { view: SegmentView; names: Buffer };

/** The hash of a document; `names` contains them one after the other. */
export const nameAt = (names: Buffer, place: number): string =>
  names.toString('hex', NAME_BYTES * place, NAME_BYTES * (place + 1));

/**
 * The size of the words in the file. The numbers of the documents follow them in memory only, as each process has its
 * own.
 */
const wordBytes = ({ codes, grams, common }: Pick<Counts, 'codes' | 'grams' | 'common'>): number =>
  4 * (common + grams + (grams + 1) + grams + (codes + 1) + codes + 2 * codes + codes);

/** Files with the same documents have the same name on every node. */
function fileNameOf(names: readonly string[]): string {
  return `${hash('sha256', `${FORMAT} ${[...names].sort().join(' ')}`).slice(0, 32)}.segment`;
}

function footerOf(footer: Footer): Buffer {
  const { codes, grams, common, codeBytes, listBytes, wordsSum, namesSum } = footer;
  const bytes = Buffer.alloc(FOOTER_BYTES);
  let at = MAGIC.copy(bytes);
  for (const each of [codes, grams, common, codeBytes, listBytes, wordsSum, namesSum])
    at = bytes.writeUInt32LE(each, at);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, at)), at);
  return bytes;
}

/** Throws when this is not a valid footer of a file of this length. */
function readFooter(bytes: Buffer, fileBytes: number): Footer {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error('unknown format or version');
  const end = bytes.length - 4;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32LE(end)) throw new Error('its footer is damaged');
  const [codes = 0, grams = 0, common = 0, codeBytes = 0, listBytes = 0, wordsSum = 0, namesSum = 0] = Array.from(
    { length: NUMBERS },
    (_, at) => bytes.readUInt32LE(MAGIC.length + 4 * at),
  );
  const footer = { codes, grams, common, codeBytes, listBytes, wordsSum, namesSum };
  const isPossible = codes > 0 && codes <= MOST_CODES && grams <= MOST_GRAMS && common <= MOST_COMMON;
  const length = codeBytes + listBytes + wordBytes(footer) + NAME_BYTES * codes + FOOTER_BYTES;
  if (!isPossible || length !== fileBytes) throw new Error('its footer does not match the file');
  return footer;
}

/** Opens the file of a segment; its documents have no numbers yet. Throws when it is unusable. */
export async function openSegment(path: string, id: number, fileName: string): Promise<Kept> {
  const fd = await openFile(path);
  try {
    const footer = await footerIn(fd);
    const { listBytes, wordsSum, namesSum, ...counts } = footer;
    const length = wordBytes(footer);
    const index = new SharedArrayBuffer(length + 4 * counts.codes);
    const words = new Uint8Array(index, 0, length);
    await readAll(fd, words, counts.codeBytes + listBytes);
    if (crc32(words) !== wordsSum) throw new Error('its words are damaged');
    const namesAt = counts.codeBytes + listBytes + length;
    const view = { id, fd, fileName, ...counts, index, indexBytes: listBytes + index.byteLength, namesAt, namesSum };
    if (!isSound(view, listBytes)) throw new Error('its words are inconsistent');
    return { view, names: await namesIn(fd, footer) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Reads only the hashes of the documents of a file. Throws when it is unusable. */
export async function readNames(path: string): Promise<Buffer> {
  const fd = await openFile(path);
  try {
    return await namesIn(fd, await footerIn(fd));
  } finally {
    closeSync(fd);
  }
}

/** Reads the document hashes of an open segment; undefined when they are damaged. */
export function namesOf({ fd, codes, namesAt, namesSum }: SegmentView): Buffer | undefined {
  const names = Buffer.allocUnsafeSlow(NAME_BYTES * codes);
  for (let done = 0; done < names.length; ) {
    const read = readSync(fd, names, done, names.length - done, namesAt + done);
    if (read === 0) return undefined;
    done += read;
  }
  return crc32(names) === namesSum ? names : undefined;
}

/** Does not follow links, and does not block on a named pipe. */
function openFile(path: string): Promise<number> {
  return promisify(open)(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

async function footerIn(fd: number): Promise<Footer> {
  const file = fstatSync(fd);
  if (!file.isFile() || file.size < FOOTER_BYTES) throw new Error('too short');
  const bytes = Buffer.alloc(FOOTER_BYTES);
  await readAll(fd, bytes, file.size - FOOTER_BYTES);
  return readFooter(bytes, file.size);
}

async function namesIn(fd: number, footer: Footer): Promise<Buffer> {
  const names = Buffer.allocUnsafeSlow(NAME_BYTES * footer.codes);
  await readAll(fd, names, footer.codeBytes + footer.listBytes + wordBytes(footer));
  if (crc32(names) !== footer.namesSum) throw new Error('its hashes are damaged');
  return names;
}

async function readAll(fd: number, bytes: Uint8Array, from: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await promisify(read)(fd, bytes, done, bytes.length - done, from + done);
    if (bytesRead === 0) throw new Error('too short');
    done += bytesRead;
  }
}

/** Whether all offsets are within the file, so that no reader reads beyond it. */
function isSound(view: SegmentView, listBytes: number): boolean {
  const { common, grams, lists, codes } = partsOf(view);
  return (
    isRising(common, TRIGRAMS) &&
    isRising(grams, MOST_GRAMS) &&
    areBounds(lists, listBytes, bitsLength(view.codes)) &&
    areBounds(codes, view.codeBytes, MOST_CODE_BYTES)
  );
}

function isRising(words: Uint32Array, most: number): boolean {
  for (let at = 1; at < words.length; at++) if ((words[at] ?? 0) <= (words[at - 1] ?? 0)) return false;
  return (words.at(-1) ?? 0) < most;
}

function areBounds(words: Uint32Array, end: number, most: number): boolean {
  for (let at = 1; at < words.length; at++) {
    const length = (words[at] ?? 0) - (words[at - 1] ?? 0);
    if (length < 0 || length > most) return false;
  }
  return words[0] === 0 && words.at(-1) === end;
}

/** A segment is full with this many bytes or documents. */
const FULL_BYTES = 64 * 1024 * 1024;
const FULL_CODES = 60_000;

export type SegmentBuilder = {
  /** Whether the segment accepts no more documents. */
  readonly isFull: boolean;
  /** The number of documents added. */
  readonly count: number;
  add(number: number, sha256: string, packed: Uint8Array): void;
  /** Completes the file and returns the segment; the caller closes its file descriptor. */
  finish(id: number): SegmentView;
  /** Discards the file. */
  abandon(): void;
};

/** Begins a segment in a new file of the folder. */
export function buildSegment(folder: string): SegmentBuilder {
  const file = createFile(folder);
  const numbers: number[] = [];
  const names: string[] = [];
  const starts: number[] = [0];
  const codeSums: number[] = [];
  const likeness: Likeness[] = [];
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
      likeness.push(packedLikeness(packed));
    },
    finish(id) {
      const { common, grams, bytes, ends, sums } = lists.finish();
      const codeBytes = file.written();
      // In the order of `partsOf`.
      const { index, words } = joined(
        [common, grams, ends, sums, starts, codeSums, likeness.flat(), inOrder(likeness)],
        numbers,
      );
      const addresses = Buffer.from(names.join(''), 'hex');
      if (addresses.length !== NAME_BYTES * names.length) throw new Error('a document hash is invalid');
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

/** The places of documents in the order of their likeness. */
function inOrder(likeness: readonly Likeness[]): Uint32Array {
  const of = (place: number): Likeness => likeness[place] ?? [0, 0];
  return Uint32Array.from(likeness.keys()).sort((a, b) => compareLikeness(of(a), of(b)));
}

type Words = readonly number[] | Uint32Array;

/** Concatenates all words. `numbers` comes last: each process has its own, so they are not written. */
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

/** Larger buffers get larger memory pages, which the kernel takes at least twice as long to clear and fill. */
const WRITE_BYTES = 128 * 1024;
const HOST = hash('sha256', hostname()).slice(0, 8);
const UNFINISHED = /^([0-9a-f]{8})-(\d+)-[0-9a-f-]{36}\.new$/;

type NewFile = {
  fd: number;
  /** The number of bytes accepted so far. */
  written(): number;
  write(bytes: Uint8Array): void;
  flush(): void;
  /** Renames the file, replacing one with this name. */
  finish(name: string): void;
  abandon(): void;
};

/**
 * Creates a file whose name contains its host and process, so that an unfinished file is never opened as a complete
 * one.
 */
export function createFile(folder: string): NewFile {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${HOST}-${process.pid}-${crypto.randomUUID()}.new`);
  const fd = openSync(path, 'wx+', 0o600);
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
    write(bytes) {
      if (held + bytes.length > WRITE_BYTES) flush();
      if (bytes.length > WRITE_BYTES) return put(bytes);
      buffer.set(bytes, held);
      held += bytes.length;
    },
    flush,
    finish(name) {
      try {
        renameSync(path, join(folder, name));
      } catch {
        // The folder was removed, or another process removed the file as abandoned: this process can still use it.
        rmSync(path, { force: true });
      }
    },
    abandon() {
      closeSync(fd);
      rmSync(path, { force: true });
    },
  };
}

/** An unfinished file without a write for this long is abandoned. */
const ABANDONED_MS = 600_000;

/** Whether a name is that of an unfinished file. */
export const isUnfinished = (name: string): boolean => UNFINISHED.test(name);

/** Whether an unfinished file, last written at `writtenMs`, has no writer any more. */
export function isAbandoned(name: string, writtenMs: number): boolean {
  const [, host, pid] = UNFINISHED.exec(name) ?? [];
  if (Date.now() - writtenMs > ABANDONED_MS) return true;
  if (host !== HOST) return false;
  // An earlier process may have had the same id, as is usual in containers.
  if (Number(pid) === process.pid) return writtenMs < Date.now() - process.uptime() * 1000;
  return !isAlive(Number(pid));
}
