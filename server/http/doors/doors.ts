import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGateway, type GatewayLimits } from '../../gateway/forwarding/gateway.ts';
import { type Closable, opened } from '../../lib/opened.ts';
import { createRateLimit } from '../../lib/rate-limit.ts';
import type { Services } from '../../platform/context.ts';
import type { ReadinessReport } from '../../platform/readiness.ts';
import type { Edge } from '../adaptor.ts';
import { watchKept } from '../kept-connections.ts';
import { refuseUnreadable } from '../raw-refusal.ts';
import { createStreams } from '../stream.ts';
import { consoleFiles } from './console-files.ts';
import { createFront, type Front } from './front.ts';
import { createFunctionFront } from './function-front.ts';
import { createHooksFront } from './hooks-front.ts';
import { openRunGateway } from './run-gateway.ts';

export type Doors = Closable & {
  server: Server;
  /** Opens the port; resolves with its number. */
  listen(host: string, port: number): Promise<number>;
  /** From now on the node is not ready. */
  drain(): void;
  /** Ends responses that have no end. */
  hangUp(): void;
  /** Cuts calls through the gateway; they are logged as cut. */
  cutOff(): void;
};

export type DoorsOptions = {
  requestsPerSecond: number;
  consoleFolder: string;
  /** The socket that running code calls the gateway by. */
  gatewaySocket: string;
  readiness: () => Promise<ReadinessReport>;
  metrics: (() => Promise<string>) | undefined;
  /** Tests shorten these. */
  gateway?: Partial<GatewayLimits> | undefined;
  slowHeadersMs?: number | undefined;
  hookBodyMs?: number | undefined;
  /** Replies are held against the operations table; in tests. */
  strictReplies: boolean;
};

const SLOW_HEADERS_MS = 20_000;
/** Further clients are refused by the socket, while connected ones continue. */
const MAX_CONNECTIONS = 20_000;

/** The HTTP server with all that it serves: console, API, hooks, functions, gateway, readiness and metrics. */
export function createDoors(services: Services, options: DoorsOptions): Promise<Doors> {
  return opened(async (onClose) => {
    const { answerSeconds, idleSeconds } = services.settings.gateway;
    const times = { answerMs: answerSeconds * 1000, idleMs: idleSeconds * 1000 };
    const gateway = createGateway(services, { ...times, ...options.gateway });
    const streams = createStreams();
    const { requestsPerSecond, strictReplies } = options;
    const edge: Edge = {
      services,
      limits: {
        account: createRateLimit({ perSecond: requestsPerSecond, burst: requestsPerSecond }),
        session: createRateLimit({ perSecond: 50, burst: 200 }),
        address: createRateLimit({ perSecond: 20, burst: 100 }),
      },
      streams,
      strictReplies,
    };
    const runGateway = await openRunGateway(edge, gateway, options.gatewaySocket);
    onClose(() => runGateway.close());
    onClose(() => gateway.close());
    const functionFront = createFunctionFront(services);
    let draining = false;
    const front = createFront({
      edge,
      gateway,
      functionFront,
      hooksFront: createHooksFront(services, options.hookBodyMs ? { bodyMs: options.hookBodyMs } : {}),
      files: consoleFiles(options.consoleFolder),
      readiness: async () => {
        const { ok, checks } = await options.readiness();
        const status = draining ? 'draining' : ok ? 'ready' : 'not ready';
        return { ready: status === 'ready', detail: { status, sandbox: services.runtime.mode, checks } };
      },
      metrics: options.metrics,
    });
    const server = serverOf(front, options.slowHeadersMs ?? SLOW_HEADERS_MS);
    return {
      server,
      async listen(host, port) {
        await new Promise<void>((ok, refuse) => server.once('error', refuse).listen(port, host, ok));
        return (server.address() as AddressInfo).port;
      },
      drain() {
        draining = true;
      },
      hangUp() {
        streams.close();
        gateway.hangUp();
        functionFront.hangUp();
      },
      cutOff: () => gateway.cutOff(),
    };
  });
}

/** Slow clients: a time for the headers; bodies are bounded by each door. 64 KiB of headers is what peers take too. */
function serverOf(front: Front, headersTimeout: number): Server {
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
  // What a request expects besides 100-continue may be left unmet; plain Node would answer 417 without a word.
  server.on('checkExpectation', front.handle);
  return server;
}
