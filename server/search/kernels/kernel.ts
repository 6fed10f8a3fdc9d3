/**
 * Loads the hot loops of indexing and search, which are WebAssembly: V8 makes far slower code of the same loops in
 * JavaScript, because it checks the bounds of every access. They are written as text, one `.wat` file each, which also
 * describes the layout of its memory. `node scripts/kernels.ts --write` compiles them to the `.wasm` files beside them.
 */
import { readFileSync } from 'node:fs';

declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new <Exports>(module: object) => { readonly exports: Exports };
};

/** Pages have 64 KB. Growing replaces `buffer`. */
type Memory = { readonly buffer: ArrayBuffer; grow(pages: number): number };
type Address = { readonly value: number };
/** What a kernel exports: its memory, its functions, and as `…At` the addresses of what lies in the memory. */
export type Kernel<Functions, Places extends string> = { memory: Memory } & Functions & Record<`${Places}At`, Address>;

const PAGE_BYTES = 65_536;

/** Reads and compiles the kernel of that name, once per thread; each call of the result has its own memory. */
export function loadKernel<Exports extends { memory: Memory }>(name: string): () => Exports {
  const module = new WebAssembly.Module(readFileSync(new URL(`${name}.wasm`, import.meta.url)));
  return () => new WebAssembly.Instance<Exports>(module).exports;
}

/** Grows a memory by this many bytes, in whole pages. */
export function growMemory(memory: Memory, bytes: number): void {
  memory.grow(Math.ceil(bytes / PAGE_BYTES));
}
