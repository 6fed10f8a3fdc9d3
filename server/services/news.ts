import { createNeighbours, type ForgetKind, hear, type Listener, type Neighbours } from '../lib/neighbours.ts';
import { MESSAGE_MAX_BYTES, openChannel } from '../store/channel.ts';
import type { Connection } from '../store/database.ts';
import { dropAllFunctions, dropFunction } from './callables.ts';
import type { Services, WorkerName } from './context.ts';
import { dropAllHooks, dropHook } from './ingress/hooks.ts';
import { dropAllKeys, dropKey } from './key-cache.ts';
import { giveVoice } from './neighbours.ts';
import { dropAllUpstreams, dropUpstreams } from './upstream-cache.ts';

type Parts = Pick<Services, 'nodeId' | 'log' | 'db' | 'live' | 'pipeline'>;
/** Makes a worker of this node look sooner, or all of them. */
type Wake = (worker?: WorkerName) => void;

/** Takes part in what the nodes on this database tell each other, until `close`. */
export async function joinNeighbours(
  parts: Parts,
  connection: Connection,
  { wake, probeMs }: { wake: Wake; probeMs?: number | undefined },
): Promise<{ close(): Promise<void> }> {
  const { nodeId, log, db } = parts;
  const listener = createListener(parts, wake);
  const channel = await openChannel(connection, {
    log,
    onMessage: (message) => hear(message, nodeId, listener),
    onGap: listener.onGap,
    ...(probeMs ? { probeMs } : {}),
  });
  const neighbours: Neighbours = createNeighbours({ nodeId, send: channel.send, maxBytes: MESSAGE_MAX_BYTES });
  giveVoice(db, neighbours);
  return {
    async close() {
      await neighbours.close();
      await channel.close();
    },
  };
}

/** What the news of other nodes does here. */
function createListener({ db, live, pipeline }: Parts, wake: Wake): Listener {
  const forget: Record<ForgetKind, (id: string) => void> = {
    upstreams: (account_id) => dropUpstreams(db, account_id),
    key: (hash) => dropKey(db, hash),
    hook: (hash) => dropHook(db, hash),
    function: (function_id) => dropFunction(db, function_id),
    destination: (destination_id) => pipeline.lanes.changed(destination_id),
  };
  return {
    onLive: live.receive,
    onForget: (kind, id) => forget[kind]?.(id),
    onNudge: (worker) => wake(worker as WorkerName),
    onResync() {
      pipeline.routes.forgetAll();
      live.resync();
    },
    onGap() {
      dropAllUpstreams(db);
      dropAllKeys(db);
      dropAllFunctions(db);
      dropAllHooks(db);
      pipeline.routes.forgetAll();
      live.resync();
      wake();
    },
  };
}
