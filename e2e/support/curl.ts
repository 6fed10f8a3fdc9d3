/** Like `curl` in a terminal: one request with the key to a URL of the service; *.localhost is this machine. */
import { type IncomingHttpHeaders, request } from 'node:http';

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

export function curl(
  address: string,
  { key, method = 'GET', body }: { key: string; method?: string; body?: string },
): Promise<Answer> {
  const { host, port, pathname, search } = new URL(address);
  return new Promise((answer, refuse) => {
    const headers = { host, authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    const req = request({ host: '127.0.0.1', port, method, path: pathname + search, headers }, (res) => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', (chunk) => {
        text += chunk;
      });
      res.on('end', () => answer({ status: res.statusCode ?? 0, headers: res.headers, body: text }));
      res.on('error', refuse);
    });
    req.on('error', refuse);
    req.end(body);
  });
}
