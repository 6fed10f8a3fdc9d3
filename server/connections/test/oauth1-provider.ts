/**
 * A real OAuth 1 provider (passport-http-oauth on express): three legs, and an API that checks the signature of every
 * request, its timestamp, and that each nonce is used once.
 */
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import passport from 'passport';
import { ConsumerStrategy, TokenStrategy } from 'passport-http-oauth';

type Pending = { secret: string; callback: string; verifier: string };

export type OAuth1Provider = {
  url: string;
  client: { client_id: string; client_secret: string };
  method: { method: 'OAUTH1'; request_url: string; authorize_url: string; access_url: string };
  /** What the person does at the provider's page from here on. */
  says: 'yes' | 'no' | 'no, in words' | 'nothing';
  /** Leaves out that the callback address is confirmed, as before 1.0a. */
  confirms: boolean;
  /** Access tokens that were given, newest last. */
  given: string[];
  /** The secrets that belong to tokens, of request and access alike. */
  tokenSecrets: string[];
  revoke(token: string): void;
  /** From here on the client has another secret. */
  changeSecret(secret: string): void;
  close(): Promise<void>;
};

export async function startOAuth1Provider(callback: string): Promise<OAuth1Provider> {
  const app = express();
  const server = await new Promise<Server>((ok) => {
    const listening: Server = app.listen(0, '127.0.0.1', () => ok(listening));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { client_id: 'client & key', client_secret: 's3cret&/+' };
  const requests = new Map<string, Pending>();
  const access = new Map<string, string>();
  const nonces = new Set<string>();

  const provider: OAuth1Provider = {
    url,
    client,
    method: {
      method: 'OAUTH1',
      request_url: `${url}/request`,
      authorize_url: `${url}/authorize?app=sluice`,
      access_url: `${url}/access`,
    },
    says: 'yes',
    confirms: true,
    given: [],
    tokenSecrets: [],
    revoke: (token) => void access.delete(token),
    changeSecret(secret) {
      client.client_secret = secret;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((ok) => server.close(ok));
    },
  };

  const findClient = (key: string, done: (error: null, found?: unknown, secret?: string) => void) =>
    key === client.client_id ? done(null, { key }, client.client_secret) : done(null, false);
  const isFresh = (timestamp: string, nonce: string, done: (error: null, valid: boolean) => void) => {
    const valid = Math.abs(Date.now() / 1000 - Number(timestamp)) < 60 && !nonces.has(nonce);
    nonces.add(nonce);
    done(null, valid);
  };
  const strategies = new passport.Passport();
  const consumer = new ConsumerStrategy(findClient, (token, done) => done(null, requests.get(token)?.secret), isFresh);
  const token = new TokenStrategy(
    findClient,
    (key, done) => (access.has(key) ? done(null, { key }, access.get(key)) : done(null, false)),
    isFresh,
  );
  strategies.use('consumer', consumer).use('token', token);
  app.use(strategies.initialize());
  const checked = (name: string) => strategies.authenticate(name, { session: false });
  const parsed = express.urlencoded({ extended: false });
  const secret = () => {
    const text = randomBytes(12).toString('base64');
    provider.tokenSecrets.push(text);
    return text;
  };

  app.post('/request', parsed, checked('consumer'), (req: Request, res: Response) => {
    const asked = (req.authInfo as { oauth: { callbackURL: string } }).oauth.callbackURL;
    if (asked !== callback) return void res.status(401).send('oauth_problem=callback_rejected');
    const key = `request/${randomBytes(6).toString('hex')}`;
    requests.set(key, { secret: secret(), callback: asked, verifier: randomBytes(6).toString('hex') });
    const confirmed = provider.confirms ? { oauth_callback_confirmed: 'true' } : {};
    sendForm(res, { oauth_token: key, oauth_token_secret: requests.get(key)?.secret ?? '', ...confirmed });
  });

  app.get('/authorize', (req: Request, res: Response) => {
    const key = String(req.query['oauth_token']);
    const pending = requests.get(key);
    if (!pending || req.query['app'] !== 'sluice') return void res.status(400).send('no such token');
    const token = encodeURIComponent(key);
    const brought = {
      yes: `oauth_token=${token}&oauth_verifier=${pending.verifier}`,
      no: `denied=${token}`,
      'no, in words': `oauth_token=${token}&oauth_problem=user_refused`,
      nothing: `oauth_token=${token}`,
    };
    // A naive implementation, as in many providers.
    res.redirect(`${pending.callback}?${brought[provider.says]}`);
  });

  app.post('/access', parsed, checked('consumer'), (req: Request, res: Response) => {
    const { token: key = '', verifier } = (req.authInfo as { oauth: { token?: string; verifier?: string } }).oauth;
    const pending = requests.get(key);
    requests.delete(key);
    if (!pending || pending.verifier !== verifier) return void res.status(401).send('oauth_problem=verifier_invalid');
    const given = randomBytes(9).toString('base64');
    access.set(given, secret());
    provider.given.push(given);
    sendForm(res, { oauth_token: given, oauth_token_secret: access.get(given) ?? '', user_id: '7' });
  });

  app.use(parsed, express.text({ type: ['text/*', 'application/json'] }), checked('token'), (req, res) => {
    res.json({ method: req.method, url: req.originalUrl, body: req.body ?? null });
  });
  return provider;
}

const sendForm = (res: Response, fields: Record<string, string>) =>
  void res.type('application/x-www-form-urlencoded').send(new URLSearchParams(fields).toString());
