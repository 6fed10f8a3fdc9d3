/**
 * Keeps the index: which codes there are, who refers to them, and where they lie. A code that is new waits to be read,
 * is *fresh* (in memory, looked through whole) and becomes part of a *segment*. Small segments are merged; one with
 * codes that nobody refers to any more is written anew without them, and its file is closed when no thread reads it.
 */
import { closeSync } from 'node:fs';
import type { Logger } from 'pino';
import { type Builders, createBuilders } from './builders.ts';
import type { FreshCode, FromBuilder, ToBuilder } from './messages.ts';
import { MOST_CODES } from './ordering.ts';
import { numbersOf, type SegmentView } from './segment.ts';

/** What changed of the codes that can be read. */
export type CodeChange = { segments: SegmentView[]; fresh: FreshCode[]; dropped: number[]; gone: number[] };
export type IndexSize = { codes: number; segments: number; codeBytes: number; indexBytes: number; freshBytes: number };
export type Keeper = {
  /** The number of a code; it is kept until as many `release` it. */
  use(sha256: string): number;
  release(number: number): void;
  /** No more comes soon, so that what waits is taken up though it is little. */
  rush(isRushed: boolean): void;
  /** Whether every code in use can be read. */
  isSettled(): boolean;
  /** Resolves when it is. */
  settled(): Promise<void>;
  /** A segment is damaged: what it has is read anew. */
  renew(segment: number): void;
  all(): CodeChange;
  size(): IndexSize;
  close(): Promise<void>;
};
export type KeeperOptions = {
  folder: string;
  blobs: string;
  log: Pick<Logger, 'warn'>;
  /** Tells all searchers; answers when `dropped` segments are read no more. */
  publish: (change: CodeChange) => Promise<void>;
  /** How long the code of nobody may stay. */
  purgeMs?: number;
};

type Code = { number: number; sha256: string; uses: number; at: 'WAITING' | 'TAKEN' | 'FRESH' | 'MISSING' | number };
type Held = { view: SegmentView; dead: Set<number> };

const PURGE_MS = 30_000;
const RETRY_MS = 30_000;
/** Fewer than this are kept in memory first. */
const FRESH_CODES = 64;
const FRESH_MOST = { codes: 512, bytes: 4 * 1024 * 1024 };
const ENOUGH_CODES = 8000;
const TASK_CODES = 30_000;
const SMALL_BYTES = 32 * 1024 * 1024;
const MERGED_BYTES = 64 * 1024 * 1024;

export function createKeeper({ folder, blobs, log, publish, purgeMs = PURGE_MS }: KeeperOptions): Keeper {
  const stop = new SharedArrayBuffer(4);
  const builders: Builders = createBuilders();
  const bySha = new Map<string, Code>();
  const byNumber = new Map<number, Code>();
  const fresh = new Map<number, SharedArrayBuffer>();
  const segments = new Map<number, Held>();
  const missing = new Set<Code>();
  /** Segments of which another is being made. */
  const merging = new Set<number>();
  let waiting: Code[] = [];
  let waitingCount = 0;
  let isRushed = true;
  let isScheduled = false;
  let isClosed = false;
  let count = 0;
  let most = TASK_CODES;
  let isMerging = false;
  let isPurging = false;
  let timer: NodeJS.Timeout | undefined;
  const waiters: (() => void)[] = [];
  const going = new Set<Promise<void>>();

  const freshBytes = () => [...fresh.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  const base = () => ({ folder, blobs, stop });

  function wait(code: Code) {
    code.at = 'WAITING';
    waiting.push(code);
    waitingCount += 1;
    if (isScheduled) return;
    isScheduled = true;
    // Once for all that come together, such as a page of functions.
    queueMicrotask(() => {
      isScheduled = false;
      schedule();
    });
  }

  function arrived() {
    if (waitingCount === 0) for (const resolve of waiters.splice(0)) resolve();
  }

  function schedule() {
    if (isClosed) return;
    while (builders.free() > 0 && (isRushed ? waiting.length > 0 : waiting.length >= ENOUGH_CODES)) takeUp();
    if (builders.free() > 0 && !isMerging) mergeSome();
    arrived();
  }

  /** The next codes that wait are read: few into memory, many into a segment. */
  function takeUp() {
    const taken = waiting.splice(0, most);
    const used = taken.filter((code) => code.uses > 0);
    waitingCount -= taken.length - used.length;
    for (const code of taken) if (code.uses === 0) drop(code);
    if (used.length === 0) return;
    for (const code of used) code.at = 'TAKEN';
    const codes = used.map(({ number, sha256 }): [number, string] => [number, sha256]);
    const task: ToBuilder =
      used.length <= FRESH_CODES ? { ...base(), read: codes } : { ...base(), build: codes, id: ++count };
    run(task, used, (answer) => {
      if ('failed' in answer) return;
      const read = used.length - ('left' in answer ? answer.left : 0);
      const left = used.slice(read);
      const gone = new Set(answer.missing);
      for (const code of used.slice(0, read)) {
        waitingCount -= 1;
        if (gone.has(code.number)) miss(code);
      }
      for (const code of left) code.at = 'WAITING';
      waiting = [...left, ...waiting];
      if ('fresh' in answer) takeFresh(answer.fresh);
      else if (answer.segment) takeSegment(answer.segment, []);
    });
  }

  function run(task: ToBuilder, codes: Code[], take: (answer: FromBuilder) => void, onFail = () => {}) {
    let damaged: number | undefined;
    const done = builders
      .run(task)
      .then((answer) => {
        if ('failed' in answer) {
          if (answer.damaged !== undefined) damaged = answer.damaged;
          throw new Error(answer.failed);
        }
        most = TASK_CODES;
        take(answer);
      })
      .catch((error: unknown) => {
        if (isClosed) return;
        log.warn({ err: error, codes: codes.length }, 'search: the index couldn’t take some code in');
        // What can't be taken in together may be so one by one.
        if (codes.length > 0) most = Math.max(1, Math.floor(codes.length / 2));
        onFail();
        for (const code of codes) {
          if (codes.length === 1) {
            waitingCount -= 1;
            miss(code);
          } else if (code.at === 'TAKEN') {
            code.at = 'WAITING';
            waiting.unshift(code);
          }
        }
      })
      .finally(() => {
        going.delete(done);
        if (damaged !== undefined) renew(damaged);
        schedule();
      });
    going.add(done);
  }

  function takeFresh(codes: FreshCode[]) {
    const kept: FreshCode[] = [];
    for (const [number, packed] of codes) {
      const code = byNumber.get(number);
      if (!code) continue;
      if (code.uses === 0) {
        drop(code);
        continue;
      }
      code.at = 'FRESH';
      fresh.set(number, packed);
      kept.push([number, packed]);
    }
    if (kept.length > 0) void publish({ segments: [], fresh: kept, dropped: [], gone: [] });
  }

  /** A new segment, in the place of others. */
  function takeSegment(view: SegmentView, replaced: Held[]) {
    const held: Held = { view, dead: new Set() };
    segments.set(view.id, held);
    for (const number of numbersOf(view)) {
      const code = byNumber.get(number);
      fresh.delete(number);
      if (code) code.at = view.id;
      if (!code || code.uses === 0) held.dead.add(number);
    }
    for (const each of replaced) segments.delete(each.view.id);
    for (const each of replaced) for (const number of each.dead) leave(number, each.view.id);
    const dropped = replaced.map((each) => each.view.id);
    void publish({ segments: [view], fresh: [], dropped, gone: [] }).then(() => {
      for (const each of replaced) closeSync(each.view.fd);
    });
    if (held.dead.size > 0) purgeSoon();
  }

  function renew(id: number) {
    const held = segments.get(id);
    // One that is being merged is found damaged by that, too.
    if (isClosed || !held || merging.has(id)) return;
    log.warn({ codes: held.view.codes }, 'search: a damaged segment is made anew');
    segments.delete(id);
    for (const number of numbersOf(held.view)) leave(number, id);
    void publish({ segments: [], fresh: [], dropped: [id], gone: [] }).then(() => closeSync(held.view.fd));
  }

  /** A code that was left out of what became of its segment. */
  function leave(number: number, segment: number) {
    const code = byNumber.get(number);
    if (code?.at !== segment) return;
    if (code.uses > 0) wait(code);
    else drop(code);
  }

  function drop(code: Code) {
    bySha.delete(code.sha256);
    byNumber.delete(code.number);
    missing.delete(code);
  }

  function miss(code: Code) {
    code.at = 'MISSING';
    missing.add(code);
    if (code.uses > 0) log.warn({ code_sha256: code.sha256 }, 'search: a bundle can’t be read');
    setTimeout(() => {
      if (isClosed || !missing.delete(code)) return;
      if (code.uses > 0) wait(code);
      else drop(code);
    }, RETRY_MS).unref();
  }

  function purgeSoon() {
    timer ??= setTimeout(() => {
      timer = undefined;
      isPurging = true;
      schedule();
    }, purgeMs).unref();
  }

  /** Codes of nobody leave: one after the other, their segments are written anew. */
  function mergeSome() {
    const stale = isPurging ? [...segments.values()].find((each) => each.dead.size > 0) : undefined;
    isPurging = stale !== undefined;
    if (stale) return merge([stale], new Map());
    const isFull = fresh.size > FRESH_MOST.codes || freshBytes() > FRESH_MOST.bytes;
    const small = [...segments.values()]
      .filter(({ view }) => view.codeBytes < SMALL_BYTES)
      .sort((a, b) => a.view.codeBytes - b.view.codeBytes);
    let bytes = 0;
    let codes = fresh.size;
    const chosen = small.filter(({ view }) => {
      bytes += view.codeBytes;
      codes += view.codes;
      return bytes <= MERGED_BYTES && codes < MOST_CODES;
    });
    if (isFull) merge(chosen, fresh);
    else if (chosen.length > 3 && waiting.length === 0) merge(chosen, new Map());
  }

  function merge(chosen: Held[], freshOnes: Map<number, SharedArrayBuffer>) {
    isMerging = true;
    for (const { view } of chosen) merging.add(view.id);
    const dead = chosen.flatMap((held) => [...held.dead]);
    const isEmpty = freshOnes.size === 0 && chosen.every(({ view, dead }) => view.codes === dead.size);
    if (isEmpty) return finish(null);
    run(
      { ...base(), merge: chosen.map(({ view }) => view), fresh: [...freshOnes], dead, id: ++count },
      [],
      (answer) => {
        finish('segment' in answer ? answer.segment : null, dead);
      },
      () => {
        isMerging = false;
        merging.clear();
        purgeSoon();
      },
    );

    function finish(view: SegmentView | null, left: number[] = dead) {
      isMerging = false;
      merging.clear();
      if (view) {
        // What came back to life while it was being left out is read anew; what died meanwhile lies in the new one.
        for (const held of chosen) held.dead = new Set(left);
        takeSegment(view, chosen);
      } else {
        for (const held of chosen) segments.delete(held.view.id);
        for (const held of chosen) for (const number of held.dead) leave(number, held.view.id);
        const dropped = chosen.map((held) => held.view.id);
        void publish({ segments: [], fresh: [], dropped, gone: [] }).then(() => {
          for (const held of chosen) closeSync(held.view.fd);
        });
      }
    }
  }

  return {
    use(sha256) {
      let code = bySha.get(sha256);
      if (!code) {
        code = { number: ++count, sha256, uses: 0, at: 'WAITING' };
        bySha.set(sha256, code);
        byNumber.set(code.number, code);
        wait(code);
      }
      code.uses += 1;
      if (typeof code.at === 'number') segments.get(code.at)?.dead.delete(code.number);
      return code.number;
    },
    release(number) {
      const code = byNumber.get(number);
      if (!code || --code.uses > 0) return;
      if (typeof code.at === 'number') {
        segments.get(code.at)?.dead.add(number);
        purgeSoon();
      } else if (code.at === 'FRESH') {
        fresh.delete(number);
        drop(code);
        void publish({ segments: [], fresh: [], dropped: [], gone: [number] });
      }
    },
    rush(given) {
      isRushed = given;
      schedule();
    },
    isSettled: () => waitingCount === 0,
    settled() {
      if (waitingCount === 0) return Promise.resolve();
      return new Promise((resolve) => waiters.push(resolve));
    },
    renew,
    all: () => ({
      segments: [...segments.values()].map(({ view }) => view),
      fresh: [...fresh],
      dropped: [],
      gone: [],
    }),
    size: () => ({
      codes: bySha.size,
      segments: segments.size,
      codeBytes: [...segments.values()].reduce((sum, { view }) => sum + view.codeBytes, 0),
      indexBytes: [...segments.values()].reduce((sum, { view }) => sum + view.indexBytes, 0),
      freshBytes: freshBytes(),
    }),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      Atomics.store(new Int32Array(stop), 0, 1);
      await Promise.all(going);
      await builders.close();
      for (const { view } of segments.values()) closeSync(view.fd);
      segments.clear();
      for (const resolve of waiters.splice(0)) resolve();
    },
  };
}
