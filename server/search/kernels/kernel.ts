/**
 * Loads the hot loops of indexing and search. They are WebAssembly because V8 checks the bounds of every array access,
 * which makes the same loops far slower in JavaScript. Each is a `.wat` text file, which also describes its memory
 * layout. `node scripts/kernels.ts --write` compiles them to the `.wasm` files beside them.
 */
import { readFileSync } from 'node:fs';

declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new <Exports>(module: object) => { readonly exports: Exports };
};

/** A page has 64 KB. Growing the memory replaces `buffer`. */
type Memory = { readonly buffer: ArrayBuffer; grow(pages: number): number };
type Address = { readonly value: number };
/** The exports of a kernel: its memory, its functions, and the address of each part of its memory as `…At`. */
export type Kernel<Functions, Places extends string> = { memory: Memory } & Functions & Record<`${Places}At`, Address>;

const PAGE_BYTES = 65_536;

/** Reads and compiles a kernel; each call of the result creates an instance with a separate memory. */
export function loadKernel<Exports extends { memory: Memory }>(name: string): () => Exports {
  const module = new WebAssembly.Module(readFileSync(new URL(`${name}.wasm`, import.meta.url)));
  return () => new WebAssembly.Instance<Exports>(module).exports;
}

/** Grows a memory by this many bytes, rounded up to whole pages. */
export function growMemory(memory: Memory, bytes: number): void {
  memory.grow(Math.ceil(bytes / PAGE_BYTES));
}
