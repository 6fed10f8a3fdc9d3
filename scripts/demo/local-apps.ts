/**
 * The apps that the demo connects, on a loopback port: a ledger with OAuth 2, whose tokens expire after five minutes,
 * and exchange rates with an API key. They check every credential.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export const LEDGER_CLIENT = { client_id: 'sluice-demo', client_secret: 'demo-client-secret' };
export const RATES_KEY = 'rates_demo_key';
const TOKEN_SECONDS = 300;
const ENTRIES_KEPT = 50;
const BODY_MAX_BYTES = 64 * 1024;

type Entry = { reference: string; cents: number; currency: string };
type Route = (req: IncomingMessage, res: ServerResponse, url: URL, body: string) => void;

export function startLocalApps(port: number) {
  const codes = new Set<string>();
  const refreshTokens = new Set<string>();
  const tokens = new Map<string, number>();
  const entries: Entry[] = [];

  const json = (res: ServerResponse, status: number, body: object) =>
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  const routes: Record<string, Route> = {
    'GET /ledger/authorize': (_, res, url) => {
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      const code = randomUUID();
      codes.add(code);
      back.searchParams.set('code', code);
      back.searchParams.set('state', url.searchParams.get('state') ?? '');
      res.writeHead(302, { location: back.href }).end();
    },
    'POST /ledger/token': (_, res, __, body) => {
      const form = new URLSearchParams(body);
      if (form.get('client_secret') !== LEDGER_CLIENT.client_secret) return json(res, 401, { error: 'invalid_client' });
      const known = codes.delete(form.get('code') ?? '') || refreshTokens.delete(form.get('refresh_token') ?? '');
      // Tokens are kept in memory only: after a restart of the demo a refresh of yesterday has to work.
      if (!known && form.get('grant_type') !== 'refresh_token') return json(res, 400, { error: 'invalid_grant' });
      const [access_token, refresh_token] = [randomUUID(), randomUUID()];
      tokens.set(access_token, Date.now() + TOKEN_SECONDS * 1000);
      refreshTokens.add(refresh_token);
      for (const [token, until] of tokens) if (until < Date.now()) tokens.delete(token);
      json(res, 200, { access_token, refresh_token, token_type: 'Bearer', expires_in: TOKEN_SECONDS });
    },
    'GET /ledger/entries': (req, res) => withToken(req, res, () => json(res, 200, { entries })),
    'POST /ledger/entries': (req, res, _, body) =>
      withToken(req, res, () => {
        const { reference, cents, currency } = JSON.parse(body) as Partial<Entry>;
        if (!reference || typeof cents !== 'number' || !currency)
          return json(res, 422, { error: 'expected reference, cents and currency' });
        entries.splice(0, Math.max(0, entries.length - ENTRIES_KEPT + 1));
        entries.push({ reference, cents, currency });
        json(res, 201, { entry: entries.length, reference });
      }),
    'GET /rates/latest': (req, res) => {
      if (req.headers['x-api-key'] !== RATES_KEY) return json(res, 401, { error: 'unknown key' });
      json(res, 200, { base: 'EUR', rates: { USD: 1.0841, GBP: 0.8412, CHF: 0.9377, JPY: 163.2 } });
    },
  };

  function withToken(req: IncomingMessage, res: ServerResponse, then: () => void) {
    const until = tokens.get(req.headers.authorization?.replace(/^Bearer /, '') ?? '') ?? 0;
    if (until < Date.now()) json(res, 401, { error: 'invalid_token' });
    else then();
  }

  return createServer((req, res) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= BODY_MAX_BYTES) chunks.push(chunk);
    });
    req.on('end', () => {
      const url = new URL(req.url ?? '/', `http://${req.headers.host}`);
      const route = routes[`${req.method} ${url.pathname}`];
      try {
        if (bytes > BODY_MAX_BYTES) json(res, 413, { error: `expected at most ${BODY_MAX_BYTES} bytes` });
        else if (route) route(req, res, url, Buffer.concat(chunks).toString());
        else json(res, 404, { error: 'not found' });
      } catch {
        json(res, 400, { error: 'expected a valid request' });
      }
    });
  }).listen(port, '127.0.0.1');
}
