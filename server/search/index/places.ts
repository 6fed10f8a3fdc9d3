/**
 * Every document that a function has or had a moment ago, by its number and by its address; and where those lie that
 * can be read: in segments, or in memory while they are fresh.
 */
import { closeSync } from 'node:fs';
import type { CodeChange, FreshCode } from '../messages.ts';
import { numbersOf, type SegmentView } from './segment.ts';
import { nameAt } from './segment-file.ts';

/** `at`: the number of the segment that has it, or why none has. */
export type Code = {
  readonly number: number;
  readonly sha256: string;
  uses: number;
  /** How often in a row it could not be read. */
  misses: number;
  at: 'WAITING' | 'TAKEN' | 'FRESH' | 'MISSING' | number;
};

export class CodeTable {
  readonly #bySha = new Map<string, Code>();
  readonly #byNumber = new Map<number, Code>();
  #count = 0;

  /** One that nothing had before, also not a segment. */
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

  /** The numbers of those in use that could not be read, also while they are being read again. */
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

/** `dead`: numbers of codes that are unreferenced, or that another segment has. */
export type Held = { view: SegmentView; dead: Set<number> };

export type Places = {
  readonly fresh: ReadonlyMap<number, SharedArrayBuffer>;
  readonly segments: ReadonlyMap<number, Held>;
  freshBytes(): number;
  takeFresh(codes: FreshCode[]): void;
  /** A new segment in the place of others; none when nothing of them is left. */
  takeSegment(view: SegmentView | null, replaced: Held[]): void;
  /** One of an earlier process; false when it has nothing that others don't have. */
  takeKept(view: SegmentView, names: Buffer): boolean;
  /** It became unreferenced, or referenced again. */
  died(code: Code): void;
  lives(code: Code): void;
  hasDead(): boolean;
  /** What it has lies nowhere any more. */
  giveUp(held: Held): void;
  holds(fileName: string): boolean;
  all(): CodeChange;
  close(): void;
};

type Ways = {
  table: CodeTable;
  /** Notifies all searchers; answers when `dropped` segments are read no more. */
  publish: (change: CodeChange) => Promise<void>;
  /** A code that some have lies nowhere any more. */
  onLost: (code: Code) => void;
  /** A segment has unreferenced code. */
  onDead: () => void;
  /** This file is not needed any more. */
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

  /** Answers how many of its codes are unreferenced. */
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

  /** A code that was left out of what became of its segment. */
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
    died(code) {
      if (typeof code.at === 'number') {
        segments.get(code.at)?.dead.add(code.number);
        onDead();
      } else if (code.at === 'FRESH') {
        fresh.delete(code.number);
        table.drop(code);
        void publish({ ...NOTHING, gone: [code.number] });
      }
    },
    lives(code) {
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

/** Whether somebody has the code; else it is dropped. */
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
 * Numbers the codes of a segment from an earlier process. What another segment has too is dead in this one, under a
 * number that stands for nothing. Returns the dead numbers; undefined when others have all of it.
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
