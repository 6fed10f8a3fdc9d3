/** One search in one thread, in steps so that other searches can take turns. */
import { SEARCH_HITS_IN_ONE_FUNCTION } from '../../../contract/limits.ts';
import { type Catalogue, isWithin, versionsFor } from '../catalogue.ts';
import type { Documents } from '../documents.ts';
import { allTexts, filesOf, pathsOf, textBytes } from '../index/packed-code.ts';
import {
  ALL_ALONE,
  type FoundFunction,
  NONE_ALONE,
  NOWHERE,
  type Progress,
  type Share,
  sharedClockMs,
  type ThreadOrder,
} from '../messages.ts';
import { isOfWords, type Names } from '../names.ts';
import { inOrder, placeIn } from '../ranked-list.ts';
import type { FunctionRow } from '../table/function-rows.ts';
import { cpuBudgetFor, type MayContinue, processorMs } from './cpu-budget.ts';
import { createFolding } from './folding.ts';
import { charsOf, type Found, historyOf, type Seen } from './scan.ts';
import { createScanner, hasAll, type Scanner } from './scanner.ts';
import { compileFilters } from './tree-filters.ts';

export type Searched = { catalogue: Catalogue; codes: Documents; names: Names | undefined };
export type Job = Generator<undefined, 'ALL' | 'STOPPED'>;

/** Runs one share of a search, by code or by words; reports results with `ways`. */
export function startJob(
  searched: Searched,
  order: ThreadOrder,
  progress: Progress,
  share: Share,
  ways: Pick<Ways, 'emit' | 'onLong'> & { aloneMs?: number; hasCpu?: () => boolean },
): Job {
  const { hasCpu = () => true } = ways;
  const isStopped = () => !hasCpu() || isJobOver(order, progress);
  return 'code' in order
    ? searchCode(searched, order, { aloneMs: ALONE_MS, ...ways, share: { ...share }, progress, isStopped })
    : searchNames(searched, order, { ...ways, isStopped });
}

/** Whether a search was stopped, or its time is up. */
export const isJobOver = (order: ThreadOrder, progress: Progress): boolean =>
  progress.isStopped() || sharedClockMs() > order.untilMs;

/** After this time alone, a thread calls the others; most searches end sooner than a thread wakes. */
const ALONE_MS = 2;

/** Limit for all lines of a result, including context. */
const ANSWER_CHARS = 4_000_000;

type Code = Extract<ThreadOrder, { code: unknown }>;
type Words = Extract<ThreadOrder, { words: unknown }>;
type Ways = {
  share: Share;
  progress: Progress;
  isStopped: () => boolean;
  emit: (found: FoundFunction) => void;
  /** The thread was alone for `aloneMs`, and takes only its share after this place. */
  onLong: (place: number) => void;
  aloneMs: number;
};

/**
 * Determines the candidates at once, and scans them step by step. All threads receive the request after the same
 * changes and use the same functions, whatever changes during the search.
 */
function searchCode(searched: Searched, order: Code, ways: Ways): Job {
  if (ways.isStopped()) return nothing();
  const scanner = createScanner(order.code, order.paths);
  const { sorted } = searched.catalogue.ranking(order.sort);
  return lookThrough(
    searched,
    order,
    scanner,
    { sorted, chosen: candidates(searched, order, scanner, ways.share) },
    ways,
  );
}

// biome-ignore lint/correctness/useYield: the only step is the last one.
function* nothing(): Job {
  return 'STOPPED';
}

function* lookThrough(
  { catalogue, codes }: Searched,
  order: Code,
  scanner: Scanner,
  { sorted, chosen }: Candidates,
  ways: Ways,
): Job {
  const { share, progress, isStopped, emit, onLong, aloneMs } = ways;
  const startMs = performance.now();
  let chars = 0;
  let isAll = true;
  /** By document. */
  const matched = new Map<number, boolean>();
  const folding = order.isFolded
    ? createFolding(
        { catalogue, codes },
        order,
        ({ slot }) => placeIn(catalogue.rows, sorted, slot, order.sort),
        matches,
      )
    : undefined;
  for (const { entry, place } of chosen) {
    if (place > progress.lastPlace() || progress.hasEnoughBefore(place)) {
      progress.reach(share.share, place - 1);
      return isAll ? 'ALL' : 'STOPPED';
    }
    if (folding?.isDone(entry)) continue;
    if (share.alone === ALL_ALONE && share.shares > 1 && performance.now() - startMs > aloneMs) {
      share.alone = place;
      onLong(place);
    }
    yield;
    if (isStopped()) return 'STOPPED';
    const first = yield* look(codes, entry, order, scanner, isStopped);
    note(first);
    const isPart = order.window !== undefined && !first.isWhole;
    const partial = isPart ? { partial: first.isFound ? ('FOUND' as const) : ('NOT_FOUND' as const) } : {};
    const group = first.isFound && folding ? yield* folding.groupOf(entry) : { original: entry };
    if ((first.isFound || isPart) && group) {
      const { original, copies } = group;
      const shown = original.slot === entry.slot ? first : yield* look(codes, original, order, scanner, isStopped);
      note(shown);
      const { isWhole: _, isFound: __, hits, ...found } = shown;
      const { function_id, version } = original;
      const one = { ...found, ...partial, function_id, version, place, hits: JSON.stringify(hits) };
      emit(copies ? { ...one, copies } : one);
      progress.found(share.share, place);
      chars += charsOf(hits);
      if (chars > ANSWER_CHARS / share.shares) {
        // The result is complete up to this function, so no other thread needs to search further.
        progress.endAt(place);
        progress.reach(share.share, place);
        return 'STOPPED';
      }
    }
    if (isStopped()) return 'STOPPED';
    progress.reach(share.share, place);
  }
  progress.reach(share.share, NOWHERE);
  return isAll ? 'ALL' : 'STOPPED';

  function note({ isWhole }: { isWhole: boolean }): void {
    if (isWhole) return;
    isAll = false;
    progress.skip();
  }

  /** Whether a copy matches. Functions with the same document match alike, unless the query has filters of functions. */
  function* matches(entry: FunctionRow): Generator<undefined, boolean> {
    const known = order.code.mode === 'boolean' ? undefined : matched.get(entry.code);
    if (known !== undefined) return known;
    if (!scanner.mayMatchEntry(entry)) return false;
    yield;
    const looked = yield* look(codes, entry, order, scanner, isStopped);
    const { isFound } = looked;
    note(looked);
    matched.set(entry.code, isFound);
    return isFound;
  }
}

/** The candidates, and all functions in the order of the search. */
type Candidates = { sorted: Int32Array; chosen: Entries };
type Entries = Iterable<{ entry: FunctionRow; place: number }>;
/** With more segments than this per thread, a thread takes whole segments; otherwise every n-th function. */
const SEGMENTS_EACH = 2;

/** The candidates of this share, in ranking order. */
function candidates({ catalogue, codes }: Searched, order: Code, scanner: Scanner, part: Share): Entries {
  const { need } = scanner;
  const { share, shares } = part;
  if (order.window) return windowOf({ catalogue, codes }, order, order.window.slots, scanner, part);
  if (order.within.slot !== undefined) return onlyOne(catalogue, order, order.within.slot, scanner, part);
  const isAtOnce = part.alone === NONE_ALONE;
  const isOlder = order.history || order.version !== undefined;
  const bySegment = isAtOnce && need !== null && !isOlder && codes.segments >= SEGMENTS_EACH * shares;
  const numbers = bySegment ? codes.candidates(need, share, shares) : codes.candidates(need);
  const { sorted } = catalogue.ranking(order.sort);
  const marked = numbers && catalogue.withCodes(numbers, isOlder, order.sort);
  const isWhole = bySegment && marked !== undefined;
  const isOwn = (place: number) => isWhole || (place <= part.alone ? share === 0 : place % shares === share);
  const runtime = order.runtime ?? '';
  return (function* () {
    try {
      for (let place = (order.after ?? -1) + 1; place < sorted.length; place++) {
        // Skips to the next marked place.
        if (marked && marked[place] === 0) place = marked.indexOf(1, place);
        if (place < 0) return;
        if (!isOwn(place)) continue;
        const slot = sorted[place] ?? 0;
        if (!isWithin(catalogue.rows, slot, order.within)) continue;
        const entry = catalogue.row(slot);
        if (entry.runtime.startsWith(runtime) && scanner.mayMatchEntry(entry)) yield { entry, place };
      }
    } finally {
      if (marked) catalogue.releaseMarks(marked);
    }
  })();
}

/** The one function of a search in one function, in the share of its place. */
function onlyOne(catalogue: Catalogue, order: Code, slot: number, scanner: Scanner, part: Share): Entries {
  const place = catalogue.ranking(order.sort).places[slot] ?? -1;
  const { share, shares, alone } = part;
  const isOwn = place <= alone ? share === 0 : place % shares === share;
  if (place < 0 || !isOwn || !isWithin(catalogue.rows, slot, order.within)) return [];
  const entry = catalogue.row(slot);
  return entry.runtime.startsWith(order.runtime ?? '') && scanner.mayMatchEntry(entry) ? [{ entry, place }] : [];
}

/** The candidates of this share in a window. They are determined at once, as places in the ranking change. */
function windowOf(
  { catalogue, codes }: Pick<Searched, 'catalogue' | 'codes'>,
  order: Code,
  slots: Int32Array,
  scanner: Scanner,
  { share, shares }: Share,
): Entries {
  const numbers = codes.candidates(scanner.need);
  const { places } = catalogue.ranking();
  const marked = numbers && catalogue.withCodes(numbers, order.history);
  const chosen: { entry: FunctionRow; place: number }[] = [];
  for (let place = share; place < slots.length; place += shares) {
    const slot = slots[place] ?? -1;
    const ranked = places[slot] ?? -1;
    if (ranked < 0 || (marked && marked[ranked] === 0) || !isWithin(catalogue.rows, slot, order.within)) continue;
    const entry = catalogue.row(slot);
    if (entry.runtime.startsWith(order.runtime ?? '') && scanner.mayMatchEntry(entry)) chosen.push({ entry, place });
  }
  if (marked) catalogue.releaseMarks(marked);
  return chosen;
}

/** In a window, CPU time for one function. Otherwise one with very many versions would take all of the time. */
const FUNCTION_CPU_MS = 2000;

function* look(codes: Documents, entry: FunctionRow, order: Code, scanner: Scanner, isStopped: () => boolean) {
  let wasAbandoned = false;
  let isFound = false;
  let usedMs = 0;
  const scan = (number: number, versions: readonly number[], most?: number, isNew?: Seen): Found => {
    if (!order.window) return scanCode(number, versions, most, isNew);
    if (usedMs > FUNCTION_CPU_MS) {
      wasAbandoned = true;
      return NOTHING;
    }
    const startMs = processorMs();
    const found = scanCode(number, versions, most, isNew);
    usedMs += processorMs() - startMs;
    return found;
  };
  const scanCode = (number: number, versions: readonly number[], most?: number, isNew?: Seen): Found => {
    const packed = codes.read(number);
    wasAbandoned ||= codes.isMissing(number);
    if (!packed || !scanner.mayMatchBytes(textBytes(packed))) return NOTHING;
    const texts = allTexts(packed);
    const hasTime = scanner.isPlain ? () => true : cpuBudgetFor(texts.length);
    const mayContinue: MayContinue = (aheadMs) => {
      const isInTime = hasTime(aheadMs);
      wasAbandoned ||= !isInTime;
      return isInTime && !isStopped();
    };
    if (!scanner.mayMatch(texts)) return NOTHING;
    const files = [...filesOf(packed, texts)];
    const found = scanner.scan(
      { entry, versions, code: number, files },
      { context: order.context, mayContinue, most, isNew },
    );
    isFound ||= found !== undefined;
    return found ?? NOTHING;
  };
  if (!order.history) {
    const { version = entry.version } = order;
    const isLive = version === entry.version;
    const code = isLive
      ? entry.code
      : versionsFor(entry, order.scope.account_id).find(([each]) => each === version)?.[1];
    const usual = order.scope.function_id === undefined ? undefined : SEARCH_HITS_IN_ONE_FUNCTION;
    const most = order.window?.hits ?? usual;
    const found = code === undefined ? NOTHING : scan(code, [version], most);
    const named = order.version === undefined ? {} : { first_version: version, last_version: version };
    return { ...found, ...named, isFound, isWhole: !wasAbandoned };
  }
  const versions = versionsFor(entry, order.scope.account_id);
  const inHistory = (code: number, most: number, isNew: Seen) =>
    scan(
      code,
      versions.flatMap(([version, each]) => (each === code ? [version] : [])),
      most,
      isNew,
    );
  const { isWhole, ...found } = yield* historyOf(versions, inHistory, isStopped, order.window?.hits);
  // Without a hit there is no version to name.
  return { ...found, isFound: found.hit_count > 0, isWhole: isWhole && !wasAbandoned };
}

const NOTHING: Found = { hit_count: 0, hits: [] };

type NameWays = Pick<Ways, 'isStopped' | 'emit'>;

function* searchNames({ catalogue, codes, names }: Searched, order: Words, { isStopped, emit }: NameWays): Job {
  const { where } = order;
  const filters = where && compileFilters(where);
  const isAsked = (slot: number) => {
    if (!isWithin(catalogue.rows, slot, order.within)) return false;
    const entry = catalogue.row(slot);
    return (
      entry.runtime.startsWith(order.runtime ?? '') && (!where || !filters || filters.mayMatchEntry(where.tree, entry))
    );
  };
  const known = catalogue.ranking();
  const ranked = names?.find(order.words, known, isAsked);
  const isFound = ranked && (ranked.count > 0 || isOfWords(order.words));
  const matching = isFound ? ranked : (names?.withinNames(order.words, known, isAsked) ?? []);
  const sorted =
    order.sort && order.sort !== 'relevance' ? inOrder(catalogue.rows, [...matching], order.sort) : matching;
  const folding = order.isFolded
    ? createFolding({ catalogue, codes }, order, placesIn(sorted), passesPaths)
    : undefined;
  let place = 0;
  let isAll = true;
  for (const slot of sorted) {
    const entry = catalogue.row(slot);
    if (folding?.isDone(entry) || !(yield* passesPaths(entry))) continue;
    if (isStopped()) return 'STOPPED';
    const group = folding ? yield* folding.groupOf(entry) : { original: entry };
    if (!group) continue;
    const { original, copies } = group;
    const { function_id, version } = original;
    emit({ function_id, version, place: place++, hit_count: 0, hits: '[]', ...(copies ? { copies } : {}) });
    if (place > order.limit) break;
  }
  return isAll ? 'ALL' : 'STOPPED';

  function* passesPaths(entry: FunctionRow): Generator<undefined, boolean> {
    if (order.paths.length === 0 && !where) return true;
    yield;
    if (isStopped()) return false;
    const packed = codes.read(entry.code);
    isAll &&= !codes.isMissing(entry.code);
    const paths = packed ? pathsOf(packed).filter((path) => hasAll(path, order.paths)) : [];
    return paths.length > 0 && (!where || !filters || filters.match(where.tree, entry, paths));
  }
}

/** The place of each function in a list. */
function placesIn(sorted: Iterable<number>): (entry: FunctionRow) => number {
  const places = new Map<number, number>();
  for (const slot of sorted) places.set(slot, places.size);
  return ({ slot }) => places.get(slot) ?? -1;
}
