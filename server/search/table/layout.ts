/**
 * The memory in which search threads have all functions: shared, written by the event loop only, and read by every
 * thread, so that a further thread needs nothing for it.
 *
 * A function has a *slot*, its index in the columns. What has no fixed size is its *record*: its versions, its texts,
 * and a *node* for each document that its versions have. The nodes of a document form a list. All this is in segments
 * of a fixed size: the memory grows by further segments, and none is ever moved. A word is 4 bytes; the address of a
 * word counts all words of the segments of records before it. No record begins at 0, which stands for none.
 *
 * A slot is written once, before threads are sent its number, and does not change while a thread uses it: a changed
 * function gets another slot. So each search sees the functions as they were when it began.
 */

/** Functions of a segment. */
const SLOT_BITS = 14;
export const SLOTS = 1 << SLOT_BITS;
/** Words of a segment of records: 4 MiB. */
const WORD_BITS = 20;
export const WORDS = 1 << WORD_BITS;
/** Documents of a segment of lists. */
const CODE_BITS = 14;
export const CODES = 1 << CODE_BITS;

export const slotAt = (slot: number): [segment: number, at: number] => [slot >>> SLOT_BITS, slot & (SLOTS - 1)];
export const wordAt = (word: number): [segment: number, at: number] => [word >>> WORD_BITS, word & (WORDS - 1)];
export const codeAt = (code: number): [segment: number, at: number] => [code >>> CODE_BITS, code & (CODES - 1)];

const FLOATS = ['score', 'deployed'] as const;
const NUMBERS = [
  'account',
  'runtime',
  'visibility',
  'version',
  'code',
  'stars',
  'runs',
  'record',
  'versions',
  'hidden',
  'nodes',
  'idBytes',
  'nameBytes',
  'descriptionBytes',
] as const;
/**
 * The columns of a segment. `account`, `runtime`: the address of a text. `record`: an address. `versions`, `hidden`,
 * `nodes`: how many of them its record has. `deployed` is 0 when unknown.
 */
export type Columns = Record<(typeof FLOATS)[number], Float64Array> & Record<(typeof NUMBERS)[number], Int32Array>;

const ROW_BYTES = 8 * FLOATS.length + 4 * NUMBERS.length;
export const newColumns = (): SharedArrayBuffer => new SharedArrayBuffer(SLOTS * ROW_BYTES);

export function columnsOf(memory: SharedArrayBuffer): Columns {
  let at = 0;
  const take = <T>(name: string, bytes: number, make: (at: number) => T) => {
    const column = make(at);
    at += bytes * SLOTS;
    return [name, column] as const;
  };
  return Object.fromEntries([
    ...FLOATS.map((name) => take(name, 8, (from) => new Float64Array(memory, from, SLOTS))),
    ...NUMBERS.map((name) => take(name, 4, (from) => new Int32Array(memory, from, SLOTS))),
  ]) as Columns;
}

/**
 * A segment of records. A record longer than a segment has the memory of several: then `words` and `bytes` reach beyond
 * the segment, to the end of that memory.
 */
export type Records = { words: Int32Array; bytes: Buffer; times: Float64Array };
export const newRecords = (segments = 1): SharedArrayBuffer => new SharedArrayBuffer(4 * WORDS * segments);

/** The segments in a memory, which may have several. */
export function recordsOf(memory: SharedArrayBuffer): Records[] {
  return Array.from({ length: memory.byteLength / (4 * WORDS) }, (_, at) => {
    const from = 4 * WORDS * at;
    return {
      words: new Int32Array(memory, from),
      bytes: Buffer.from(memory, from),
      times: new Float64Array(memory, from),
    };
  });
}

/** By document, the address of the first and of the last node of its list. */
export type Lists = Int32Array;
export const newLists = (): SharedArrayBuffer => new SharedArrayBuffer(2 * 4 * CODES);

/** New segments, in order. */
export type Grown = { columns: SharedArrayBuffer[]; records: SharedArrayBuffer[]; lists: SharedArrayBuffer[] };

/** Where the parts of a record begin, in words after its address; `texts` in bytes. */
export type Parts = { times: number; versions: number; hidden: number; nodes: number; texts: number };

/**
 * A record: the id; the times when its versions were created (NaN when unknown); number and document of each; the
 * versions that other accounts cannot read; the nodes; name and description in UTF-8.
 */
export function partsOf(idBytes: number, versions: number, hidden: number, nodes: number): Parts {
  // Times are read as numbers of 8 bytes.
  const times = 2 * Math.ceil(idBytes / 8);
  const afterTimes = times + 2 * versions;
  const afterVersions = afterTimes + 2 * versions;
  const afterHidden = afterVersions + hidden;
  return {
    times,
    versions: afterTimes,
    hidden: afterVersions,
    nodes: afterHidden,
    texts: 4 * (afterHidden + NODE_WORDS * nodes),
  };
}

export const partsAt = (columns: Columns, at: number): Parts =>
  partsOf(columns.idBytes[at] ?? 0, columns.versions[at] ?? 0, columns.hidden[at] ?? 0, columns.nodes[at] ?? 0);

/** A node: the function with the document, as below, and the address of the next node. */
export const NODE_WORDS = 2;
/** Twice the slot, plus 1 when the live version has the document. */
export const taggedSlot = (slot: number, isLive: boolean): number => 2 * slot + (isLive ? 1 : 0);
