/** A destination that fails on command, and a small app to connect to. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: string };
export type Sink = {
  url: string;
  received: Received[];
  /** The response of paths that start with /hook from now on. */
  answer(status: number, body?: string): void;
  stop(): Promise<void>;
};

export async function startSink(): Promise<Sink> {
  const received: Received[] = [];
  let status = 200;
  let text = 'ok';
  const server: Server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8');
    req.on('data', (chunk) => {
      body += chunk;
    });
    req.on('end', () => {
      const path = req.url ?? '/';
      received.push({ method: req.method ?? '', path, headers: req.headers, body });
      if (path.startsWith('/v1/')) {
        const known = req.headers['x-api-key'] === 'app-secret-42';
        res.writeHead(known ? 200 : 401, { 'content-type': 'application/json', 'x-app': 'ledger' });
        return res.end(JSON.stringify(known ? { path, items: [{ id: 1, total: 8900 }] } : { error: 'bad key' }));
      }
      const fails = path.startsWith('/hook') ? status : path.startsWith('/broken') ? 503 : 200;
      res.writeHead(fails, { 'content-type': 'application/json' });
      res.end(fails === 503 ? '{"error":"upstream_busy","queue_depth":4127}' : text);
    });
  });
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer(nextStatus, nextText = 'ok') {
      status = nextStatus;
      text = nextText;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((ok) => server.close(ok));
    },
  };
}
