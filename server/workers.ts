/** The workers of a node, and which of them run during a hold. */

import { createCodeMatcher } from './conditions/code-matches/matcher.ts';
import { createWatcher } from './conditions/watcher.ts';
import { createChecker } from './connections/checks/checker.ts';
import { createRefresher } from './connections/refresh/refresher.ts';
import { createCounter } from './deliveries/events/counter.ts';
import { createSearchIndexer } from './deliveries/events/search-indexer.ts';
import { createReplayer } from './deliveries/replays/replayer.ts';
import { createDeliverer } from './deliveries/sending/deliverer.ts';
import { createCodeReader } from './functions/facts/code-reader.ts';
import { createShadower } from './functions/shadows/shadower.ts';
import { createGradualWatcher } from './functions/versions/gradual.ts';
import { createBackups } from './maintenance/backups.ts';
import { createSweeper } from './maintenance/sweeper.ts';
import type { Services, WorkerName } from './platform/context.ts';
import type { Connection } from './platform/database/connection.ts';
import type { Holder } from './platform/hold.ts';
import type { Worker } from './platform/loop.ts';
import { createGrouper } from './problems/grouper.ts';
import type { Cancellation } from './runtime/cancellation.ts';
import { createPoller } from './triggers/polling/poller.ts';
import { createRegistrar } from './triggers/registration/registrar.ts';
import { createScheduler } from './triggers/schedules/scheduler.ts';

export type Workers = Record<WorkerName, Worker>;

/** They work during a hold: they only count and index what is stored. */
const WORKERS_ON_HOLD = ['counter', 'searchIndexer', 'codeReader'];

/** Resolves when all are started: those that act for the installation once it is not on hold. */
export async function startWorkers(workers: Workers, { released }: Holder, stopping: AbortSignal): Promise<void> {
  const [always = [], others = []] = [true, false].map((is) =>
    Object.entries(workers).flatMap(([name, worker]) => (WORKERS_ON_HOLD.includes(name) === is ? [worker] : [])),
  );
  for (const worker of always) await worker.start();
  await released;
  for (const worker of others) if (!stopping.aborted) await worker.start();
}

export function createWorkers(
  services: Services,
  { soleNode, cut, connection }: { soleNode: boolean; cut: Cancellation; connection: Connection },
): Workers {
  return {
    deliverer: createDeliverer(services, { soleNode, cut }),
    scheduler: createScheduler(services),
    refresher: createRefresher(services),
    checker: createChecker(services),
    sweeper: createSweeper(services),
    replayer: createReplayer(services),
    poller: createPoller(services),
    registrar: createRegistrar(services, { soleNode }),
    counter: createCounter(services),
    searchIndexer: createSearchIndexer(services),
    codeReader: createCodeReader(services),
    shadower: createShadower(services),
    gradualWatcher: createGradualWatcher(services),
    watcher: createWatcher(services),
    grouper: createGrouper(services),
    codeMatcher: createCodeMatcher(services),
    backups: createBackups(services, connection),
  };
}
