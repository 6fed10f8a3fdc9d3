/**
 * Messages between the nodes of a cluster, so that a change on one node takes effect on all: live changes for the tabs
 * of other nodes, changes that caches react to, nudges of workers. Messages are batched, at most ten per second, and
 * contain only ids. Each kind has a slower fallback (a tab reads again, cache entries expire, workers poll), so
 * messages may be lost. After a gap all caches are cleared.
 */
import type { LiveChange } from '../../../contract/live.ts';
import type { Change } from '../changes.ts';

export type ClusterMessage =
  | { live: LiveChange[]; account_id: string }
  /** A change that other nodes react to. */
  | { change: Change; account_id: string }
  /** The name of a worker. */
  | { nudge: string };

export type Broadcaster = {
  broadcast(message: ClusterMessage): void;
  /** Sends pending messages. */
  close(): Promise<void>;
};

export type Listener = {
  onLive(account_id: string, changes: LiveChange[]): void;
  onChange(account_id: string, change: Change): void;
  onNudge(worker: string): void;
  /** Live changes were omitted. */
  onResync(): void;
  /** Any message may have been missed. */
  onGap(): void;
};

export type SendOptions = {
  nodeId: string;
  /** Sends one message to all nodes; returns whether it was sent. */
  send: (message: string) => Promise<boolean>;
  maxBytes: number;
  apartMs?: number;
  /** Minimum time between two resyncs, because a resync makes every tab read everything again. */
  resyncApartMs?: number;
};

type Message = {
  from: string;
  live?: [account_id: string, changes: LiveChange[]][];
  changed?: [account_id: string, change: Change][];
  nudge?: string[];
  resync?: true;
  gap?: true;
};

const MOST_CHANGES = 200;

export function createBroadcaster(options: SendOptions): Broadcaster {
  const { nodeId, send, maxBytes, apartMs = 100, resyncApartMs = 1000 } = options;
  const live = new Map<string, LiveChange[]>();
  const changed = new Map<string, [string, Change]>();
  const nudge = new Set<string>();
  let liveCount = 0;
  let owesResync = false;
  let owesGap = false;
  let resyncAtMs = Number.NEGATIVE_INFINITY;
  let sentAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  function schedule() {
    if (timer || sending) return;
    timer = setTimeout(flush, Math.max(0, sentAtMs + apartMs - performance.now())).unref();
  }

  function flush() {
    timer = undefined;
    sending = leave().finally(() => {
      sending = undefined;
      if (live.size + changed.size + nudge.size > 0 || owesGap) schedule();
      else if (owesResync) timer = setTimeout(flush, resyncApartMs).unref();
    });
  }

  async function leave() {
    sentAtMs = performance.now();
    const message = owesGap ? gap() : gather();
    live.clear();
    liveCount = 0;
    changed.clear();
    nudge.clear();
    if (Object.keys(message).length === 1) return;
    owesGap = !(await send(JSON.stringify(message)));
  }

  function gap(): Message {
    owesResync = false;
    return { from: nodeId, gap: true };
  }

  /** The pending messages as one message; a resync if they exceed the limit. */
  function gather(): Message {
    const message: Message = { from: nodeId };
    if (changed.size > 0) message.changed = [...changed.values()];
    if (nudge.size > 0) message.nudge = [...nudge];
    if (sizeOf(message) > maxBytes) return gap();
    const withLive: Message = live.size > 0 ? { ...message, live: [...live] } : message;
    const fits = sizeOf(withLive) <= maxBytes;
    owesResync ||= !fits;
    if (!owesResync || sentAtMs - resyncAtMs < resyncApartMs) return fits ? withLive : message;
    resyncAtMs = sentAtMs;
    owesResync = false;
    return { ...message, resync: true };
  }

  function hold(account_id: string, given: LiveChange[]) {
    liveCount += given.length;
    // More changes do not fit into one message.
    if (liveCount > MOST_CHANGES) {
      owesResync = true;
      return;
    }
    const changes = live.get(account_id) ?? [];
    changes.push(...given);
    live.set(account_id, changes);
  }

  return {
    broadcast(message) {
      if ('live' in message) hold(message.account_id, message.live);
      else if ('change' in message) {
        const { account_id, change } = message;
        changed.set(`${account_id} ${JSON.stringify(change)}`, [account_id, change]);
      } else nudge.add(message.nudge);
      schedule();
    },
    async close() {
      await sending;
      clearTimeout(timer);
      await leave();
    },
  };
}

const sizeOf = (message: Message) => Buffer.byteLength(JSON.stringify(message));

/** Handles a message of another node. Messages of this node are ignored; an unreadable message counts as a gap. */
export function dispatch(text: string, nodeId: string, listener: Listener): void {
  const { from, live = [], changed = [], nudge = [], resync, gap } = read(text);
  if (from === nodeId) return;
  if (gap) listener.onGap();
  for (const [account_id, change] of changed) listener.onChange(account_id, change);
  for (const worker of nudge) listener.onNudge(worker);
  for (const [account_id, changes] of live) listener.onLive(account_id, changes);
  if (resync) listener.onResync();
}

function read(text: string): Message {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return { from: '', gap: true };
  }
}
