/**
 * The likeness of a document: a hash of its code without comments, without formatting, without prose files, and without
 * the name and the version in a package.json. Documents with the same likeness are copies of each other. The indentation
 * of Python and YAML stays, as it has a meaning. Strings are compared as they are written.
 */
import { hash } from 'node:crypto';
import { growMemory, type Kernel, loadKernel } from '../kernels/kernel.ts';
import type { FileBytes } from './bundle-texts.ts';

export const LIKENESS_BYTES = 8;

type Syntax = {
  /** Line comments begin with it. */
  line?: '//' | '#';
  /** Has comments between slash and asterisk. */
  hasBlocks?: boolean;
  hasStrings?: boolean;
  isIndented?: boolean;
};

const C_LIKE: Syntax = { line: '//', hasBlocks: true, hasStrings: true };
const SCRIPT: Syntax = { line: '#', hasStrings: true };
const SYNTAXES = new Map<string, Syntax>(
  Object.entries({
    js: C_LIKE,
    mjs: C_LIKE,
    cjs: C_LIKE,
    jsx: C_LIKE,
    ts: C_LIKE,
    mts: C_LIKE,
    cts: C_LIKE,
    tsx: C_LIKE,
    css: { hasBlocks: true, hasStrings: true },
    json: { hasStrings: true },
    py: { ...SCRIPT, isIndented: true },
    yaml: { ...SCRIPT, isIndented: true },
    yml: { ...SCRIPT, isIndented: true },
    sh: SCRIPT,
    toml: SCRIPT,
  }),
);
const PROSE = /\.(?:md|markdown|txt|rst)$|^(?:.*\/)?(?:LICENSE|NOTICE)$/i;

/** Returns the likeness of files, in any order. */
export function likenessOf(files: readonly FileBytes[]): Buffer {
  const inOrder = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  hashed = 0;
  for (const { path, bytes } of inOrder) {
    if (PROSE.test(path)) continue;
    const code = normalised(withoutName(path, bytes), SYNTAXES.get(endingOf(path)) ?? {});
    if (code.length > 0) addHashed(path, code);
  }
  // Documents without code are copies only if they are equal.
  if (hashed === 0) for (const { path, bytes } of inOrder) addHashed(path, bytes);
  return hash('sha256', memory.subarray(0, hashed), 'buffer').subarray(0, LIKENESS_BYTES);
}

/** The bytes to hash are put together here: hashing them at once costs less than part by part. */
let memory = Buffer.alloc(0);
let hashed = 0;

function addHashed(path: string, bytes: Uint8Array): void {
  const end = hashed + Buffer.byteLength(path) + bytes.length + 2;
  if (end > memory.length) {
    const larger = Buffer.allocUnsafeSlow(2 * end);
    memory.copy(larger, 0, 0, hashed);
    memory = larger;
  }
  hashed += memory.write(path, hashed);
  memory[hashed++] = 0;
  memory.set(bytes, hashed);
  hashed = end;
  memory[end - 1] = 0;
}

const endingOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

/** A package.json without what names the function. */
function withoutName(path: string, bytes: Buffer): Buffer {
  if (path !== 'package.json') return bytes;
  try {
    const { name: _, version: __, description: ___, ...rest } = JSON.parse(bytes.toString());
    return Buffer.from(JSON.stringify(rest));
  } catch {
    return bytes;
  }
}

/** What the kernel does with a byte (likeness.wat). */
const KIND = { space: 1, word: 2, comment: 4, long: 8 };
const FLAG = { lines: 1, blocks: 2, indented: 4 };
const [BLANK, QUOTE, HASH, APOSTROPHE, SLASH, BACKSLASH, BACKTICK] = [...Buffer.from(' "#\'/\\`')] as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];
/** Letters, digits, underscore, dollar sign and all bytes beyond ASCII are parts of words. */
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === BLANK || byte === 9 || byte === 10 || byte === 13) return KIND.space;
  if (byte === BACKSLASH) return KIND.long;
  return byte >= 0x80 || /[\w$]/.test(String.fromCharCode(byte)) ? KIND.word : 0;
});
/** Bytes read behind the code. */
const BEHIND = 2;

type Functions = { normalise(from: number, to: number, out: number, flags: number): number };
const newKernel = loadKernel<Kernel<Functions, 'kinds' | 'code'>>('likeness');
let kernel: ReturnType<typeof newKernel> | undefined;

/** The code with one space where only a space separates two words, and no other: valid until the next call. */
function normalised(code: Uint8Array, { line, hasBlocks, hasStrings, isIndented }: Syntax): Uint8Array {
  kernel ??= newKernel();
  const [kinds, from] = [kernel.kindsAt.value, kernel.codeAt.value];
  const to = from + code.length;
  const out = to + BEHIND;
  const more = out + code.length - kernel.memory.buffer.byteLength;
  if (more > 0) growMemory(kernel.memory, more);
  const bytes = new Uint8Array(kernel.memory.buffer);
  bytes.set(KINDS, kinds);
  if (line === '#') bytes[kinds + HASH] = KIND.comment;
  if (line === '//' || hasBlocks) bytes[kinds + SLASH] = KIND.comment;
  if (hasStrings) for (const each of [QUOTE, APOSTROPHE, BACKTICK]) bytes[kinds + each] = KIND.long;
  bytes.set(code, from);
  bytes.fill(0, to, out);
  const flags = (line === '//' ? FLAG.lines : 0) | (hasBlocks ? FLAG.blocks : 0) | (isIndented ? FLAG.indented : 0);
  return bytes.subarray(out, kernel.normalise(from, to, out, flags));
}
