import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { oldestDue } from '../../deliveries/backlog.ts';
import { createGateway, type GatewayLimits } from '../../gateway/forwarding/gateway.ts';
import { type Closable, opened } from '../../lib/opened.ts';
import { createRateLimit } from '../../lib/rate-limit.ts';
import type { MakeRateLimit } from '../../platform/cluster/rate-limits.ts';
import type { Services } from '../../platform/context.ts';
import type { ReadinessReport } from '../../platform/readiness.ts';
import type { Edge } from '../adaptor.ts';
import { createFileStreams } from '../file-stream.ts';
import { watchIdleConnections } from '../idle-connections.ts';
import { onClientError } from '../raw-error.ts';
import { createStreams } from '../stream.ts';
import { consoleFiles } from './console-files.ts';
import { createFront, type Front } from './front.ts';
import { createFunctionFront } from './function-front.ts';
import { createHooksFront } from './hooks-front.ts';
import { openRunGateway } from './run-gateway.ts';

export type Doors = Closable & {
  server: Server;
  /** Opens the port; resolves with its number. `reusePort`: other processes open it too. */
  listen(on: { host: string; port: number; reusePort: boolean }): Promise<number>;
  /** Makes readiness fail. */
  drain(): void;
  /** Ends live streams and WebSockets. */
  hangUp(): void;
  /** Aborts gateway calls and logs them as such. */
  cutOff(): void;
};

/** Requests of an IP address without a key or session. */
export type AddressRate = { perSecond: number; burst: number };
export const ADDRESS_RATE: AddressRate = { perSecond: 20, burst: 100 };

export type DoorsOptions = {
  requestsPerSecond: number;
  rateLimit: MakeRateLimit;
  consoleFolder: string;
  /** Path of the socket for gateway calls of runs. */
  gatewaySocket: string;
  readiness: () => Promise<ReadinessReport>;
  metrics: (() => Promise<string>) | undefined;
  /** Limits that tests shorten. */
  gateway?: Partial<GatewayLimits> | undefined;
  slowHeadersMs?: number | undefined;
  addressRate?: AddressRate | undefined;
  hookBodyMs?: number | undefined;
  /** Validates replies against the operations, in tests. */
  strictReplies: boolean;
};

const SLOW_HEADERS_MS = 20_000;
/** Further connections are closed at once; open ones continue. */
const MAX_CONNECTIONS = 20_000;

/** Creates the HTTP server of the console, API, webhooks, functions, gateway, readiness and metrics. */
export function createDoors(services: Services, options: DoorsOptions): Promise<Doors> {
  return opened(async (onClose) => {
    const { answerSeconds, idleSeconds } = services.settings.gateway;
    const times = { answerMs: answerSeconds * 1000, idleMs: idleSeconds * 1000 };
    const gateway = createGateway(services, { ...times, ...options.gateway });
    const streams = createStreams(services.settings.shares.accountStreams);
    const files = createFileStreams();
    const { requestsPerSecond, rateLimit, strictReplies } = options;
    const edge: Edge = {
      services,
      limits: {
        account: rateLimit('account', { perSecond: requestsPerSecond, burst: requestsPerSecond }),
        session: rateLimit('session', { perSecond: 50, burst: 200 }),
        address: createRateLimit(options.addressRate ?? ADDRESS_RATE),
      },
      streams,
      files,
      strictReplies,
    };
    const runGateway = await openRunGateway(edge, gateway, options.gatewaySocket);
    onClose(() => runGateway.close());
    onClose(() => gateway.close());
    const functionFront = createFunctionFront(services);
    const oldestDueSeconds = oldestDue(services);
    let draining = false;
    const front = createFront({
      edge,
      gateway,
      functionFront,
      hooksFront: createHooksFront(services, options.hookBodyMs ? { bodyMs: options.hookBodyMs } : {}),
      files: consoleFiles(options.consoleFolder),
      readiness: async () => {
        const { ok, checks } = await options.readiness();
        const seconds = checks['database']?.ok ? await oldestDueSeconds() : undefined;
        const status = draining ? 'draining' : ok ? 'ready' : 'not ready';
        const { mode, advice } = services.runtime;
        const sandbox = { sandbox: mode, ...(advice === undefined ? {} : { sandbox_advice: advice }) };
        const { version, database } = services.settings;
        const hold = services.hold.current();
        const onHold = hold === null ? {} : { on_hold_since: hold.since };
        const backlog = seconds === undefined ? {} : { oldest_due_seconds: seconds };
        const detail = { status, version, schema: database.schema, ...onHold, ...backlog, ...sandbox, checks };
        return { ready: status === 'ready', detail };
      },
      metrics: options.metrics,
    });
    const server = serverOf(front, options.slowHeadersMs ?? SLOW_HEADERS_MS);
    return {
      server,
      async listen(on) {
        await new Promise<void>((ok, refuse) => server.once('error', refuse).listen(on, ok));
        return (server.address() as AddressInfo).port;
      },
      drain() {
        draining = true;
      },
      hangUp() {
        streams.close();
        files.close();
        gateway.hangUp();
        functionFront.hangUp();
      },
      cutOff: () => gateway.cutOff(),
    };
  });
}

/** Bounds slow clients: a timeout for headers here, for bodies in each entry point. Headers have at most 64 KiB. */
function serverOf(front: Front, headersTimeout: number): Server {
  const server = createServer(
    {
      maxHeaderSize: 65_536,
      // Bytes buffered for a slow caller before the app is paused: several reads, so that not each one pauses it.
      highWaterMark: 262_144,
      headersTimeout,
      connectionsCheckingInterval: headersTimeout / 4,
      requestTimeout: 0,
      keepAliveTimeout: 65_000,
      // front.ts reports it in the shape of every other error.
      requireHostHeader: false,
      shouldUpgradeCallback: front.takesUpgrade,
    },
    front.handle,
  );
  server.maxConnections = MAX_CONNECTIONS;
  watchIdleConnections(server);
  server.on('upgrade', front.upgrade).on('connect', front.connect).on('clientError', onClientError);
  // Expectations besides 100-continue are ignored; by default Node responds 417 without a body.
  server.on('checkExpectation', front.handle);
  return server;
}
