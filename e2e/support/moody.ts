/** An app with every kind of response: JSON, HTML, an image, errors, and none. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The first bytes of an image: not text in any encoding. */
export const PICTURE = Buffer.from('89504e470d0a1a0a0000000dff', 'hex');

export type Moody = {
  url: string;
  /** The key that the app accepts in `x-api-key`. */
  key: string;
  /** The last request that the app received. */
  got(): { method: string; path: string; headers: IncomingMessage['headers']; body: string; bytes: Buffer } | undefined;
  stop(): Promise<void>;
};

export async function startMoody(): Promise<Moody> {
  let got: ReturnType<Moody['got']>;
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const path = req.url ?? '/';
      got = { method: req.method ?? '', path, headers: req.headers, body: bytes.toString(), bytes };
      if (req.headers['x-api-key'] !== moody.key) {
        res.writeHead(401, { 'Content-Type': 'application/json' });
        return res.end('{"error":"bad key"}');
      }
      if (path.startsWith('/never')) return;
      if (path.startsWith('/cut')) return req.socket.destroy();
      if (path.startsWith('/broken')) {
        res.writeHead(503, { 'Content-Type': 'application/json' });
        return res.end('{"error":"upstream_busy","queue_depth":4127}');
      }
      if (path.startsWith('/picture')) {
        res.writeHead(200, { 'Content-Type': 'image/png' });
        return res.end(PICTURE);
      }
      if (path.startsWith('/page')) {
        res.writeHead(200, { 'Content-Type': 'text/html' });
        return res.end('<h1>Hello</h1>');
      }
      res.writeHead(200, ['Content-Type', 'application/json', 'X-Tag', 'one', 'x-tag', 'two']);
      res.end(`{"path":${JSON.stringify(path)},"big":12345678901234567890,"items":[{"id":1,"total":8900}]}`);
    });
  });
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  const moody: Moody = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: 'app-secret-42',
    got: () => got,
    async stop() {
      server.closeAllConnections();
      await new Promise((ok) => server.close(ok));
    },
  };
  return moody;
}
