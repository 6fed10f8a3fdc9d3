/** A receiver that fails on command: each path responds as configured, and all requests are recorded. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: string };
type Reply = { status?: number; headers?: Record<string, string>; body?: string };
type Answer = Reply | ((response: ServerResponse, received: Received) => void);

export type Sink = {
  url: string;
  /** Sets the response of a path; the default is 200. */
  answer(path: string, answer: Answer): void;
  /** The requests received at a path. */
  received(path: string): Received[];
  /** Stops listening, so that connections are refused; `listen` starts again on the same port. */
  close(): Promise<void>;
  listen(): Promise<void>;
};

export async function startSink(): Promise<Sink> {
  const answers = new Map<string, Answer>();
  const kept: Received[] = [];
  let port = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body,
      };
      kept.push(received);
      const answer = answers.get(received.path.split('?')[0] ?? '') ?? {};
      if (typeof answer === 'function') return answer(response, received);
      response.writeHead(answer.status ?? 200, answer.headers);
      response.end(answer.body ?? 'ok');
    });
  });
  const listen = () => new Promise<void>((ok) => server.listen(port, '127.0.0.1', ok));
  await listen();
  port = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${port}`,
    answer: (path, answer) => answers.set(path, answer),
    received: (path) => kept.filter((each) => each.path.split('?')[0] === path),
    async close() {
      server.closeAllConnections();
      await new Promise((ok) => server.close(ok));
    },
    listen,
  };
}
