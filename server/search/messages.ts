/**
 * What passes between the threads of code search: messages; the clock they have in common; and, for the threads that
 * are at one search, a few words of shared memory: whether to stop, behind which place no search is needed, and where
 * each of them found something. So each ends as soon as there are enough better finds by any thread.
 */
import type { BlobsDescription } from '../platform/blobs/blobs.ts';
import type { Scope } from './catalogue.ts';
import type { SegmentView } from './index/segment.ts';
import type { CodeQuery } from './query/matcher.ts';

/** A code that is in no segment yet, packed. */
export type FreshCode = [number: number, packed: SharedArrayBuffer];

/** What is searched for; the path of a file must contain all `path` texts, `runtime` is a prefix of the function's. */
export type SearchOrder = {
  scope: Scope;
  paths: string[];
  runtime: string | undefined;
  limit: number;
} & ({ code: CodeQuery; context: number; history: boolean } | { words: string });
/** What is asked of a searcher. The time is by the clock of the machine, as threads have no other one in common. */
export type Order = SearchOrder & { untilMs: number };

/** `place` is the function's place in the order of all, smallest first. */
export type FoundFunction = {
  function_id: string;
  version: number;
  place: number;
  hit_count: number;
  /** HistoryHit[], as JSON: a thread that writes it saves the event loop from receiving a clone of each line. */
  hits: string;
  first_version?: number;
  last_version?: number;
};

/** What a search thread starts with. */
export type SearcherData = {
  hasNames: boolean;
  /** Goes up with every turn the thread takes: one that has work and whose count doesn't change is stuck. */
  turns: Int32Array<SharedArrayBuffer>;
};
/** What changed of the codes that can be read. */
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
  /** `entries` as JSON: it is written once for all of them, and a clone costs each of them three times as much. */
  | {
      entries: string;
      removed: string[];
      isMoreToCome: boolean;
      /** The last message of a replacement's load: the thread reports `loaded` after it. */
      isLast?: true;
    }
  /** The thread searches names from now on, as the one that did was lost. */
  | { names: true }
  /** Each searcher looks through its share of the functions. `progress`: see `Progress`. */
  | { job: number; order: Order; progress: SharedArrayBuffer; share: Share };
export type FromSearcher =
  | { started: true }
  /** A replacement knows all functions. */
  | { loaded: true }
  /** Some that were found; many together, as each message wakes a thread. */
  | { job: number; found: FoundFunction[] }
  /** INVALID: the expression doesn't compile; `position` counts its characters from 0. */
  | {
      job: number;
      end: 'ALL' | 'STOPPED' | 'FAILED' | 'INVALID';
      /** The last of what was found. */
      rest?: FoundFunction[];
      reason?: string;
      position?: number;
    }
  /** It takes long: behind this place the others are to take their share. */
  | { job: number; aloneTo: number }
  /** This segment can't be read any more as it was written. */
  | { damaged: number }
  /** These segments are used no more. */
  | { released: number[] };

/** What a builder thread starts with. */
export type BuilderData = { blobs: BlobsDescription };
export type BuilderTask =
  | { read: [number: number, sha256: string][] }
  | { build: [number: number, sha256: string][]; id: number }
  /** Codes of these segments and these fresh ones, but for the dead, become one segment. */
  | { merge: SegmentView[]; fresh: [...FreshCode, sha256: string][]; dead: number[]; id: number };
export type ToBuilder = BuilderTask & { folder: string; stop: SharedArrayBuffer };
/** A document that could not be read; `cause` is a code of the file system, or DAMAGED. */
export type Missing = { number: number; cause: string };
export type FromBuilder =
  | { fresh: FreshCode[]; missing: Missing[] }
  /** The codes that had no room are left; no segment where there was nothing for it. */
  | { segment: SegmentView | null; missing: Missing[]; left: number }
  /** `damaged`: the segment that couldn't be read. */
  | { failed: string; damaged?: number };

/**
 * A thread's part of the work: one of several. Of the functions up to the place `alone` the first thread looks at all,
 * and the others at none.
 */
export type Share = { share: number; shares: number; alone: number };
export const NONE_ALONE = -1;
export const ALL_ALONE = Number.POSITIVE_INFINITY;

/** What time it is by the clock of the machine, to less than a millisecond: threads have no other one in common. */
export const sharedClockMs = (): number => performance.timeOrigin + performance.now();

/** The words before the finds; `begun`: how many threads have begun. */
const HEAD = { words: 3, stop: 0, lastPlace: 1, begun: 2 } as const;
const NOWHERE = 2 ** 31 - 1;

export type Progress = {
  /** To be handed to the other threads. */
  readonly memory: SharedArrayBuffer;
  stop(): void;
  isStopped(): boolean;
  begin(): void;
  begun(): number;
  /** Places after this one are not needed. */
  endAt(place: number): void;
  lastPlace(): number;
  /** One of the threads found something; its places go up. */
  found(share: number, place: number): void;
  /** Whether this many were found before a place, by all threads; asked by one of them, for places that go up. */
  hasEnoughBefore(place: number): boolean;
};

/**
 * Of a search that this many threads take part in, and that asks for this many functions; `memory` is that of another
 * thread.
 */
export function createProgress(shares: number, limit: number, memory?: SharedArrayBuffer): Progress {
  // Each thread publishes how many it has, then where they are; no one asks for more than whether there is one beyond
  // the limit.
  const most = limit + 1;
  const room = 1 + most;
  const shared = memory ?? new SharedArrayBuffer(4 * (HEAD.words + shares * room));
  const words = new Int32Array(shared);
  if (!memory) words[HEAD.lastPlace] = NOWHERE;
  /** Of each thread: the number of its finds before the place asked about last. */
  const passed = new Uint32Array(shares);

  return {
    memory: shared,
    stop: () => void Atomics.store(words, HEAD.stop, 1),
    isStopped: () => Atomics.load(words, HEAD.stop) === 1,
    begin: () => void Atomics.add(words, HEAD.begun, 1),
    begun: () => Atomics.load(words, HEAD.begun),
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
  };
}
