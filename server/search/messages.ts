/** What the threads of code search tell each other. */
import type { Scope } from './catalogue.ts';
import type { Share } from './codes.ts';
import type { CodeQuery } from './matcher.ts';
import type { Hit } from './scan.ts';
import type { SegmentView } from './segment.ts';

/** A code that is in no segment yet, packed. */
export type FreshCode = [number: number, packed: SharedArrayBuffer];

/** What is asked of a searcher; `path` texts must all stand in the path of a file, `runtime` begins the function's. */
export type Order = {
  scope: Scope;
  paths: string[];
  runtime: string | undefined;
  limit: number;
  /** By the clock of the machine, as threads have no other one in common. */
  untilMs: number;
} & ({ code: CodeQuery; context: number; history: boolean } | { words: string });

/** In history: between which versions the line stood there. */
export type HistoryHit = Hit & { first_version?: number; last_version?: number };
/** `place` is where the function stands among all, smallest first. */
export type FoundFunction = {
  function_id: string;
  version: number;
  place: number;
  hit_count: number;
  /** HistoryHit[], as JSON: a thread that writes it saves the event loop taking in a clone of each line. */
  hits: string;
  first_version?: number;
  last_version?: number;
};

export type ToSearcher =
  | { segments: SegmentView[]; fresh: FreshCode[]; dropped: number[]; gone: number[] }
  /** `entries` as JSON: it is written once for all of them, and a clone costs each of them three times as much. */
  | { entries: string; removed: string[]; isMoreToCome: boolean }
  /** Each searcher looks through its share of the functions. `progress`: see progress.ts. */
  | { job: number; order: Order; progress: SharedArrayBuffer; share: Share };
export type FromSearcher =
  | { started: true }
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

export type ToBuilder = { folder: string; blobs: string; stop: SharedArrayBuffer } & (
  | { read: [number: number, sha256: string][] }
  | { build: [number: number, sha256: string][]; id: number }
  /** Codes of these segments and these fresh ones, but for the dead, become one segment. */
  | { merge: SegmentView[]; fresh: [...FreshCode, sha256: string][]; dead: number[]; id: number }
);
export type FromBuilder =
  | { fresh: FreshCode[]; missing: number[] }
  /** The codes that had no room are left; no segment where there was nothing for it. */
  | { segment: SegmentView | null; missing: number[]; left: number }
  /** `damaged`: the segment that couldn't be read. */
  | { failed: string; damaged?: number };
