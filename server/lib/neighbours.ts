/**
 * What nodes on one database tell each other, so that a change on one counts at once on all: live changes for the tabs
 * that another node serves, what is to be forgotten, who is to look sooner. News gathers and leaves together, at most
 * ten times a second, and holds ids only. Each of these has a slower way that needs no news (a tab reads again, what is
 * remembered runs out, workers look by themselves), so news may get lost; after a gap everything is forgotten.
 */
import type { LiveChange } from '../../contract/live.ts';

/** What may be remembered on another node, by the kind and the id of what it is about. */
export type ForgetKind = 'upstreams' | 'key' | 'hook' | 'destination' | 'function';
export type News =
  | { live: LiveChange[]; account_id: string }
  | { forget: ForgetKind; id: string }
  /** A worker by its name. */
  | { nudge: string };

export type Neighbours = {
  tell(news: News): void;
  /** Sends what has gathered. */
  close(): Promise<void>;
};

export type Listener = {
  onLive(account_id: string, changes: LiveChange[]): void;
  onForget(kind: ForgetKind, id: string): void;
  onNudge(worker: string): void;
  /** Live changes were left out. */
  onResync(): void;
  /** Anything may have been missed. */
  onGap(): void;
};

export type SendOptions = {
  nodeId: string;
  /** Sends one message to all nodes; false when it couldn't be. */
  send: (message: string) => Promise<boolean>;
  maxBytes: number;
  apartMs?: number;
  /** A tab that reads everything again has enough to do for a while. */
  resyncApartMs?: number;
};

type Message = {
  from: string;
  live?: [account_id: string, changes: LiveChange[]][];
  forget?: [ForgetKind, id: string][];
  nudge?: string[];
  resync?: true;
  gap?: true;
};

const MOST_CHANGES = 200;

export function createNeighbours(options: SendOptions): Neighbours {
  const { nodeId, send, maxBytes, apartMs = 100, resyncApartMs = 1000 } = options;
  const live = new Map<string, LiveChange[]>();
  const forget = new Map<string, [ForgetKind, string]>();
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
      if (live.size + forget.size + nudge.size > 0 || owesGap) schedule();
      else if (owesResync) timer = setTimeout(flush, resyncApartMs).unref();
    });
  }

  async function leave() {
    sentAtMs = performance.now();
    const message = owesGap ? gap() : gather();
    live.clear();
    liveCount = 0;
    forget.clear();
    nudge.clear();
    if (Object.keys(message).length === 1) return;
    owesGap = !(await send(JSON.stringify(message)));
  }

  function gap(): Message {
    owesResync = false;
    return { from: nodeId, gap: true };
  }

  /** What there is to tell; when that is too long, that there was something. */
  function gather(): Message {
    const message: Message = { from: nodeId };
    if (forget.size > 0) message.forget = [...forget.values()];
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
    // They won't fit anyway.
    if (liveCount > MOST_CHANGES) {
      owesResync = true;
      return;
    }
    const changes = live.get(account_id) ?? [];
    changes.push(...given);
    live.set(account_id, changes);
  }

  return {
    tell(news) {
      if ('live' in news) hold(news.account_id, news.live);
      else if ('forget' in news) forget.set(`${news.forget} ${news.id}`, [news.forget, news.id]);
      else nudge.add(news.nudge);
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

/** Takes a message of another node; one's own says nothing new, and one that can't be read may have said anything. */
export function hear(text: string, nodeId: string, listener: Listener): void {
  const { from, live = [], forget = [], nudge = [], resync, gap } = read(text);
  if (from === nodeId) return;
  if (gap) listener.onGap();
  for (const [kind, id] of forget) listener.onForget(kind, id);
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
