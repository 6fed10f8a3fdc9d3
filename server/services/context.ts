/**
 * What a verb works with. `Services` is made once in app.ts and holds everything that lives as long as the process;
 * `Ctx` adds who is asking. Verbs read as sentences: `triggers.create(ctx, input)`.
 */
import type { BlockList } from 'node:net';
import type { Logger } from 'pino';
import type { ActorType, Role } from '../../contract/states.ts';
import type { Addresses } from '../lib/addresses.ts';
import type { EgressPolicy } from '../lib/egress.ts';
import type { Live } from '../lib/live.ts';
import type { Registry } from '../runtime/packages/registry.ts';
import type { ReachReader } from '../runtime/reach/reach.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { CodeSearch } from '../search/code-search.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Locks } from '../store/locks.ts';
import type { Db } from '../store/schema.ts';
import type { Vault } from '../store/vault.ts';
import type { Link } from './connect-links.ts';
import type { BreakerRules } from './delivery/breaker.ts';
import type { HealthRules } from './delivery/destination-health.ts';
import type { Pipeline } from './delivery/intake.ts';
import type { RunTokens } from './run-tokens.ts';

export type Settings = {
  addresses: Addresses;
  /** Whom the address of a client is taken from. */
  trustedProxies: BlockList | undefined;
  requestsPerSecond: number;
  retentionDays: number;
  /** Seconds until the next attempt, by attempts made; tests shorten it. */
  retryScheduleSeconds: readonly number[];
  /** When a failing destination is disabled; tests shorten it. */
  health: HealthRules;
  /** When a failing destination is left alone for a while; tests shorten it. */
  breaker: BreakerRules;
  /** For all of one attempt; tests shorten it. */
  attemptTimeoutMs: number;
  /** Of one bulk replay; tests lower it. */
  replayMaxEvents: number;
  /** How long a connected app may take to begin an answer, and to be silent within one. */
  gateway: { answerSeconds: number; idleSeconds: number };
  version: string;
};

export type Services = {
  settings: Settings;
  nodeId: string;
  log: Logger;
  /** Everyday queries. A write goes through `write` in write.ts. */
  db: Db;
  vault: Vault;
  /** Held against other nodes while somebody outside is asked. */
  locks: Locks;
  blobs: Blobs;
  runtime: Runtime;
  /** Where functions' npm packages come from when they are built. */
  packages: Registry;
  search: CodeSearch;
  /** Reads what functions' code asks of the outside. */
  reach: ReachReader;
  /** What runs that are going on here call the gateway with. */
  runTokens: RunTokens;
  egress: EgressPolicy;
  live: Live;
  /** Events on their way to the table, and the deliveries this node has leased. */
  pipeline: Pipeline;
  /** Wakes a worker of this node so that it looks sooner; correctness never rests on it. */
  nudge: (worker: WorkerName) => void;
};

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

export type Ctx = Services & {
  account_id: string;
  actor: Actor;
  /** The operation's name, as in the contract: handler key, log field and audit entry. */
  operation: string;
  request_id: string;
  ip: string | null;
  /** What the token of a connect link says, where one is the caller. */
  link?: Link;
  /** Which browser asks, where a link is the caller: a random text that only its cookie holds. */
  browser?: string;
};
