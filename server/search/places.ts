/** Where code lies that can be read: in segments, or in memory while it is fresh; and which of it nobody has any more. */
import { closeSync } from 'node:fs';
import type { Code, CodeTable } from './code-table.ts';
import { nameAt } from './kept-segment.ts';
import type { FreshCode } from './messages.ts';
import { numbersOf, type SegmentView } from './segment.ts';

/** What changed of the codes that can be read. */
export type CodeChange = { segments: SegmentView[]; fresh: FreshCode[]; dropped: number[]; gone: number[] };
/** `dead`: numbers of codes that nobody has, or that another segment has. */
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
  /** Nobody has it any more; or somebody has it again. */
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
  /** Tells all searchers; answers when `dropped` segments are read no more. */
  publish: (change: CodeChange) => Promise<void>;
  /** A code that some have lies nowhere any more. */
  onLost: (code: Code) => void;
  /** A segment has code of nobody. */
  onDead: () => void;
  /** Nobody needs this file any more. */
  remove: (fileName: string) => void;
};

const NOTHING: CodeChange = { segments: [], fresh: [], dropped: [], gone: [] };

export function createPlaces({ table, publish, onLost, onDead, remove }: Ways): Places {
  const fresh = new Map<number, SharedArrayBuffer>();
  const segments = new Map<number, Held>();

  function takeFresh(codes: FreshCode[]) {
    const kept: FreshCode[] = [];
    for (const [number, packed] of codes) {
      const code = table.numbered(number);
      if (!code) continue;
      if (code.uses === 0) {
        table.drop(code);
        continue;
      }
      code.at = 'FRESH';
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

  /** Answers how many of its codes nobody has. */
  function enter(view: SegmentView): number {
    const dead = new Set<number>();
    segments.set(view.id, { view, dead });
    for (const number of numbersOf(view)) {
      const code = table.numbered(number);
      fresh.delete(number);
      if (code) code.at = view.id;
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

  /** What another segment has too is dead in this one, under a number that stands for nothing. */
  function takeKept(view: SegmentView, names: Buffer): boolean {
    const shas = Array.from({ length: view.codes }, (_, place) => nameAt(names, place));
    if (shas.every((sha256) => table.named(sha256))) return false;
    const numbers = numbersOf(view);
    const dead = new Set<number>();
    for (const [place, sha256] of shas.entries()) {
      const isElsewhere = table.named(sha256) !== undefined;
      const number = isElsewhere ? table.newNumber() : table.add(sha256, view.id).number;
      numbers[place] = number;
      if (isElsewhere) dead.add(number);
    }
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
    all: () => ({ ...NOTHING, segments: [...segments.values()].map(({ view }) => view), fresh: [...fresh] }),
    close() {
      for (const { view } of segments.values()) closeSync(view.fd);
      segments.clear();
    },
  };
}
