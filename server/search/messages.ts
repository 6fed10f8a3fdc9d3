/**
 * What threads of code search share: messages, a clock and, for the threads of one search, a few words of memory. The
 * words contain a stop flag, the last place worth searching, and the places of the functions found by each thread. So
 * each thread stops as soon as all of them have found enough better functions.
 */
import type { SearchSort } from '../../contract/states.ts';
import type { BlobsDescription } from '../platform/blobs/blobs.ts';
import type { SegmentView } from './index/segment.ts';
import type { TextQuery } from './query/finder.ts';
import type { TreeQuery } from './query/tree.ts';
import type { Scope } from './table/entry.ts';
import type { TableChange, Within } from './table/function-table.ts';

/** A packed document that is in no segment yet. */
export type FreshCode = [number: number, packed: SharedArrayBuffer];

/** A query. A file's path must contain all `paths`; `runtime` is a prefix of the function's runtime. `version` is
 * searched instead of the live version. */
export type SearchOrder = {
  scope: Scope;
  paths: string[];
  runtime: string | undefined;
  limit: number;
  /** Relevance when absent. */
  sort?: SearchSort | undefined;
  /** Returns each group of copies once, and counts it once for the limit. */
  isFolded?: boolean | undefined;
} & (
  | { code: TextQuery | TreeQuery; context: number; history: boolean; version?: number | undefined }
  /** `where`: filters of the function and of the paths of its files. */
  | { words: string; where?: TreeQuery | undefined }
);
/** The boolean query of an order, or its filters as one. */
export function treeOf(order: SearchOrder): TreeQuery | undefined {
  if ('words' in order) return order.where;
  return order.code.mode === 'boolean' ? order.code : undefined;
}

/**
 * When a search ends without having searched everything: at `untilMs` of `sharedClockMs`, as threads share no other
 * clock; in a thread that has used `cpuMs` of CPU time for it, when given. `after`: functions up to this place are not
 * searched, as an earlier search has.
 */
export type Bounds = { untilMs: number; cpuMs?: number | undefined; after?: number | undefined };
/** A query for the threads. */
export type Order = SearchOrder & Bounds & { window?: Window };
/**
 * A part of a search of all functions: only these are searched, and the place of a function is its index. `hits`: those
 * kept of a function.
 */
export type Window = { ids: readonly string[]; hits: number };
/** A query as sent to a thread: its scope, and the functions of its window, as the shared memory has them. */
export type ThreadOrder = SearchOrder &
  Bounds & { within: Within; window?: { slots: Int32Array; hits: number } | undefined };

/** `place` is the function's place in the ranking, 0 for the best. */
export type FoundFunction = {
  function_id: string;
  version: number;
  place: number;
  hit_count: number;
  /** HistoryHit[] as JSON: serialized by the thread, so that the event loop need not clone every line. */
  hits: string;
  first_version?: number;
  last_version?: number;
  /** In a window, a function whose code was not searched whole: whether a match was found in the rest. */
  partial?: 'FOUND' | 'NOT_FOUND';
  copies?: FoundCopies;
};

/** The other matching functions with the same likeness, the oldest first. */
export type FoundCopies = {
  likeness: string;
  functions: { function_id: string; version: number }[];
  /** Not all of them are listed. */
  isMore: boolean;
};

/** The initial data of a search thread. */
export type SearcherData = {
  hasNames: boolean;
  /** Increases with every turn of the thread: a thread that has work but no new turns is stuck. */
  turns: Int32Array<SharedArrayBuffer>;
  /** The last change of the functions before all searches that the thread runs, and after those that it has applied. */
  released: Int32Array<SharedArrayBuffer>;
};
/** A change of the readable documents. */
export type CodeChange = {
  segments: SegmentView[];
  fresh: FreshCode[];
  dropped: number[];
  gone: number[];
  /** All documents in use that could not be read; absent when that did not change. */
  missing?: number[];
};
export type ToSearcher =
  | CodeChange
  /** Functions were added to the shared memory, or removed. */
  | { functions: TableChange; isMoreToCome: boolean }
  /** The thread indexes names from now on, as the thread that did was lost. */
  | { names: true }
  /** Starts a job: the thread searches its share of the functions. `progress`: see `Progress`. */
  | { job: number; order: ThreadOrder; progress: SharedArrayBuffer; share: Share };
export type FromSearcher =
  /** The thread has the functions of the first change that it was sent. */
  | { started: true }
  /** Functions found. They are batched, as each message wakes a thread. */
  | { job: number; found: FoundFunction[] }
  /** INVALID: the expression does not compile; `position` counts its characters from 0. */
  | {
      job: number;
      end: 'ALL' | 'STOPPED' | 'FAILED' | 'INVALID';
      /** The last functions found. */
      rest?: FoundFunction[];
      reason?: string;
      position?: number;
    }
  /** The search takes long: the other threads search their shares after this place. */
  | { job: number; aloneTo: number }
  /** A segment is damaged. */
  | { damaged: number }
  /** The thread reads these segments no more. */
  | { released: number[] };

/** The initial data of a builder thread. */
export type BuilderData = { blobs: BlobsDescription };
export type BuilderTask =
  | { read: [number: number, sha256: string][] }
  | { build: [number: number, sha256: string][]; id: number }
  /** Merges these segments and these fresh documents, without the dead ones. */
  | { merge: SegmentView[]; fresh: [...FreshCode, sha256: string][]; dead: number[]; id: number };
export type ToBuilder = BuilderTask & { folder: string; stop: SharedArrayBuffer };
/** A document that could not be read: the code of the error, or DAMAGED; `reason` is the message of a database error. */
export type Missing = { number: number; cause: string; reason?: string };
export type FromBuilder =
  | { fresh: FreshCode[]; missing: Missing[] }
  /** `left`: the number of documents that did not fit. `segment` is null when no document was readable. */
  | { segment: SegmentView | null; missing: Missing[]; left: number }
  /** `damaged`: the segment that could not be read. */
  | { failed: string; damaged?: number };

/**
 * A thread's share of a search. The first thread searches all functions up to the place `alone`, the others none of
 * them.
 */
export type Share = { share: number; shares: number; alone: number };
export const NONE_ALONE = -1;
export const ALL_ALONE = Number.POSITIVE_INFINITY;

/** Milliseconds since the epoch with a sub-millisecond resolution: the only clock that threads share. */
export const sharedClockMs = (): number => performance.timeOrigin + performance.now();

/** The words before the places found; `begun`: the number of threads that have begun. */
const HEAD = { words: 4, stop: 0, lastPlace: 1, begun: 2, skipped: 3 } as const;
/** After all places. */
export const NOWHERE = 2 ** 31 - 1;
/** Before all places. */
export const NOTHING_SEARCHED = -1;

export type Progress = {
  /** The shared memory, for the other threads. */
  readonly memory: SharedArrayBuffer;
  stop(): void;
  isStopped(): boolean;
  begin(): void;
  begun(): number;
  /** Records that code was not searched whole, up to a place that was reached nevertheless. */
  skip(): void;
  hasSkipped(): boolean;
  /** Marks all places after this one as not needed. */
  endAt(place: number): void;
  lastPlace(): number;
  /** Records a function found by a thread, whose places must be ascending. */
  found(share: number, place: number): void;
  /** Whether all threads together have found enough functions before a place; each thread asks for ascending places. */
  hasEnoughBefore(place: number): boolean;
  /** Records that a thread has searched its functions up to a place, including it. */
  reach(share: number, place: number): void;
  /** The place up to which all threads have searched. */
  reached(): number;
};

/**
 * Creates the progress of a search by `shares` threads for `limit` functions, or opens the `memory` of another thread.
 */
export function createProgress(shares: number, limit: number, memory?: SharedArrayBuffer): Progress {
  // Each thread publishes its number of finds, their places, up to one more than the limit, and the place it reached.
  const most = limit + 1;
  const room = 1 + most + 1;
  const reachedAt = (share: number) => HEAD.words + share * room + 1 + most;
  const shared = memory ?? new SharedArrayBuffer(4 * (HEAD.words + shares * room));
  const words = new Int32Array(shared);
  if (!memory) {
    words[HEAD.lastPlace] = NOWHERE;
    for (let share = 0; share < shares; share++) words[reachedAt(share)] = NOTHING_SEARCHED;
  }
  /** By thread: the number of its finds before the last place asked for. */
  const passed = new Uint32Array(shares);

  return {
    memory: shared,
    stop: () => void Atomics.store(words, HEAD.stop, 1),
    isStopped: () => Atomics.load(words, HEAD.stop) === 1,
    begin: () => void Atomics.add(words, HEAD.begun, 1),
    begun: () => Atomics.load(words, HEAD.begun),
    skip: () => void Atomics.store(words, HEAD.skipped, 1),
    hasSkipped: () => Atomics.load(words, HEAD.skipped) === 1,
    endAt(place) {
      if (place < Atomics.load(words, HEAD.lastPlace)) Atomics.store(words, HEAD.lastPlace, place);
    },
    lastPlace: () => Atomics.load(words, HEAD.lastPlace),
    found(share, place) {
      const at = HEAD.words + share * room;
      const count = Atomics.load(words, at);
      if (count === most) return;
      Atomics.store(words, at + 1 + count, place);
      Atomics.store(words, at, count + 1);
    },
    hasEnoughBefore(place) {
      let enough = 0;
      for (let share = 0; share < shares; share++) {
        const at = HEAD.words + share * room;
        const count = Atomics.load(words, at);
        let before = passed[share] ?? 0;
        while (before < count && Atomics.load(words, at + 1 + before) < place) before += 1;
        passed[share] = before;
        enough += before;
      }
      return enough >= most;
    },
    reach: (share, place) => void Atomics.store(words, reachedAt(share), place),
    reached() {
      let least = Atomics.load(words, HEAD.lastPlace);
      for (let share = 0; share < shares; share++) least = Math.min(least, Atomics.load(words, reachedAt(share)));
      return least;
    },
  };
}
