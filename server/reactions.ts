/** Reactions to each committed change. A noun without reactions is a type error. */
import type { LiveChange } from '../contract/live.ts';
import type { ReactionTable } from './platform/changes.ts';
import type { Services } from './platform/context.ts';

type Parts = Pick<Services, 'memory' | 'pipeline' | 'runtime' | 'search'>;

const asItIs = <C extends LiveChange>(change: C): LiveChange => change;
const account = (): LiveChange => ({ noun: 'account' });

const dropUpstreams = ({ memory }: Parts, _change: unknown, account_id: string) => memory.upstreams.drop(account_id);
const dropRoute = ({ pipeline }: Parts, { trigger_id }: { trigger_id: string }) => pipeline.routes.forget(trigger_id);
/** Conditions of the account may have changed; the watcher evaluates them within a second. */
const evaluateConditions = ({ memory }: Parts, _change: unknown, account_id: string) =>
  memory.changedAccounts.add(account_id);
const indexAgain = ({ search }: Parts) => search.nudge();

export const reactions: ReactionTable<Parts> = {
  account: { onEveryNode: [], shown: account },
  session: { onEveryNode: [], shown: account },
  api_key: {
    onThisNode: [evaluateConditions],
    onEveryNode: [({ memory }, { hash }) => hash !== null && memory.keys.drop(hash)],
    shown: account,
  },
  app: {
    onEveryNode: [
      dropUpstreams,
      ({ memory }, _change, account_id) => memory.hooks.dropWhere((hook) => hook.account_id === account_id),
    ],
    shown: account,
  },
  connection: { onThisNode: [evaluateConditions], onEveryNode: [dropUpstreams], shown: asItIs },
  connection_use: {
    onEveryNode: [],
    shown: ({ connection_id, status }) => ({ noun: 'connection', connection_id, status }),
  },
  credentials: { onEveryNode: [dropUpstreams], shown: () => null },
  call: { onEveryNode: [], shown: asItIs },
  capture: { onEveryNode: [dropUpstreams], shown: asItIs },
  trigger: {
    onThisNode: [evaluateConditions],
    onEveryNode: [dropRoute, ({ memory }, { ingress_hash }) => ingress_hash != null && memory.hooks.drop(ingress_hash)],
    shown: ({ trigger_id }) => ({ noun: 'trigger', trigger_id }),
  },
  destination: {
    onThisNode: [evaluateConditions],
    onEveryNode: [
      dropRoute,
      ({ pipeline }, { destination_id, pace }) => {
        pipeline.openCircuits.delete(destination_id);
        pipeline.lanes.changed(destination_id);
        if (pace) pipeline.lanes.paceChanged(destination_id);
      },
    ],
    shown: ({ trigger_id }) => ({ noun: 'trigger', trigger_id }),
  },
  rejection: { onThisNode: [evaluateConditions], onEveryNode: [], shown: asItIs },
  event: { onEveryNode: [], shown: asItIs },
  delivery: { onEveryNode: [], shown: asItIs },
  cancellation: {
    onEveryNode: [({ pipeline }, { destination_id }) => pipeline.lanes.recall(destination_id)],
    shown: () => null,
  },
  circuit: {
    onOtherNodes: [({ pipeline }, { destination_id, pause_ms }) => pipeline.lanes.opened(destination_id, pause_ms)],
    onEveryNode: [],
    shown: () => null,
  },
  export: { onEveryNode: [], shown: asItIs },
  saved_filter: {
    onEveryNode: [({ memory }, _change, account_id) => memory.filterCounts.drop(account_id)],
    shown: asItIs,
  },
  saved_request: { onEveryNode: [], shown: asItIs },
  replay: { onThisNode: [evaluateConditions], onEveryNode: [], shown: asItIs },
  problem: { onThisNode: [evaluateConditions], onEveryNode: [], shown: asItIs },
  function: {
    onEveryNode: [
      ({ memory }, { function_id }) => memory.callables.dropWhere(({ fn }) => fn.function_id === function_id),
      // Processes of the previous live version finish their runs; the next run reads the stored function.
      ({ runtime }, { function_id }) => runtime.retire(`${function_id}/`),
      indexAgain,
    ],
    shown: asItIs,
  },
  star: { onEveryNode: [indexAgain], shown: ({ function_id }) => ({ noun: 'function', function_id }) },
  shadow: { onEveryNode: [], shown: asItIs },
  run: { onEveryNode: [], shown: asItIs },
};

/** Clears every cache that changes invalidate, after changes of other nodes may have been missed. */
export function forgetAll({ memory, pipeline }: Pick<Parts, 'memory' | 'pipeline'>): void {
  for (const cache of [memory.upstreams, memory.keys, memory.callables, memory.hooks]) cache.clear();
  pipeline.routes.forgetAll();
}
