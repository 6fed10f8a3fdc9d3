/**
 * What a verb works with. `Services` is made once in app.ts and holds everything that lives as long as the process;
 * `Ctx` adds the caller. Verbs read as sentences: `triggers.create(ctx, input)`. The parts that the domains add are
 * declared in server/parts.ts, so that this file imports no domain.
 */
import type { BlockList } from 'node:net';
import type { Logger } from 'pino';
import type { ActorType, Role } from '../../contract/states.ts';
import type { Addresses } from '../lib/addresses.ts';
import type { Blobs } from './blobs/blobs.ts';
import type { Changed } from './changes.ts';
import type { Locks } from './database/locks.ts';
import type { Db } from './database/schema.ts';
import type { EgressPolicy } from './egress/egress.ts';
import type { OwnHosts } from './egress/own-hosts.ts';
import type { Live } from './live.ts';
import type { Vault } from './vault/vault.ts';

export interface Settings {
  addresses: Addresses;
  hosts: OwnHosts;
  /** Whom the address of a client is taken from. */
  trustedProxies: BlockList | undefined;
  requestsPerSecond: number;
  retentionDays: number;
  /** Seconds until the next attempt, by attempts made; tests shorten it. */
  retryScheduleSeconds: readonly number[];
  /** For all of one attempt; tests shorten it. */
  attemptTimeoutMs: number;
  /** How long a request may wait for its events to be stored; tests shorten it. */
  intakeTimeoutMs: number;
  /** Of one bulk replay; tests lower it. */
  replayMaxEvents: number;
  /** How long a connected app may take to begin an answer, and to be silent within one. */
  gateway: { answerSeconds: number; idleSeconds: number };
  version: string;
}

export interface Services {
  settings: Settings;
  nodeId: string;
  log: Logger;
  /** Everyday queries. A write goes through `write` in write.ts. */
  db: Db;
  vault: Vault;
  /** Held against other nodes while somebody outside is asked. */
  locks: Locks;
  blobs: Blobs;
  egress: EgressPolicy;
  live: Live;
  /**
   * Publishes a committed change that no `write` publishes: this node reacts at once, the others within about 0.1 s.
   */
  changed: Changed;
  /** Wakes a worker of this node so that it looks sooner; correctness never rests on it. */
  nudge: (worker: WorkerName) => void;
}

export type WorkerName =
  | 'scheduler'
  | 'deliverer'
  | 'sweeper'
  | 'refresher'
  | 'replayer'
  | 'poller'
  | 'registrar'
  | 'counter';

export type Actor = { type: ActorType; id: string | null; name: string; role: Role };

export interface Ctx extends Services {
  account_id: string;
  actor: Actor;
  /** The operation's name, as in the contract: handler key, log field and audit entry. */
  operation: string;
  request_id: string;
  ip: string | null;
  /** Which browser asks, where a link is the caller: a random text that only its cookie holds. */
  browser?: string;
}
