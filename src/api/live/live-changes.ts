import type { LiveChange } from '../../../contract/live.ts';
import { isLeaving } from '../leaving.ts';
import { inputOf, type Operation } from '../operation.ts';
import { invalidateShown } from './invalidate-shown.ts';
import { noteFigures, refreshFigures } from './live-figures.ts';
import { noteLastEvents } from './live-last-events.ts';
import { expireLists, isLiveList, refreshLists } from './live-lists.ts';

type Noun = LiveChange['noun'];
type Ids = Readonly<Record<string, string | undefined>>;
type Concern = {
  /** Answers about one thing: asked again when their parameters name it. */
  one: readonly Operation[];
  /** Answers about many, which any change of the noun may change. */
  many: readonly Operation[];
};

/** Which answers a change of each noun makes stale. Long lists follow in live-lists.ts. */
const CONCERNS: Record<Noun, Concern> = {
  event: { one: ['eventGet'], many: [] },
  delivery: { one: ['eventGet', 'attemptList', 'destinationGet'], many: [] },
  replay: { one: ['replayGet', 'replayItemList'], many: ['replayList'] },
  run: { one: ['runGet', 'runLogList', 'runCallList'], many: [] },
  connection: { one: ['connectionGet'], many: ['connectionList'] },
  // its list follows in live-lists.ts, its figures in live-figures.ts
  call: { one: [], many: ['runCallList'] },
  trigger: { one: ['triggerGet', 'destinationList', 'destinationGet'], many: ['triggerList'] },
  rejection: { one: ['rejectionList'], many: [] },
  function: { one: ['functionGet', 'functionFiles', 'versionList', 'versionGet', 'envList'], many: ['functionList'] },
  account: {
    one: [],
    many: [
      'accountGet',
      'sessionGet',
      'memberList',
      'apiKeyList',
      'auditList',
      'appList',
      'appGet',
      'appCredentialList',
    ],
  },
};

/** Brings what is shown up to date with these changes; returns how many requests that took. */
export async function applyChanges(changes: readonly LiveChange[]): Promise<number> {
  noteFigures(changes);
  noteLastEvents(changes);
  return readShown(changes) + refreshFigures() + (await refreshLists(changes));
}

/** Reads what is shown of the things that changed, without lists and figures; returns how many requests that took. */
export function readShown(changes: readonly LiveChange[]): number {
  return invalidateShown((query) => {
    const input = inputOf(query);
    if (isLiveList(query) || isLeaving(input)) return false;
    return changes.some((change) => concerns(change, query.queryKey[0], input.params ?? {}));
  });
}

function concerns(change: LiveChange, operation: unknown, params: Record<string, string | number>): boolean {
  const { one, many }: Record<keyof Concern, readonly unknown[]> = CONCERNS[change.noun];
  if (many.includes(operation)) return true;
  const ids: Ids = change;
  return one.includes(operation) && Object.entries(params).every(([name, value]) => (ids[name] ?? value) === value);
}

/** Reads everything shown again, the rest when it is shown next; returns how many requests that took. */
export async function refreshAll(): Promise<number> {
  const reads = invalidateShown((query) => !isLiveList(query));
  expireLists();
  return reads + (await refreshLists([]));
}
