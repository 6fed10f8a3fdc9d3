/**
 * Decides which segments are merged, and when: small ones, fresh documents, and segments with unreferenced documents.
 */
import type { Done, MergeTask } from '../threads/builders.ts';
import type { CodeTable, Held, Places } from './places.ts';
import { MOST_CODES } from './posting-lists.ts';

export type Merging = {
  /** Starts the next merge, if one is due. */
  begin(isWaiting: boolean): void;
  isGoing(): boolean;
  /** Whether this segment is being merged. */
  isAt(segment: number): boolean;
  /** Schedules a purge of unreferenced documents. */
  purgeSoon(): void;
  close(): void;
};

type Ways = {
  table: CodeTable;
  places: Places;
  purgeMs: number;
  schedule: () => void;
  run: (task: MergeTask, take: (answer: Done) => void, fail: () => void) => void;
  /** No segment has unreferenced documents any more. */
  onPurged: () => void;
};

const FRESH_MOST = { codes: 512, bytes: 4 * 1024 * 1024 };
const SMALL_BYTES = 32 * 1024 * 1024;
const MERGED_BYTES = 64 * 1024 * 1024;
const FEW_SEGMENTS = 3;

export function createMerging({ table, places, purgeMs, schedule, run, onPurged }: Ways): Merging {
  const merging = new Set<number>();
  let isGoing = false;
  let isPurging = false;
  /** A merge failed, for instance because the disk is full: the next one waits for the purge timer. */
  let isPaused = false;
  let timer: NodeJS.Timeout | undefined;

  function purgeSoon() {
    timer ??= setTimeout(() => {
      timer = undefined;
      isPaused = false;
      isPurging = true;
      schedule();
    }, purgeMs).unref();
  }

  /** Starts one merge. A purge rewrites segments with unreferenced documents, one after the other. */
  function begin(isWaiting: boolean) {
    if (isPaused) return;
    if (isPurging) {
      const stale = [...places.segments.values()].find((each) => each.dead.size > 0);
      isPurging = stale !== undefined;
      if (stale) return merge([stale], []);
      onPurged();
    }
    const isFull = places.fresh.size > FRESH_MOST.codes || places.freshBytes() > FRESH_MOST.bytes;
    const chosen = smallOnes(places);
    if (isFull) merge(chosen, [...places.fresh]);
    else if (chosen.length > FEW_SEGMENTS && !isWaiting) merge(chosen, []);
  }

  function merge(chosen: Held[], fresh: [number, SharedArrayBuffer][]) {
    isGoing = true;
    for (const { view } of chosen) merging.add(view.id);
    const dead = chosen.flatMap((held) => [...held.dead]);
    const ended = () => {
      isGoing = false;
      merging.clear();
    };
    const isEmpty = fresh.length === 0 && chosen.every(({ view, dead }) => view.codes === dead.size);
    if (isEmpty) {
      ended();
      places.takeSegment(null, chosen);
      // No builder runs, so nothing else would schedule the next merge.
      return schedule();
    }
    const named = fresh.map(([number, packed]): [number, SharedArrayBuffer, string] => {
      return [number, packed, table.numbered(number)?.sha256 ?? ''];
    });
    run(
      { merge: chosen.map(({ view }) => view), fresh: named, dead, id: table.newNumber() },
      (answer) => {
        ended();
        // Documents referenced again during the purge are read again; those unreferenced since are in the new segment.
        for (const held of chosen) held.dead = new Set(dead);
        places.takeSegment('segment' in answer ? answer.segment : null, chosen);
      },
      () => {
        ended();
        isPaused = true;
        purgeSoon();
      },
    );
  }

  return {
    begin,
    isGoing: () => isGoing,
    isAt: (segment) => merging.has(segment),
    purgeSoon,
    close: () => clearTimeout(timer),
  };
}

/** The smallest segments that fit into one merged segment. */
function smallOnes({ segments, fresh }: Places): Held[] {
  let bytes = 0;
  let codes = fresh.size;
  return [...segments.values()]
    .filter(({ view }) => view.codeBytes < SMALL_BYTES)
    .sort((a, b) => a.view.codeBytes - b.view.codeBytes)
    .filter(({ view }) => {
      bytes += view.codeBytes;
      codes += view.codes;
      return bytes <= MERGED_BYTES && codes < MOST_CODES;
    });
}
