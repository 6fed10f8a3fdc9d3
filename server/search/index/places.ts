/**
 * The table of documents in use or recently used, by number and by hash; and where readable ones are stored: in
 * segments, or in memory while they are fresh.
 */
import { closeSync } from 'node:fs';
import type { CodeChange, FreshCode } from '../messages.ts';
import { numbersOf, type SegmentView } from './segment.ts';
import { nameAt } from './segment-file.ts';

/** `at`: the number of its segment, or the reason why it has none. */
export type Code = {
  readonly number: number;
  readonly sha256: string;
  uses: number;
  /** Failed reads in a row. */
  misses: number;
  at: 'WAITING' | 'TAKEN' | 'FRESH' | 'MISSING' | number;
};

export class CodeTable {
  readonly #bySha = new Map<string, Code>();
  readonly #byNumber = new Map<number, Code>();
  #count = 0;

  /** Returns a number that no document or segment has had. */
  readonly newNumber = (): number => {
    this.#count += 1;
    return this.#count;
  };

  add(sha256: string, at: Code['at']): Code {
    const code = { number: this.newNumber(), sha256, uses: 0, misses: 0, at };
    this.#bySha.set(sha256, code);
    this.#byNumber.set(code.number, code);
    return code;
  }

  named(sha256: string): Code | undefined {
    return this.#bySha.get(sha256);
  }

  numbered(number: number): Code | undefined {
    return this.#byNumber.get(number);
  }

  drop(code: Code): void {
    this.#bySha.delete(code.sha256);
    this.#byNumber.delete(code.number);
  }

  /** The numbers of documents in use that could not be read, including those being read again. */
  missing(): number[] {
    return [...this.#bySha.values()].filter(({ uses, misses }) => uses > 0 && misses > 0).map(({ number }) => number);
  }

  all(): Iterable<Code> {
    return this.#bySha.values();
  }

  get size(): number {
    return this.#bySha.size;
  }
}

/** `dead`: the numbers of documents that are unreferenced, or that another segment has too. */
export type Held = { view: SegmentView; dead: Set<number> };

export type Places = {
  readonly fresh: ReadonlyMap<number, SharedArrayBuffer>;
  readonly segments: ReadonlyMap<number, Held>;
  freshBytes(): number;
  takeFresh(codes: FreshCode[]): void;
  /** Adds a new segment that replaces others; null when no document of theirs is left. */
  takeSegment(view: SegmentView | null, replaced: Held[]): void;
  /** Adds a segment of an earlier process; returns false when other segments have all of its documents. */
  takeKept(view: SegmentView, names: Buffer): boolean;
  /** Records that a document became unreferenced. */
  markUnreferenced(code: Code): void;
  /** Records that a document is referenced again. */
  markReferenced(code: Code): void;
  hasDead(): boolean;
  /** Drops a segment; its documents in use have to be read again. */
  giveUp(held: Held): void;
  holds(fileName: string): boolean;
  all(): CodeChange;
  close(): void;
};

type Ways = {
  table: CodeTable;
  /** Sends a change to all searchers; resolves when no thread reads the `dropped` segments any more. */
  publish: (change: CodeChange) => Promise<void>;
  /** A document in use is no longer stored anywhere. */
  onLost: (code: Code) => void;
  /** A segment has unreferenced documents. */
  onDead: () => void;
  /** A file is not needed any more. */
  remove: (fileName: string) => void;
};

const NOTHING: CodeChange = { segments: [], fresh: [], dropped: [], gone: [] };

export function createPlaces({ table, publish, onLost, onDead, remove }: Ways): Places {
  const fresh = new Map<number, SharedArrayBuffer>();
  const segments = new Map<number, Held>();

  function takeFresh(codes: FreshCode[]) {
    const kept: FreshCode[] = [];
    for (const [number, packed] of codes) {
      if (!becomesFresh(table, number)) continue;
      fresh.set(number, packed);
      kept.push([number, packed]);
    }
    if (kept.length > 0) void publish({ ...NOTHING, fresh: kept });
  }

  function takeSegment(view: SegmentView | null, replaced: Held[]) {
    const dead = view ? enter(view) : 0;
    for (const each of replaced) segments.delete(each.view.id);
    for (const each of replaced) for (const number of each.dead) leave(number, each.view.id);
    for (const each of replaced) if (each.view.fileName !== view?.fileName) remove(each.view.fileName);
    const dropped = replaced.map((each) => each.view.id);
    void publish({ ...NOTHING, segments: view ? [view] : [], dropped }).then(() => {
      for (const each of replaced) closeSync(each.view.fd);
    });
    if (dead > 0) onDead();
  }

  /** Adds a segment; returns how many of its documents are unreferenced. */
  function enter(view: SegmentView): number {
    const dead = new Set<number>();
    segments.set(view.id, { view, dead });
    for (const number of numbersOf(view)) {
      const code = table.numbered(number);
      fresh.delete(number);
      if (code) {
        code.at = view.id;
        code.misses = 0;
      }
      if (!code || code.uses === 0) dead.add(number);
    }
    return dead.size;
  }

  /** Handles a document that was left out when its segment was rewritten. */
  function leave(number: number, segment: number) {
    const code = table.numbered(number);
    if (code?.at !== segment) return;
    if (code.uses > 0) onLost(code);
    else table.drop(code);
  }

  function takeKept(view: SegmentView, names: Buffer): boolean {
    const dead = numberKept(table, view, names);
    if (!dead) return false;
    segments.set(view.id, { view, dead });
    void publish({ ...NOTHING, segments: [view] });
    return true;
  }

  return {
    fresh,
    segments,
    freshBytes: () => [...fresh.values()].reduce((sum, { byteLength }) => sum + byteLength, 0),
    takeFresh,
    takeSegment,
    takeKept,
    markUnreferenced(code) {
      if (typeof code.at === 'number') {
        segments.get(code.at)?.dead.add(code.number);
        onDead();
      } else if (code.at === 'FRESH') {
        fresh.delete(code.number);
        table.drop(code);
        void publish({ ...NOTHING, gone: [code.number] });
      }
    },
    markReferenced(code) {
      if (typeof code.at === 'number') segments.get(code.at)?.dead.delete(code.number);
    },
    hasDead: () => [...segments.values()].some(({ dead }) => dead.size > 0),
    giveUp(held) {
      takeSegment(null, [{ view: held.view, dead: new Set(numbersOf(held.view)) }]);
    },
    holds: (fileName) => [...segments.values()].some(({ view }) => view.fileName === fileName),
    all: () => ({
      ...NOTHING,
      segments: [...segments.values()].map(({ view }) => view),
      fresh: [...fresh],
      missing: table.missing(),
    }),
    close() {
      for (const { view } of segments.values()) closeSync(view.fd);
      segments.clear();
    },
  };
}

/** Whether the document is in use; an unused one is removed from the table. */
function becomesFresh(table: CodeTable, number: number): boolean {
  const code = table.numbered(number);
  if (!code) return false;
  if (code.uses === 0) {
    table.drop(code);
    return false;
  }
  code.at = 'FRESH';
  code.misses = 0;
  return true;
}

/**
 * Numbers the documents of a segment from an earlier process. A document that another segment has too is dead here,
 * under a new number. Returns the dead numbers; undefined when other segments have all of the documents.
 */
function numberKept(table: CodeTable, view: SegmentView, names: Buffer): Set<number> | undefined {
  const shas = Array.from({ length: view.codes }, (_, place) => nameAt(names, place));
  if (shas.every((sha256) => table.named(sha256))) return undefined;
  const numbers = numbersOf(view);
  const dead = new Set<number>();
  for (const [place, sha256] of shas.entries()) {
    const isElsewhere = table.named(sha256) !== undefined;
    const number = isElsewhere ? table.newNumber() : table.add(sha256, view.id).number;
    numbers[place] = number;
    if (isElsewhere) dead.add(number);
  }
  return dead;
}
