import type { LiveChange } from '../../../contract/live.ts';
import { isBeingDeleted } from '../deletions.ts';
import { inputOf, type Operation } from '../operation.ts';
import { invalidateShown } from './invalidate-shown.ts';
import { noteFigures, refreshFigures } from './live-figures.ts';
import { noteLastEvents } from './live-last-events.ts';
import { expireLists, isLiveList, refreshLists } from './live-lists.ts';

type Noun = LiveChange['noun'];
type Ids = Readonly<Record<string, string | number | null | undefined>>;
type Concern = {
  /** Operations about one resource: refetched when their parameters name it. */
  one: readonly Operation[];
  /** Operations about many resources, stale after every change of the noun. */
  many: readonly Operation[];
};

/** The operations that a change of each noun makes stale. live-lists.ts updates the long lists. */
const CONCERNS: Record<Noun, Concern> = {
  event: { one: ['eventGet'], many: [] },
  delivery: { one: ['eventGet', 'attemptList', 'destinationGet'], many: [] },
  // export-progress.ts shows it
  export: { one: [], many: [] },
  saved_filter: { one: [], many: ['savedFilterList', 'savedFilterCounts'] },
  saved_request: { one: [], many: ['savedRequestList'] },
  replay: {
    one: ['replayGet', 'replayItemList'],
    many: ['replayList'],
  },
  problem: { one: ['problemGet', 'problemFailureList'], many: ['problemList'] },
  run: { one: ['runGet', 'runLogList', 'runCallList'], many: [] },
  connection: { one: ['connectionGet', 'connectionHealth', 'connectionUses'], many: ['connectionList'] },
  // live-lists.ts updates its list, live-figures.ts its statistics
  call: { one: [], many: ['runCallList', 'callGet'] },
  capture: { one: [], many: ['captureList'] },
  trigger: { one: ['triggerGet', 'destinationList', 'destinationGet'], many: ['triggerList', 'connectionUses'] },
  rejection: { one: ['rejectionList'], many: [] },
  function: {
    one: ['functionGet', 'functionFiles', 'versionList', 'versionGet', 'envList', 'gradualGet'],
    many: ['functionList'],
  },
  shadow: { one: ['shadowGet', 'shadowRequestList', 'shadowRequestGet', 'shadowList'], many: [] },
  account: {
    one: [],
    many: [
      'accountGet',
      'sessionGet',
      'sessionList',
      'factorList',
      'memberList',
      'apiKeyList',
      'identityProviderList',
      'auditList',
      'appList',
      'appGet',
      'appCredentialList',
    ],
  },
};

/** Refreshes the displayed data that these changes affect; returns how many requests that took. */
export async function applyChanges(changes: readonly LiveChange[]): Promise<number> {
  noteFigures(changes);
  noteLastEvents(changes);
  return readShown(changes) + refreshFigures() + (await refreshLists(changes));
}

/** Refreshes displayed resources that changed, without lists and statistics; returns how many requests that took. */
export function readShown(changes: readonly LiveChange[]): number {
  return invalidateShown((query) => {
    const input = inputOf(query);
    if (isLiveList(query) || isBeingDeleted(input)) return false;
    return changes.some((change) => concerns(change, query.queryKey[0], input.params ?? {}));
  });
}

function concerns(change: LiveChange, operation: unknown, params: Record<string, string | number>): boolean {
  const { one, many }: Record<keyof Concern, readonly unknown[]> = CONCERNS[change.noun];
  if (many.includes(operation)) return true;
  const ids: Ids = change;
  return one.includes(operation) && Object.entries(params).every(([name, value]) => (ids[name] ?? value) === value);
}

/** Refetches all displayed data now and the rest when next displayed; returns how many requests that took. */
export async function refreshAll(): Promise<number> {
  const reads = invalidateShown((query) => !isLiveList(query));
  expireLists();
  return reads + (await refreshLists([]));
}
