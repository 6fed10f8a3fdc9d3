import type { Changed } from '../changes.ts';
import type { Services, WorkerName } from '../context.ts';
import type { Connection } from '../database/connection.ts';
import { type Broadcaster, createBroadcaster, dispatch, type Listener } from './broadcaster.ts';
import { MESSAGE_MAX_BYTES, openChannel } from './channel.ts';

type Parts = Pick<Services, 'nodeId' | 'log' | 'live'>;
export type Reactions = {
  change: Changed;
  /** Clears all caches, because messages may have been missed. */
  forgetAll: () => void;
  /** Wakes a worker of this node, or all of them. */
  wake: (worker?: WorkerName) => void;
};

/** Joins the cluster of nodes on this database, until `close`. */
export async function joinCluster(
  parts: Parts,
  connection: Connection,
  { probeMs, ...reactions }: Reactions & { probeMs?: number | undefined },
): Promise<Broadcaster> {
  const { nodeId, log } = parts;
  const listener = createListener(parts, reactions);
  const channel = await openChannel(connection, {
    log,
    onMessage: (message) => dispatch(message, nodeId, listener),
    onGap: listener.onGap,
    ...(probeMs ? { probeMs } : {}),
  });
  const broadcaster = createBroadcaster({ nodeId, send: channel.send, maxBytes: MESSAGE_MAX_BYTES });
  return {
    broadcast: broadcaster.broadcast,
    async close() {
      await broadcaster.close();
      await channel.close();
    },
  };
}

/** Handlers for messages from other nodes. */
function createListener({ live }: Parts, { change, forgetAll, wake }: Reactions): Listener {
  return {
    onLive: live.receive,
    onChange: change,
    onNudge: (worker) => wake(worker as WorkerName),
    onResync() {
      live.resync();
    },
    onGap() {
      forgetAll();
      live.resync();
      wake();
    },
  };
}
