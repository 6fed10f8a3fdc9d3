import type { LiveChange } from '../../contract/live.ts';
import { isLeaving } from './leaving.ts';
import { refreshFigures } from './live-figures.ts';
import { noteLastEvents } from './live-last-events.ts';
import { headedLists, patchRows, refreshHeads } from './live-lists.ts';
import type { AnyInput, Operation } from './operation.ts';
import { queryClient } from './query-client.ts';

type Noun = LiveChange['noun'];
type Ids = Readonly<Record<string, string | undefined>>;
type Concern = {
  /** Answers about one thing: asked again when their parameters name it. */
  one: readonly Operation[];
  /** Answers about many, which any change of the noun may change. */
  many: readonly Operation[];
};

/** Which answers a change of each noun makes stale. Lists in pages are mended row by row in live-lists.ts. */
const CONCERNS: Record<Noun, Concern> = {
  event: { one: ['eventGet'], many: [] },
  delivery: { one: ['eventGet', 'attemptList', 'destinationGet'], many: [] },
  replay: { one: ['replayGet', 'replayItemList'], many: ['replayList'] },
  run: { one: ['runGet', 'runLogList', 'runCallList'], many: [] },
  connection: { one: ['connectionGet'], many: ['connectionList'] },
  // its list is mended in live-lists.ts, its figures follow in live-figures.ts
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

/** Brings what is shown up to date with these changes. */
export async function applyChanges(changes: readonly LiveChange[]): Promise<void> {
  refreshFigures(changes);
  noteLastEvents(changes);
  await Promise.all([
    queryClient.invalidateQueries({
      predicate: ({ queryKey }) => {
        const [operation, input] = queryKey as [Operation, AnyInput | undefined];
        if (headedLists.has(operation) || isLeaving(input ?? {})) return false;
        return changes.some((change) => concerns(change, operation, input?.params ?? {}));
      },
    }),
    refreshHeads(changes).then((fresh) => patchRows(changes, fresh)),
  ]);
}

function concerns(change: LiveChange, operation: Operation, params: Record<string, string | number>): boolean {
  const { one, many } = CONCERNS[change.noun];
  if (many.includes(operation)) return true;
  const ids: Ids = change;
  return one.includes(operation) && Object.entries(params).every(([name, value]) => (ids[name] ?? value) === value);
}

/** Asks again for all that is shown; the rest when it is shown next. */
export function refreshAll(): void {
  void queryClient.invalidateQueries();
}
