/**
 * The composition root: creates the parts of a service, in start order. No other module creates them. drain.ts has the
 * stop.
 */
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import {
  ATTEMPT_TIMEOUT_MS,
  CONDITION_HOLD_MS,
  CONDITIONS_EVERY_MS,
  DISABLE_AFTER_DAYS,
  EXHAUSTED_APART_HOURS,
  REPLAY_MAX_EVENTS,
  RETRY_SCHEDULE_SECONDS,
} from '../contract/limits.ts';
import { firstStart } from './accounts/first-start.ts';
import type { Config } from './config.ts';
import { BREAKER_RULES, type BreakerRules } from './deliveries/destinations/breaker.ts';
import type { HealthRules } from './deliveries/destinations/destination-health.ts';
import { createPipeline } from './deliveries/intake/intake.ts';
import { createDrain } from './drain.ts';
import { createRunTokens } from './functions/calls/run-tokens.ts';
import { RUN_PATIENCE } from './functions/run-recorder/run-recorder.ts';
import { sweepOrphanRuns } from './functions/runs/runs.ts';
import { functionSource } from './functions/store/code-index.ts';
import type { GatewayLimits } from './gateway/forwarding/gateway.ts';
import { type AddressRate, createDoors, type DoorsOptions } from './http/doors/doors.ts';
import { createMetrics } from './http/metrics.ts';
import { newId } from './lib/ids.ts';
import { type Closable, opened } from './lib/opened.ts';
import type { Shares } from './lib/shares/shares.ts';
import { createMemory, flushMemory } from './memory.ts';
import { createChanges } from './platform/changes.ts';
import type { Broadcaster } from './platform/cluster/broadcaster.ts';
import { joinCluster } from './platform/cluster/join-cluster.ts';
import { type MakeRateLimit, rateLimitsOf } from './platform/cluster/rate-limits.ts';
import type { Services, Settings, WorkerName } from './platform/context.ts';
import type { Connection } from './platform/database/connection.ts';
import { newestMigration } from './platform/database/migrate.ts';
import { createEgress } from './platform/egress/egress.ts';
import { ownHosts } from './platform/egress/own-hosts.ts';
import { createOwnUrl } from './platform/egress/own-url.ts';
import { createHolder, type Holder, hold } from './platform/hold.ts';
import { createLive } from './platform/live.ts';
import { createMeasures, NO_MEASURES } from './platform/measures.ts';
import { createStorage, type Storage } from './platform/storage.ts';
import { openTracing, type Tracing } from './platform/tracing/tracing.ts';
import './parts.ts';
import { forgetAll, reactions } from './reactions.ts';
import { Cancellation } from './runtime/cancellation.ts';
import { createExecution, type Execution } from './runtime/execution.ts';
import type { KnownHomes } from './runtime/fleet/home.ts';
import { type CodeSearch, createCodeSearch } from './search/code-search.ts';
import { createWorkers, startWorkers, type Workers } from './workers.ts';

export type App = {
  services: Services;
  port: number;
  /** The one-time link of the first administrator, until it is used. */
  welcomeUrl: string | null;
  /** Drains, then stops: see drain.ts. */
  stop(): Promise<void>;
  /** Stops without waiting for open requests and runs. Also hurries a stop that has begun. */
  stopNow(): Promise<void>;
};

export type AppOptions = {
  log: Logger;
  version: string;
  consoleFolder: string;
  /** If it is one of several service processes of this machine. */
  process?: ServiceProcess;
  testing?: Testing;
};

/** One of the service processes of a machine, which have one port, one data folder and one database. */
export type ServiceProcess = {
  /** Of the embedded database, which the main process started. */
  connection: Connection | undefined;
  /** Whether no other process uses the database yet. */
  isFirst: boolean;
  /** The metrics page of all processes; `own` are those of this one, as JSON. */
  allMetrics(own: () => Promise<object[]>): () => Promise<string>;
};

/** Overrides for tests: shorter times and lower limits. */
export type Testing = {
  /** Replies are validated against the operations table. */
  strictReplies?: boolean;
  retryScheduleSeconds?: readonly number[];
  attemptTimeoutMs?: number;
  gateway?: Partial<GatewayLimits>;
  slowHeadersMs?: number;
  addressRate?: AddressRate;
  /** The resolver of host names, instead of the system's. */
  lookUp?: LookupFunction;
  /** Time limit for the body of a request to a webhook endpoint. */
  hookBodyMs?: number;
  /** Time limit for storing received events. */
  intakeTimeoutMs?: number;
  runPatience?: Settings['runPatience'];
  health?: HealthRules;
  breaker?: BreakerRules;
  conditions?: Settings['conditions'];
  problems?: Settings['problems'];
  /** Interval of the probes of the connection to the other nodes. */
  channelProbeMs?: number;
  /** Time after which a pending database statement is checked. */
  databaseSilentMs?: number;
  /** Time after which requests are counted on this node only. */
  rateLimitDatabaseMs?: number;
  /** Cache folder of the languages, such as Python's memory snapshot; in the data folder by default. */
  languageCache?: string;
  /** What the runtimes of this process remember of the machine; nothing by default. */
  knownHomes?: KnownHomes;
  /** Folders in which programs for containers are looked up. */
  programFolders?: string[];
  /** Time limit of a build. */
  buildMs?: number;
  /** How long unreferenced code stays in the index. */
  purgeCodeMs?: number;
  /** Time limit of a search. */
  searchBudgetMs?: number;
};

/** Many senders time out after 10 s; this leaves a second for everything else. */
const INTAKE_TIMEOUT_MS = 9_000;
const PROBLEMS: Settings['problems'] = { settleMs: 4_000, checkMs: 15_000, quietMs: 900_000 };
const HEALTH_RULES: HealthRules = {
  disableAfterMs: DISABLE_AFTER_DAYS * 86_400_000,
  exhaustedApartMs: EXHAUSTED_APART_HOURS * 3_600_000,
};

export async function startApp(config: Config, options: AppOptions): Promise<App> {
  const { log, testing = {} } = options;
  const { app, drain, close } = await opened(async (onClose) => {
    const keep = <T extends Closable>(part: T): T => {
      onClose(() => part.close());
      return part;
    };
    const { connection, isFirst } = options.process ?? {};
    const storage = keep(
      await createStorage({ ...config, connection, log, databaseSilentMs: testing.databaseSilentMs }),
    );
    // Then what earlier processes left has no owner.
    const soleNode = storage.embedded && (isFirst ?? !storage.shared);
    const rateLimit = rateLimitsOf({
      db: storage.database.kysely,
      log,
      shared: storage.shared,
      databaseMs: testing.rateLimitDatabaseMs,
    });
    if (config.start === 'held' && (isFirst ?? true))
      await hold(storage.database.kysely, { cause: 'SETTING', origin: null });
    const holder = keep(await createHolder(storage.database.kysely, log));
    const measures = config.metrics ? createMeasures() : NO_MEASURES;
    const node = createNode(storage, { log, measures }, { rateLimit, shares: config.shares });
    onClose(() => node.parts.memory.functionConcurrency.settled());
    const { nodeId } = node.parts;
    const tracing = await openTracing(config.tracing, { log, measures, nodeId, version: options.version });
    onClose(() => tracing?.close());
    const execution = keep(
      await createExecution({
        ...config,
        log,
        languageCache: testing.languageCache,
        knownHomes: testing.knownHomes,
        programFolders: testing.programFolders,
        buildMs: testing.buildMs,
      }),
    );
    const search = keep(await createSearch(config, options, storage));
    const services = createServices(config, options, { storage, holder, node, execution, search, tracing });
    if (soleNode) await sweepOrphanRuns(services);
    const welcomeUrl = await firstStart(services, config.first);
    const cutAttempts = new Cancellation();
    const workers = createWorkers(services, { soleNode, cut: cutAttempts, connection: storage.connection });
    node.attachWorkers(workers);
    if (storage.shared) keep(await node.join(storage, testing.channelProbeMs));
    onClose(() => flushMemory(services));
    const doors = keep(await createDoors(services, doorsOptions(config, options, { services, storage, rateLimit })));
    const port = await doors.listen({ host: config.host, port: config.port, reusePort: options.process !== undefined });
    const stopping = new AbortController();
    const starting = startWorkers(workers, holder, stopping.signal);
    if (holder.current()) starting.catch((error: unknown) => log.fatal({ err: error }, 'workers did not start'));
    else await starting;
    const drain = createDrain({
      server: doors.server,
      log,
      lameDuckMs: config.lameDuckSeconds * 1000,
      drainMs: config.drainSeconds * 1000,
      workers: Object.values(workers),
      onDraining() {
        stopping.abort();
        doors.drain();
      },
      hangUp: doors.hangUp,
      async cutOff() {
        cutAttempts.abort();
        doors.cutOff();
        await execution.runtime.stopRuns();
      },
    });
    return { app: { services, port, welcomeUrl }, drain };
  });
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= drain.run().then(close);
    return stopping;
  };
  return {
    ...app,
    stop,
    stopNow() {
      drain.hurry();
      return stop();
    },
  };
}

type Node = ReturnType<typeof createNode>;

/** The parts of a cluster node: its id, its caches, and messages from and to other nodes. */
function createNode(
  { database }: Storage,
  { log, measures }: Pick<Services, 'log' | 'measures'>,
  limits: { rateLimit: MakeRateLimit; shares: Shares },
) {
  const nodeId = newId();
  let workers: Workers | undefined;
  let broadcaster: Broadcaster | undefined;
  let services: Services | undefined;
  const running = (): Services => {
    if (!services) throw new Error('a change was published before the services were created');
    return services;
  };
  const live = createLive(nodeId, {
    onBatch: (account_id, batch) => broadcaster?.broadcast({ live: batch, account_id }),
  });
  const { changed, receive } = createChanges(reactions, {
    parts: running,
    broadcast: (account_id, change) => broadcaster?.broadcast({ change, account_id }),
    show: live.publish,
  });
  const memory = createMemory({ db: database.kysely, log, changed, measures }, limits.rateLimit, limits.shares);
  return {
    parts: {
      nodeId,
      live,
      measures,
      memory,
      changed,
      nudge(worker: WorkerName) {
        workers?.[worker].nudge();
        broadcaster?.broadcast({ nudge: worker });
      },
    },
    attachServices(all: Services) {
      services = all;
    },
    attachWorkers(all: Workers) {
      workers = all;
    },
    async join({ connection }: Storage, probeMs: number | undefined): Promise<Broadcaster> {
      broadcaster = await joinCluster(running(), connection, {
        change: receive,
        forgetAll: () => forgetAll(running()),
        wake(name) {
          // A node of another version may name a worker that this one does not have.
          for (const worker of name ? [workers?.[name]] : Object.values(workers ?? {})) worker?.nudge();
        },
        probeMs,
      });
      return broadcaster;
    },
  };
}

function createSearch({ dataDir }: Config, { log, testing = {} }: AppOptions, storage: Storage): Promise<CodeSearch> {
  return createCodeSearch({
    folder: join(dataDir, 'search'),
    blobs: storage.blobs.description,
    source: functionSource(storage.database.kysely),
    log,
    purgeMs: testing.purgeCodeMs,
    ...(testing.searchBudgetMs ? { budgetMs: testing.searchBudgetMs } : {}),
  });
}

type Made = {
  storage: Storage;
  holder: Holder;
  node: Node;
  execution: Execution;
  search: CodeSearch;
  tracing: Tracing | undefined;
};

function createServices(
  config: Config,
  options: AppOptions,
  { storage, holder, node, execution, search, tracing }: Made,
): Services {
  const { database, vault, locks, blobs } = storage;
  const { runtime, builder, reach } = execution;
  const egress = createEgress(config.allowPrivateCidrs, options.testing?.lookUp, undefined, config.egress);
  const parts: Omit<Services, 'pipeline'> = {
    ...node.parts,
    hold: holder,
    settings: settingsOf(config, options, storage),
    log: options.log,
    tracing,
    db: database.kysely,
    vault,
    locks,
    blobs,
    runtime,
    builder,
    search,
    reach,
    runTokens: createRunTokens(),
    egress,
    baseUrlRefusal: createOwnUrl(egress, config.addresses.base_url),
  };
  const services: Services = { ...parts, pipeline: createPipeline(parts) };
  node.attachServices(services);
  return services;
}

function settingsOf(config: Config, { version, testing = {} }: AppOptions, storage: Storage): Settings {
  const { addresses, trustedProxies, requestsPerSecond, retentionDays, dataDir, gateway, smtp, identityProviders } =
    config;
  return {
    addresses,
    hosts: ownHosts(addresses, config.allowedHosts),
    egress: config.egress,
    backups: config.backups,
    scanCommand: config.scanCommand,
    codeTolerance: config.codeTolerance,
    trustedProxies,
    requestsPerSecond,
    retentionDays,
    dataDir,
    conditions: testing.conditions ?? { everyMs: CONDITIONS_EVERY_MS, holdMs: CONDITION_HOLD_MS },
    problems: testing.problems ?? PROBLEMS,
    retryScheduleSeconds: testing.retryScheduleSeconds ?? RETRY_SCHEDULE_SECONDS,
    health: testing.health ?? HEALTH_RULES,
    breaker: testing.breaker ?? BREAKER_RULES,
    attemptTimeoutMs: testing.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS,
    intakeTimeoutMs: testing.intakeTimeoutMs ?? INTAKE_TIMEOUT_MS,
    runPatience: testing.runPatience ?? RUN_PATIENCE,
    requestLogLevel: config.requestLogLevel,
    newAccounts: config.newAccounts,
    demo: config.demo,
    publicReference: config.publicReference,
    hstsSubdomains: config.hstsSubdomains,
    hookBodyMaxBytes: config.hookBodyMib * 1024 * 1024,
    replayMaxEvents: REPLAY_MAX_EVENTS,
    smtp,
    identityProviders,
    gateway,
    shares: config.shares,
    database: { version: storage.databaseVersion, schema: newestMigration(), embedded: storage.embedded },
    version,
  };
}

type Behind = { services: Services; storage: Storage; rateLimit: MakeRateLimit };

function doorsOptions(config: Config, options: AppOptions, { services, storage, rateLimit }: Behind): DoorsOptions {
  const { consoleFolder, testing = {} } = options;
  const { gateway, slowHeadersMs, addressRate, hookBodyMs, strictReplies = false } = testing;
  return {
    requestsPerSecond: config.requestsPerSecond,
    rateLimit,
    consoleFolder,
    gatewaySocket: services.runtime.gatewaySocket,
    readiness: storage.readiness,
    metrics: config.metrics ? createMetrics(services, storage.database.pool, options.process?.allMetrics) : undefined,
    gateway,
    slowHeadersMs,
    addressRate,
    hookBodyMs,
    strictReplies,
  };
}
