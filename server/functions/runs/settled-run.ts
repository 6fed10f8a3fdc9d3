/** Reads a run that may have responded a moment ago, on this or another node. */
import { setTimeout as wait } from 'node:timers/promises';
import { msOf } from '../../lib/ids.ts';
import type { Ctx } from '../../platform/context.ts';
import * as store from '../store/runs.ts';

/** Another node stores a start or an end within 20 ms; these waits sum to ten times that. */
const ELSEWHERE_WAITS_MS = [5, 10, 20, 40, 60, 80];
/** A run that began this long ago is stored, unless its node has lost the database connection. */
const FRESH_MS = 5000;

/**
 * The stored run; undefined when there is none. A caller that has the response finds the run finished: the read waits
 * for this node's recorder, or briefly (at most 215 ms) for a run that another node is recording.
 */
export async function findSettled(
  ctx: Pick<Ctx, 'db' | 'memory' | 'settings' | 'account_id' | 'nodeId'>,
  { function_id, run_id }: { function_id: string; run_id: string },
): Promise<store.NamedRun | undefined> {
  await ctx.memory.runs.settle((key) => key.run_id === run_id, ctx.settings.runPatience.oneMs);
  const read = () => store.find(ctx.db, ctx.account_id, function_id, run_id);
  let row = await read();
  for (const ms of ELSEWHERE_WAITS_MS) {
    const isPending = row ? row.status === 'RUNNING' && row.node_id !== ctx.nodeId : isFresh(run_id);
    if (!isPending) break;
    await wait(ms);
    row = await read();
  }
  return row;
}

/** Whether the id was created within the last seconds, by the clock of any node. */
const isFresh = (run_id: string): boolean => run_id[14] === '7' && Math.abs(Date.now() - msOf(run_id)) < FRESH_MS;
