/** Messages between the threads of code search. */
import type { BlobsDescription } from '../platform/blobs/blobs.ts';
import type { Scope } from './catalogue.ts';
import type { SegmentView } from './index/segment.ts';
import type { CodeQuery } from './query/matcher.ts';
import type { Hit } from './query/scan.ts';

/** A code that is in no segment yet, packed. */
export type FreshCode = [number: number, packed: SharedArrayBuffer];

/** What is asked of a searcher; the path of a file must contain all `path` texts, `runtime` is a prefix of the function's. */
export type Order = {
  scope: Scope;
  paths: string[];
  runtime: string | undefined;
  limit: number;
  /** By the clock of the machine, as threads have no other one in common. */
  untilMs: number;
} & ({ code: CodeQuery; context: number; history: boolean } | { words: string });

/** In history: the first and the last version that have the line. */
export type HistoryHit = Hit & { first_version?: number; last_version?: number };
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
  /** Each searcher looks through its share of the functions. `progress`: see progress.ts. */
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
export type ToBuilder = { folder: string; stop: SharedArrayBuffer } & (
  | { read: [number: number, sha256: string][] }
  | { build: [number: number, sha256: string][]; id: number }
  /** Codes of these segments and these fresh ones, but for the dead, become one segment. */
  | { merge: SegmentView[]; fresh: [...FreshCode, sha256: string][]; dead: number[]; id: number }
);
/** A document that could not be read; `cause` is a code of the file system, or DAMAGED. */
export type Missing = { number: number; cause: string };
export type FromBuilder =
  | { fresh: FreshCode[]; missing: Missing[] }
  /** The codes that had no room are left; no segment where there was nothing for it. */
  | { segment: SegmentView | null; missing: Missing[]; left: number }
  /** `damaged`: the segment that couldn't be read. */
  | { failed: string; damaged?: number };

/**
 * A thread's part of the work: one of several. Of the functions up to the place `alone` the first thread looks at all, and
 * the others at none.
 */
export type Share = { share: number; shares: number; alone: number };

export type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export type SearchOrder = Without<Order, 'untilMs'>;
