import { type Input, operations, type Reply } from '../../contract/operations.ts';
import * as apiKeys from '../accounts/api-keys.ts';
import * as connections from '../connections/connections.ts';
import * as eventStats from '../deliveries/events/event-stats.ts';
import * as events from '../deliveries/events/events.ts';
import * as functions from '../functions/functions.ts';
import * as runs from '../functions/runs/runs.ts';
import * as connectionCalls from '../gateway/connection-calls.ts';
import type { Ctx } from '../platform/context.ts';
import * as problems from '../problems/problems.ts';
import * as triggers from '../triggers/triggers.ts';

/**
 * The content of the console's first page: recent events and runs, failures and retries, failing triggers, and whether
 * the account has a key, a function, a connection and a trigger. Each part is the reply of its list operation, with the
 * default limit unless given; `next_token` belongs to that operation.
 */
export async function get(ctx: Ctx, _input: Input<'overviewGet'>): Promise<Reply<'overviewGet'>> {
  const part = <O extends ListOperation>(
    operation: O,
    list: (ctx: Ctx, input: Input<O>) => Promise<Reply<O>>,
    query: Record<string, string> = {},
  ) => {
    const parsed = { params: {}, query: operations[operation].query.parse(query), body: undefined };
    return list({ ...ctx, operation }, parsed as unknown as Input<O>);
  };
  const [
    keys,
    fns,
    conns,
    inNeed,
    broken,
    newest,
    failing,
    stats,
    latest,
    failed,
    retrying,
    latestRuns,
    openProblems,
    first_call_at,
  ] = await Promise.all([
    part('apiKeyList', apiKeys.list),
    part('functionList', functions.list, { limit: '1' }),
    part('connectionList', connections.list, { limit: '100' }),
    part('connectionList', connections.list, { limit: '200', attention: 'true' }),
    part('connectionList', connections.list, { limit: '200', status: 'FAILED' }),
    part('triggerList', triggers.list, { limit: '100' }),
    part('triggerList', triggers.list, { limit: '100', failing: 'true' }),
    part('triggerStats', eventStats.ofTriggers, { range: '24h' }),
    part('eventListAll', events.listAll),
    part('eventListAll', events.listAll, { status: 'FAILED' }),
    part('eventListAll', events.listAll, { status: 'RETRYING' }),
    part('runListAll', runs.listAll),
    part('problemList', problems.list, { state: 'OPEN', limit: '5' }),
    connectionCalls.firstOfDay(ctx),
  ]);
  return {
    api_keys: keys,
    functions: fns,
    connections: conns,
    attention_connections: inNeed,
    failed_connections: broken,
    triggers: newest,
    failing_triggers: failing,
    trigger_stats: stats,
    events: latest,
    failed_events: failed,
    retrying_events: retrying,
    runs: latestRuns,
    open_problems: openProblems,
    first_call_at,
  };
}

type ListOperation =
  | 'apiKeyList'
  | 'functionList'
  | 'connectionList'
  | 'triggerList'
  | 'triggerStats'
  | 'eventListAll'
  | 'runListAll'
  | 'problemList';
