/** Custom apps with any method, and a real app that returns its requests and checks credentials. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from '../../test/service.ts';
import { getConnection, newConnection, onLink, tokenOf } from './connecting.ts';

let made = 0;

/** Adds a custom app with these methods; `more` is the rest of the body. */
export async function addCustomApp(
  service: Service,
  base_url: string | null,
  methods: object[],
  more: object = {},
): Promise<string> {
  const app = `custom-${++made}`;
  const answer = await service.api('POST', '/apps', { app, name: `Custom ${made}`, base_url, methods, ...more });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return app;
}

/** Submits these fields on the link of a new connection; `id` is the connection, with any result. */
export async function tryConnect(service: Service, app: string, method: string, fields: Record<string, string>) {
  const id = await newConnection(service, app);
  const { url } = await getConnection(service, id);
  const { status, body } = await onLink(service, tokenOf(url), { method, fields });
  return { id, status, message: String(body['message'] ?? '') };
}

/** The ID of a completed connection. */
export async function connectBy(service: Service, app: string, method: string, fields: Record<string, string>) {
  const { id, status, message } = await tryConnect(service, app, method, fields);
  if (status !== 200) throw new Error(message);
  return id;
}

export type LocalApp = { url: string; server: Server; close(): Promise<void> };
export type Received = { method: string; url: string; headers: Record<string, string>; body: string };

export async function startApp(answer: (req: IncomingMessage, res: ServerResponse) => void): Promise<LocalApp> {
  const server = createServer(answer);
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    async close() {
      server.closeAllConnections();
      await new Promise((ok) => server.close(ok));
    },
  };
}

/** Returns the received request; 401 if `lets` rejects it. */
export function startEcho(lets: (received: Received) => boolean = () => true): Promise<LocalApp> {
  return startApp((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { method = '', url = '' } = req;
      const headers = req.headers as Record<string, string>;
      const received = { method, url, headers, body: Buffer.concat(chunks).toString() };
      res.writeHead(lets(received) ? 200 : 401, { 'Content-Type': 'application/json' });
      res.end(JSON.stringify(received));
    });
  });
}
