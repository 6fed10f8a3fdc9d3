/**
 * The context of a verb. `Services` is created once in app.ts and holds everything that lives as long as the process;
 * `Ctx` adds the caller. Verbs read as sentences: `triggers.create(ctx, input)`. The parts of the domains are declared
 * in server/parts.ts, so that this file imports no domain.
 */
import type { BlockList } from 'node:net';
import type { Logger } from 'pino';
import type { KeyLimits } from '../../contract/keys/key-limits.ts';
import type { InstallationProvider } from '../../contract/sign-in/identity-providers.ts';
import type { ActorType, Role } from '../../contract/states.ts';
import type { Addresses } from '../lib/addresses.ts';
import type { Shares } from '../lib/shares/shares.ts';
import type { Blobs } from './blobs/blobs.ts';
import type { Changed } from './changes.ts';
import type { Locks } from './database/locks.ts';
import type { Db } from './database/schema.ts';
import type { EgressPolicy, EgressRules } from './egress/egress.ts';
import type { OwnHosts } from './egress/own-hosts.ts';
import type { OwnUrl } from './egress/own-url.ts';
import type { Holder } from './hold.ts';
import type { Live } from './live.ts';
import type { Measures } from './measures.ts';
import type { Trace } from './tracing/trace.ts';
import type { Tracing } from './tracing/tracing.ts';
import type { Vault } from './vault/vault.ts';

/** The mail server of the installation. */
export type SmtpSettings = {
  host: string;
  port: number;
  /** `starttls`: required after connecting in clear. `implicit`: TLS from the first byte. `none`: in clear. */
  tls: 'starttls' | 'implicit' | 'none';
  auth: { user: string; password: string } | undefined;
  from: { name: string; address: string };
};

/** The level of the lines of requests to webhook URLs, functions, apps and pages. */
export type RequestLogLevel = 'info' | 'debug' | 'trace';

export interface Settings {
  addresses: Addresses;
  hosts: OwnHosts;
  requestLogLevel: RequestLogLevel;
  egress: EgressRules;
  /** Scheduled backups; undefined: none. */
  backups: { folder: string; everyHours: number; keep: number } | undefined;
  /** The program and arguments that scan code before it is stored; empty: none. */
  scanCommand: readonly string[];
  /** Whether codes of authenticator apps are valid one step before and after. */
  codeTolerance: boolean;
  /** Proxies whose X-Forwarded-For is trusted. */
  trustedProxies: BlockList | undefined;
  requestsPerSecond: number;
  retentionDays: number;
  dataDir: string;
  /** How often conditions are evaluated, and how long one has to be over before it closes; shorter in tests. */
  conditions: { everyMs: number; holdMs: number };
  /**
   * Problems: how long a failure with a run waits until the run and its calls are stored, how often states are checked,
   * and the shortest time without failures before successes resolve one; shorter in tests.
   */
  problems: { settleMs: number; checkMs: number; quietMs: number };
  /** Seconds until the next attempt, by attempts made; shorter in tests. */
  retryScheduleSeconds: readonly number[];
  /** Time limit of one attempt; shorter in tests. */
  attemptTimeoutMs: number;
  /** Time limit for storing the events of a request; shorter in tests. */
  intakeTimeoutMs: number;
  /** How long readers of one run and of many wait for the end of one whose response has arrived; longer in tests. */
  runPatience: { oneMs: number; manyMs: number };
  /** Whether people may create accounts. */
  newAccounts: boolean;
  demo: boolean;
  /** Whether the console shows the API reference without a session. */
  publicReference: boolean;
  /** Whether browsers must use TLS for subdomains of the console's host, too. */
  hstsSubdomains: boolean;
  /** Without it no destination may have a mailto: URL. */
  smtp: SmtpSettings | undefined;
  /** Identity providers of the whole installation. */
  identityProviders: readonly InstallationProvider[];
  /** Bytes of the body of a request to a webhook endpoint. */
  hookBodyMaxBytes: number;
  /** Limit of one bulk replay; lower in tests. */
  replayMaxEvents: number;
  /** Time limits until a connected app begins a response, and without a byte within one. */
  gateway: { answerSeconds: number; idleSeconds: number };
  shares: Shares;
  /** The version of PostgreSQL when the service started, and the newest migration. */
  database: { version: string; schema: string; embedded: boolean };
  version: string;
}

export interface Services {
  settings: Settings;
  nodeId: string;
  log: Logger;
  /** Everyday queries. A write goes through `write` in write.ts. */
  db: Db;
  vault: Vault;
  /** Locks against other nodes, for the duration of a request to a provider. */
  locks: Locks;
  blobs: Blobs;
  egress: EgressPolicy;
  baseUrlRefusal: OwnUrl;
  live: Live;
  measures: Measures;
  /** Undefined unless spans are sent to a collector. */
  tracing: Tracing | undefined;
  hold: Holder;
  /**
   * Publishes a committed change that no `write` publishes: this node reacts immediately, the others within about 0.1
   * s.
   */
  changed: Changed;
  /** Wakes a worker of this node before its next poll; correctness never depends on it. */
  nudge: (worker: WorkerName) => void;
}

export type WorkerName =
  | 'scheduler'
  | 'deliverer'
  | 'sweeper'
  | 'refresher'
  | 'checker'
  | 'replayer'
  | 'poller'
  | 'registrar'
  | 'counter'
  | 'searchIndexer'
  | 'codeReader'
  | 'shadower'
  | 'gradualWatcher'
  | 'watcher'
  | 'grouper'
  | 'codeMatcher'
  | 'backups';

export type Actor = { type: ActorType; id: string | null; name: string; role: Role };

/** An API key, as records of its use name it. */
export type KeyRef = { key_id: string; name: string };

export interface Ctx extends Services {
  account_id: string;
  actor: Actor;
  /** What the caller's API key may use. Null: everything, as for users. */
  limits?: KeyLimits | null;
  /** The operation's name, as in the contract: handler key, log field and audit entry. */
  operation: string;
  request_id: string;
  /** The trace context of the request. */
  trace?: Trace;
  ip: string | null;
  /** The path of the console's page that sent the request. */
  page?: string | null;
  /** When a signed-in user last entered the password. */
  confirmed_at?: string | null;
  /** The browser of a caller with a link: a random text that only its cookie contains. */
  browser?: string;
}
