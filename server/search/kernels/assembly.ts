/**
 * Writes WebAssembly, as much of it as gram-extraction.ts, ordering.ts and byte-finder.ts need: all that is kept is integers of 32
 * bits. Each of these functions answers an instruction with all that it takes before it, so instructions are nested
 * as in any expression, and go by the names that WebAssembly's text format has for them.
 */
export type Code = readonly number[];
export type Local = { readonly local: number };

declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
  Memory: new (size: { initial: number }) => Memory;
};
/** Pages have 64 KB. With each page more, `buffer` is another one. */
type Memory = { readonly buffer: ArrayBuffer; grow(pages: number): number };
export const PAGE_BYTES = 65_536;

const I32 = 0x7f;
const END = 0x0b;
const NO_RESULT = 0x40;

/** Seven bits to a byte, the lowest first; the highest bit of a byte says whether there are more. */
function unsigned(value: number): Code {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  return value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];
}

const takesTwo =
  (operation: number) =>
  (left: Code, right: Code): Code => [...left, ...right, operation];

export const eq = takesTwo(0x46);
export const ne = takesTwo(0x47);
export const ltS = takesTwo(0x48);
export const ltU = takesTwo(0x49);
export const gtU = takesTwo(0x4b);
export const leU = takesTwo(0x4d);
export const add = takesTwo(0x6a);
export const sub = takesTwo(0x6b);
export const and = takesTwo(0x71);
export const or = takesTwo(0x72);
export const shl = takesTwo(0x74);
export const shrS = takesTwo(0x75);
export const shrU = takesTwo(0x76);

export const i32 = (value: number): Code => [0x41, ...signed(value | 0)];
export const get = ({ local }: Local): Code => [0x20, ...unsigned(local)];
export const set = ({ local }: Local, value: Code): Code => [...value, 0x21, ...unsigned(local)];
/** Sets it, and is what it was set to. */
export const tee = ({ local }: Local, value: Code): Code => [...value, 0x22, ...unsigned(local)];

/** What lies `offset` bytes behind an address. */
export const load = (offset: number, address: Code): Code => [...address, 0x28, 2, ...unsigned(offset)];
export const load8U = (offset: number, address: Code): Code => [...address, 0x2d, 0, ...unsigned(offset)];
export const store = (offset: number, address: Code, value: Code): Code => [
  ...[...address, ...value],
  ...[0x36, 2, ...unsigned(offset)],
];
export const store8 = (offset: number, address: Code, value: Code): Code => [
  ...[...address, ...value],
  ...[0x3a, 0, ...unsigned(offset)],
];

/** How many of the lowest bits are 0. */
export const ctz = (value: Code): Code => [...value, 0x68];

/** Sixteen bytes at once, which nothing keeps but the memory. */
export const v128 = {
  load: (offset: number, address: Code): Code => [...address, ...wide(0), 0, ...unsigned(offset)],
  store: (offset: number, address: Code, value: Code): Code => [
    ...[...address, ...value],
    ...[...wide(11), 0, ...unsigned(offset)],
  ],
  /** Each byte that is equal has all its bits, each other one none. */
  eq: (left: Code, right: Code): Code => [...left, ...right, ...wide(35)],
  and: (left: Code, right: Code): Code => [...left, ...right, ...wide(78)],
  or: (left: Code, right: Code): Code => [...left, ...right, ...wide(80)],
  /** The highest bit of each byte, as an integer. */
  bitmask: (value: Code): Code => [...value, ...wide(100)],
};
const wide = (operation: number): Code => [0xfd, ...unsigned(operation)];

/** One after the other. */
export const all = (...parts: Code[]): Code => parts.flat();
export const when = (condition: Code, then: Code, otherwise: Code = []): Code => [
  ...[...condition, 0x04, NO_RESULT],
  ...then,
  ...(otherwise.length > 0 ? [0x05, ...otherwise] : []),
  END,
];
/** Once, and again as long as the condition holds. */
export const repeat = (body: Code, condition: Code): Code => [0x03, NO_RESULT, ...body, ...condition, 0x0d, 0, END];

/** Ends the function with this as its result. */
export const give = (value: Code): Code => [...value, 0x0f];

/** `locals` counts the parameters too, which are the first; `body` leaves the result. */
export type Written = { parameters: number; locals: number; body: Code };

/** A module of functions, by their names. */
export function compile(functions: Record<string, Written>): object {
  const counted = (items: Code[]): Code => [...unsigned(items.length), ...items.flat()];
  const sized = (bytes: Code): Code => [...unsigned(bytes.length), ...bytes];
  const text = (given: string): Code => sized([...Buffer.from(given)]);
  const all = Object.entries(functions);
  const sections: [number, Code][] = [
    [
      1,
      counted(all.map(([, { parameters }]) => [0x60, ...counted(Array(parameters).fill([I32])), ...counted([[I32]])])),
    ],
    [2, counted([[...text('from'), ...text('memory'), 0x02, 0x00, 1]])],
    [3, counted(all.map((_, type) => unsigned(type)))],
    [7, counted(all.map(([name], at) => [...text(name), 0x00, ...unsigned(at)]))],
    [
      10,
      counted(
        all.map(([, { parameters, locals, body }]) =>
          sized([...counted([[...unsigned(locals - parameters), I32]]), ...body, END]),
        ),
      ),
    ],
  ];
  const start = [...Buffer.from('\0asm'), 1, 0, 0, 0];
  return new WebAssembly.Module(
    Uint8Array.from([...start, ...sections.flatMap(([id, section]) => [id, ...sized(section)])]),
  );
}

/** The functions of such a module, on a new memory. */
export function instantiate<Name extends string>(module: object, bytes: number) {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
  const { exports } = new WebAssembly.Instance(module, { from: { memory } });
  return { memory, run: exports as Record<Name, (...given: number[]) => number> };
}
