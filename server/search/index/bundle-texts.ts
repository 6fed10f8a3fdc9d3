/** Reads the texts of a bundle as bytes, without creating strings of them: the build of the index reads all code. */
import { isUtf8 } from 'node:buffer';
import { growMemory, type Kernel, loadKernel } from '../kernels/kernel.ts';

export type FileBytes = { path: string; bytes: Buffer };

const BEGIN = Buffer.from('{"files":{');
/** Bytes read behind the bundle, and written behind the texts. */
const BEHIND = 16;
const ENTRY_WORDS = 4;
/** A path that is no name of an array element: objects have those first. */
const NAME = /^(?!\d+$|__proto__$)/;

type Functions = { unpack(from: number, to: number, out: number): number };
const newKernel = loadKernel<Kernel<Functions, 'table' | 'code'>>('bundle-texts');
let kernel: ReturnType<typeof newKernel> | undefined;

/**
 * The files of a bundle in its order, valid until the next call. Each text is followed by a newline, and the next text
 * is behind it. A byte order mark at the start of a text is removed. Undefined if only `readBundle` can read the bundle
 * or refuse it.
 */
export function bundleTexts(bundle: Uint8Array): FileBytes[] | undefined {
  if (!isUtf8(bundle) || !BEGIN.equals(bundle.subarray(0, BEGIN.length))) return undefined;
  kernel ??= newKernel();
  const { memory } = kernel;
  const from = kernel.codeAt.value;
  const to = from + bundle.length;
  const out = to + BEHIND;
  const more = out + bundle.length + BEHIND - memory.buffer.byteLength;
  if (more > 0) growMemory(memory, more);
  const bytes = Buffer.from(memory.buffer);
  bytes.set(bundle, from);
  bytes.fill(0, to, out);
  const count = kernel.unpack(from + BEGIN.length, to, out);
  if (count < 0) return undefined;
  const table = new Uint32Array(memory.buffer, kernel.tableAt.value, ENTRY_WORDS * count);
  const files: FileBytes[] = [];
  for (let at = 0; at < table.length; at += ENTRY_WORDS) {
    const [pathAt, pathEnd, textAt, textEnd] = table.subarray(at, at + ENTRY_WORDS);
    const path = bytes.toString('utf8', pathAt, pathEnd);
    const last = files.at(-1);
    // In this order, each path is different.
    if (!NAME.test(path) || (last && path <= last.path)) return undefined;
    files.push({ path, bytes: bytes.subarray(textAt, textEnd) });
  }
  return files;
}
