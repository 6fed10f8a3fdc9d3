/**
 * The composition root: what a service is made of, in the order it comes up, and how it goes down again. Nobody else
 * makes these parts. Down: not ready → take nothing new → finish what is in flight → free leases → close.
 */
import { createServer } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import {
  ATTEMPT_TIMEOUT_MS,
  DISABLE_AFTER_DAYS,
  EXHAUSTED_APART_HOURS,
  REPLAY_MAX_EVENTS,
  RETRY_SCHEDULE_SECONDS,
} from '../contract/limits.ts';
import type { Config } from './config.ts';
import { createGateway, type GatewayLimits } from './gateway/gateway.ts';
import type { Edge } from './http/adaptor.ts';
import { consoleFiles } from './http/console-files.ts';
import { createFront } from './http/front.ts';
import { createFunctionFront } from './http/function-front.ts';
import { createHooksFront } from './http/hooks-front.ts';
import { watchKept } from './http/kept-connections.ts';
import { createMetrics } from './http/metrics.ts';
import { refuseUnreadable } from './http/raw-refusal.ts';
import { openRunGateway } from './http/run-gateway.ts';
import { createStreams } from './http/stream.ts';
import { createEgress } from './lib/egress.ts';
import { newId } from './lib/ids.ts';
import { createLive } from './lib/live.ts';
import { createRateLimit } from './lib/rate-limit.ts';
import { createRegistry } from './runtime/packages/registry.ts';
import { createReachReader } from './runtime/reach/reach.ts';
import { createRuntime } from './runtime/runtime.ts';
import { createCodeSearch } from './search/code-search.ts';
import { flushLastUsed } from './services/auth.ts';
import type { Services, WorkerName } from './services/context.ts';
import { BREAKER_RULES, type BreakerRules } from './services/delivery/breaker.ts';
import type { HealthRules } from './services/delivery/destination-health.ts';
import { createPipeline } from './services/delivery/intake.ts';
import { firstStart } from './services/first-start.ts';
import { settleCalls } from './services/function-places.ts';
import { flushRejections } from './services/ingress/rejections.ts';
import { tell } from './services/neighbours.ts';
import { joinNeighbours } from './services/news.ts';
import { createRunTokens } from './services/run-tokens.ts';
import { sweepOrphanRuns } from './services/runs.ts';
import { folderBlobs } from './store/blobs.ts';
import { functionSource } from './store/code-index.ts';
import { connectionFrom, openDatabase } from './store/database.ts';
import { startEmbedded } from './store/embedded/start.ts';
import { createLocks } from './store/locks.ts';
import { migrate } from './store/migrate.ts';
import { openVault } from './store/open-vault.ts';
import { ensurePartitions } from './store/partitions.ts';
import { createCounter } from './workers/counter.ts';
import { createDeliverer } from './workers/deliverer.ts';
import { createPoller } from './workers/poller.ts';
import { createRefresher } from './workers/refresher.ts';
import { createRegistrar } from './workers/registrar.ts';
import { createReplayer } from './workers/replayer.ts';
import { createScheduler } from './workers/scheduler.ts';
import { createSweeper } from './workers/sweeper.ts';

export type App = {
  services: Services;
  port: number;
  /** The one-time link of the first administrator, while nobody has used it. */
  welcomeUrl: string | null;
  stop(): Promise<void>;
};

export type AppOptions = {
  log: Logger;
  version: string;
  consoleFolder: string;
  /** For tests: answers are held against the operations table. */
  strictReplies?: boolean;
  retryScheduleSeconds?: readonly number[];
  attemptTimeoutMs?: number;
  /** For tests: shorter times and lines than the usual ones. */
  gateway?: Partial<GatewayLimits>;
  slowHeadersMs?: number;
  /** For tests: who tells the addresses of names; the system, unless told otherwise. */
  lookUp?: LookupFunction;
  /** For tests: how long all of what a source posts may take. */
  hookBodyMs?: number;
  health?: HealthRules;
  breaker?: BreakerRules;
  /** How often the connection to the other nodes is tried. */
  channelProbeMs?: number;
  /** After how long a statement of the database is asked after. */
  databaseSilentMs?: number;
  /** Where the memory snapshot of Python is kept; the data folder by default. */
  pythonCache?: string;
  /** How long code that nobody has any more stays in the index. */
  purgeCodeMs?: number;
  /** How long a search may take. */
  searchBudgetMs?: number;
};

const POOL_SIZE = 12;
const SLOW_HEADERS_MS = 20_000;
/** Callers beyond are refused by the socket, while those that are there go on. */
const MAX_CONNECTIONS = 20_000;
const HEALTH_RULES: HealthRules = {
  disableAfterMs: DISABLE_AFTER_DAYS * 86_400_000,
  exhaustedApartMs: EXHAUSTED_APART_HOURS * 3_600_000,
};

export async function startApp(config: Config, options: AppOptions): Promise<App> {
  const { log } = options;
  const undo: (() => unknown)[] = [];
  try {
    const embedded = config.databaseUrl ? undefined : await startEmbedded({ dataDir: config.dataDir, log });
    if (embedded) undo.push(() => embedded.stop());
    const connection = embedded ? embedded.connection : connectionFrom(config.databaseUrl ?? '');
    await migrate(connection, { log });
    const database = openDatabase(connection, { poolSize: POOL_SIZE, log, silentMs: options.databaseSilentMs });
    undo.push(() => database.close());
    undo.push(() => settleCalls(database.kysely));
    await ensurePartitions(database.kysely);
    const vault = await openVault(database.kysely, { dataDir: config.dataDir, masterKey: config.masterKey });
    const locks = createLocks(connection, log);
    undo.push(() => locks.close());
    const runtime = await createRuntime({
      log,
      sandbox: config.sandbox,
      pythonCache: options.pythonCache ?? join(config.dataDir, 'python'),
    });
    undo.push(() => runtime.close());
    // Where tests share one, each would do it for nothing.
    if (options.pythonCache === undefined) void runtime.prepare();
    const packages = createRegistry(config.npmRegistry, join(config.dataDir, 'packages'));
    undo.push(() => packages.close());
    const blobFolder = join(config.dataDir, 'blobs');
    const blobs = folderBlobs(blobFolder);
    const search = await createCodeSearch({
      folder: join(config.dataDir, 'search'),
      blobs: blobFolder,
      source: functionSource(database.kysely),
      log,
      purgeMs: options.purgeCodeMs,
      ...(options.searchBudgetMs ? { budgetMs: options.searchBudgetMs } : {}),
    });
    undo.push(() => search.close());
    const reach = createReachReader();
    undo.push(() => reach.close());

    const nodeId = newId();
    const nudges: Partial<Record<WorkerName, () => void>> = {};
    const parts: Omit<Services, 'pipeline'> = {
      settings: {
        addresses: config.addresses,
        trustedProxies: config.trustedProxies,
        requestsPerSecond: config.requestsPerSecond,
        retentionDays: config.retentionDays,
        retryScheduleSeconds: options.retryScheduleSeconds ?? RETRY_SCHEDULE_SECONDS,
        health: options.health ?? HEALTH_RULES,
        breaker: options.breaker ?? BREAKER_RULES,
        attemptTimeoutMs: options.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS,
        replayMaxEvents: REPLAY_MAX_EVENTS,
        gateway: config.gateway,
        version: options.version,
      },
      nodeId,
      log,
      db: database.kysely,
      vault,
      locks,
      blobs,
      runtime,
      packages,
      search,
      reach,
      runTokens: createRunTokens(),
      egress: createEgress(config.allowPrivateCidrs, options.lookUp),
      live: createLive(nodeId, {
        onBatch: (account_id, live) => tell(database.kysely, { live, account_id }),
        onChange(change) {
          if (change.noun === 'trigger') services.pipeline.routes.forget(change.trigger_id);
          if (change.noun === 'function') search.nudge();
        },
      }),
      nudge(worker) {
        nudges[worker]?.();
        tell(database.kysely, { nudge: worker });
      },
    };
    const services: Services = { ...parts, pipeline: createPipeline(parts) };
    const soleNode = embedded !== undefined;
    if (soleNode) await sweepOrphanRuns(services);
    const welcomeUrl = await firstStart(services, config.first);

    const workers = {
      deliverer: createDeliverer(services, { soleNode }),
      scheduler: createScheduler(services),
      refresher: createRefresher(services),
      sweeper: createSweeper(services),
      replayer: createReplayer(services),
      poller: createPoller(services),
      registrar: createRegistrar(services, { soleNode }),
      counter: createCounter(services),
    };
    for (const name of Object.keys(workers) as WorkerName[]) nudges[name] = () => workers[name].nudge();
    // The embedded server has no other node.
    if (!embedded) {
      const wake = (name?: WorkerName) => {
        for (const each of name ? [name] : (Object.keys(workers) as WorkerName[])) nudges[each]?.();
      };
      const { close } = await joinNeighbours(services, connection, { wake, probeMs: options.channelProbeMs });
      undo.push(close);
    }

    const gateway = createGateway(services, {
      answerMs: config.gateway.answerSeconds * 1000,
      idleMs: config.gateway.idleSeconds * 1000,
      ...options.gateway,
    });
    const streams = createStreams();
    let draining = false;
    const edge: Edge = {
      services,
      limits: {
        account: createRateLimit({ perSecond: config.requestsPerSecond, burst: config.requestsPerSecond }),
        session: createRateLimit({ perSecond: 50, burst: 200 }),
        address: createRateLimit({ perSecond: 20, burst: 100 }),
      },
      streams,
      strictReplies: options.strictReplies ?? false,
    };
    const runGateway = await openRunGateway(edge, gateway, runtime.gatewaySocket);
    undo.push(() => runGateway.close());
    const functionFront = createFunctionFront(services);
    const front = createFront({
      edge,
      gateway,
      functionFront,
      hooksFront: createHooksFront(services, options.hookBodyMs ? { bodyMs: options.hookBodyMs } : {}),
      files: consoleFiles(options.consoleFolder),
      readiness: async () => {
        await database.pool.query('select 1');
        return { ready: !draining, detail: { status: draining ? 'draining' : 'ready', sandbox: runtime.mode } };
      },
      metrics: config.metrics ? createMetrics(services, database.pool) : undefined,
    });
    // Slow clients: a time for the headers; bodies are bounded by each door. 64 KiB of headers is what peers take too.
    const headersTimeout = options.slowHeadersMs ?? SLOW_HEADERS_MS;
    const server = createServer(
      {
        maxHeaderSize: 65_536,
        // What a caller may leave untaken before the app is held back: several reads, or each would stop and start it.
        highWaterMark: 262_144,
        headersTimeout,
        connectionsCheckingInterval: headersTimeout / 4,
        requestTimeout: 0,
        keepAliveTimeout: 65_000,
        // The front says it, in the shape of every other error.
        requireHostHeader: false,
        shouldUpgradeCallback: front.takesUpgrade,
      },
      front.handle,
    );
    server.maxConnections = MAX_CONNECTIONS;
    watchKept(server);
    server.on('upgrade', front.upgrade).on('connect', front.connect).on('clientError', refuseUnreadable);
    // What a request expects besides 100-continue may be left unmet; Node by itself would answer 417 without a word.
    server.on('checkExpectation', front.handle);
    await new Promise<void>((ok, refuse) => server.once('error', refuse).listen(config.port, config.host, ok));
    for (const worker of Object.values(workers)) await worker.start();

    const stop = async () => {
      draining = true;
      // A kept connection would go on bringing new work: who asks from now on is told to go elsewhere next time.
      server.prependListener('request', (_, res) => {
        res.shouldKeepAlive = false;
      });
      const closed = new Promise((ok) => server.close(ok));
      streams.close();
      gateway.hangUp();
      functionFront.hangUp();
      const idle = setInterval(() => server.closeIdleConnections(), 100);
      await Promise.all(Object.values(workers).map((worker) => worker.drain()));
      const late = setTimeout(() => server.closeAllConnections(), 5_000);
      await closed;
      clearTimeout(late);
      clearInterval(idle);
      await gateway.close();
      await flushLastUsed(services);
      await flushRejections(services);
      for (const each of undo.toReversed()) await each();
    };
    let stopping: Promise<void> | undefined;
    return {
      services,
      port: (server.address() as AddressInfo).port,
      welcomeUrl,
      stop: () => {
        stopping ??= stop();
        return stopping;
      },
    };
  } catch (error) {
    for (const each of undo.toReversed()) await each();
    throw error;
  }
}
