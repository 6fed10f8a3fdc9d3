/** All state of this process between requests: created here, evicted by reactions.ts, flushed at the stop. */

import { SEARCHES_OF_ALL_AT_ONCE, TRANSFORMS_AT_ONCE } from '../contract/limits.ts';
import type { KnownKey } from './accounts/key-limits.ts';
import { createKeyUses, type KeyUses } from './accounts/last-used.ts';
import { type ConnectionUses, createConnectionUses } from './connections/connection-uses.ts';
import { createRefusals, type Refusals } from './connections/credential-refusals.ts';
import { createKeyedSemaphore, type KeyedSemaphore } from './connections/refresh/keyed-semaphore.ts';
import { createRefreshes, type Refreshes } from './connections/refresh/token-refresh.ts';
import { createUpstreamCache, type UpstreamCache } from './connections/upstream/upstream-cache.ts';
import { createFilterCounts, type FilterCounts } from './deliveries/events/filter-counts.ts';
import type { CountedMatrix } from './deliveries/replays/replay-matrix.ts';
import type { ReplayChanges } from './deliveries/store/replays/replays.ts';
import type { Callable } from './functions/calls/callables.ts';
import { createFunctionConcurrency, type FunctionConcurrency } from './functions/calls/function-concurrency.ts';
import { RunRecorder } from './functions/run-recorder/run-recorder.ts';
import { type CallsLog, createCallsLog } from './gateway/calls-log.ts';
import { type CaptureLog, createCaptureLog } from './gateway/captures/capture-log.ts';
import { createRefusedCalls, type RefusedCalls } from './gateway/refusals/refused-calls.ts';
import { type Batcher, createBatcher } from './lib/batcher.ts';
import { type ByteCache, createByteCache } from './lib/byte-cache.ts';
import { createLookupCache, type LookupCache } from './lib/lookup-cache.ts';
import { type AccountSlots, createAccountSlots } from './lib/shares/account-slots.ts';
import type { Shares } from './lib/shares/shares.ts';
import type { MakeRateLimit } from './platform/cluster/rate-limits.ts';
import type { Services } from './platform/context.ts';
import type { TriggersTable } from './platform/database/schema.ts';
import type { FunctionSpec } from './runtime/function-spec.ts';
import { createHookRates, type HookRates } from './triggers/ingress/hook-rates.ts';
import type { Hook } from './triggers/ingress/hooks.ts';
import { createRejectionLog, flushRejections, type RejectionLog } from './triggers/ingress/rejections.ts';
import { withIngressHashes } from './triggers/store/triggers.ts';

export type Memory = {
  /** API keys by the hash of a secret: the current one, or that of before a rotation. */
  keys: LookupCache<KnownKey>;
  keyUses: KeyUses;
  upstreams: UpstreamCache;
  connectionUses: ConnectionUses;
  refusals: Refusals;
  refreshes: Refreshes;
  calls: CallsLog;
  refusedCalls: RefusedCalls;
  captures: CaptureLog;
  /** Triggers by the hash of their ingress token. */
  hooks: LookupCache<Hook>;
  /** Reads the rows of triggers for `hooks`, in batches. */
  hookRows: Batcher<string, TriggersTable | undefined>;
  hookRates: HookRates;
  rejections: RejectionLog;
  /** Registrations at apps in progress. */
  registrations: Set<Promise<unknown>>;
  /** Matrices of running replays, by account and replay. */
  matrices: LookupCache<CountedMatrix>;
  /** What replays change in their requests, by account and replay. */
  replayChanges: LookupCache<ReplayChanges>;
  /** Counts of saved filters, by account. */
  filterCounts: FilterCounts;
  /** Functions by label, and by label and version. */
  callables: LookupCache<Callable>;
  specs: ByteCache<FunctionSpec>;
  /** Transformations in progress, by function. */
  transformTurns: KeyedSemaphore;
  functionConcurrency: FunctionConcurrency;
  /** Searches in progress. */
  searches: AccountSlots<null>;
  /** Searches of all functions in progress. */
  searchesOfAll: AccountSlots<null>;
  runs: RunRecorder;
  /** Accounts with changes that conditions depend on, since the last evaluation. */
  changedAccounts: Set<string>;
};

const MAX_KEYS = 10_000;
const MAX_HOOKS = 10_000;
const MAX_FUNCTIONS = 2_000;
const MAX_MATRICES = 100;
const MAX_REPLAYS = 1_000;
const ALL_TRANSFORMS_AT_ONCE = 256;
const SPECS_BYTES = 64 * 1024 * 1024;

export function createMemory(
  services: Pick<Services, 'db' | 'log' | 'changed' | 'measures'>,
  rateLimit: MakeRateLimit,
  shares: Shares,
): Memory {
  return {
    keys: createLookupCache({ maxEntries: MAX_KEYS }),
    keyUses: createKeyUses(services),
    upstreams: createUpstreamCache(),
    connectionUses: createConnectionUses(services),
    refusals: createRefusals(),
    refreshes: createRefreshes(),
    calls: createCallsLog(services),
    refusedCalls: createRefusedCalls(services),
    captures: createCaptureLog(services),
    hooks: createLookupCache({ maxEntries: MAX_HOOKS }),
    hookRows: createBatcher((hashes) => withIngressHashes(services.db, hashes), { max: 200, atOnce: 2 }),
    hookRates: createHookRates(rateLimit, shares),
    rejections: createRejectionLog(),
    registrations: new Set(),
    matrices: createLookupCache({ maxEntries: MAX_MATRICES, ttlMs: 150_000 }),
    replayChanges: createLookupCache({ maxEntries: MAX_REPLAYS, ttlMs: 60_000 }),
    filterCounts: createFilterCounts(),
    callables: createLookupCache({ maxEntries: MAX_FUNCTIONS }),
    specs: createByteCache(SPECS_BYTES),
    transformTurns: createKeyedSemaphore({ total: ALL_TRANSFORMS_AT_ONCE, each: TRANSFORMS_AT_ONCE }),
    functionConcurrency: createFunctionConcurrency(shares.accountRuns),
    searches: createAccountSlots(shares.accountSearches, 'searches in progress', 1),
    searchesOfAll: createAccountSlots(SEARCHES_OF_ALL_AT_ONCE, 'searches of all functions at the same time', 10),
    runs: new RunRecorder(services),
    changedAccounts: new Set(),
  };
}

/** Flushes buffered rows before the stop. */
export async function flushMemory(services: Services): Promise<void> {
  await services.memory.keyUses.flush();
  await services.memory.connectionUses.flush();
  await services.memory.refusedCalls.flush();
  await flushRejections(services);
}
