/**
 * A real OAuth 2 provider (oidc-provider) on loopback, with its own pages to sign in and agree, refresh tokens that
 * rotate and revoke the grant when one is used twice, and an API for its tokens.
 *
 *   const provider = await startProvider({ redirect_urls: [...], accessTokenSeconds: 3600 });
 *   provider.methods()          what `POST /apps` takes as methods: OAUTH2 with this provider's URLs
 *   provider.client             the client to enter as app credentials
 *   provider.calls              every request to the token URL: its grant and result
 *   provider.instead = (req, res) => true    responds instead of the provider if it returns true
 *   await agree(visitor, url)   completes the pages with "yes"; returns the callback URL
 *   await deny(visitor, url)    the same with "no"
 *
 * Its API: `GET {url}/api/…` answers `{sub, client_id, scope}` to a token that is valid, 401 to any other.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Configuration, Provider } from 'oidc-provider';
import type { Visitor } from '../../test/visitor.ts';

export type TokenCall = { grant: string; ok: boolean };
export type OAuthProvider = {
  url: string;
  client: { client_id: string; client_secret: string };
  calls: TokenCall[];
  /** Every code and token it gave out. */
  given: string[];
  /** Grants taken back, because a refresh token was used twice or a person asked for it. */
  revoked: string[];
  instead: ((req: IncomingMessage, res: ServerResponse) => boolean) | undefined;
  /** The next request to the token address waits, until it is let go. */
  hold(): { arrived: Promise<void>; letGo(): void };
  /** OAUTH2 as `POST /apps` takes it; `more` replaces or adds. */
  methods(more?: object): object[];
  /** Ends every access token now; refresh tokens still work. */
  endAccess(): Promise<void>;
  /** Takes back whatever this person agreed to. */
  revokeAll(): Promise<void>;
  close(): Promise<void>;
};
export type ProviderOptions = {
  redirect_urls: string[];
  accessTokenSeconds?: number;
  /** How the client proves itself; `none` makes it a public one. */
  auth?: 'client_secret_post' | 'client_secret_basic' | 'none';
  configuration?: Configuration;
  /** Registers a further grant for the client. */
  grant?: { type: string; parameters: string[]; handle: Parameters<Provider['registerGrantType']>[1] };
  /** The port to listen on; any free one by default. */
  port?: number;
};

const DAY_SECONDS = 86_400;
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

export async function startProvider(options: ProviderOptions): Promise<OAuthProvider> {
  const {
    redirect_urls,
    accessTokenSeconds = 3600,
    auth = 'client_secret_post',
    configuration = {},
    grant,
    port = 0,
  } = options;
  // Listen before creating the provider, which needs its URL.
  let handle: (req: IncomingMessage, res: ServerResponse) => void = (_, res) => res.writeHead(503).end();
  const server = createServer((req, res) => handle(req, res));
  await new Promise<void>((ok) => server.listen(port, '127.0.0.1', ok));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { client_id: 'sluice-test.client', client_secret: `s3cret-${randomBytes(12).toString('hex')}` };
  const provider = new Provider(url, {
    clients: [
      {
        client_id: client.client_id,
        ...(auth === 'none' ? {} : { client_secret: client.client_secret }),
        redirect_uris: redirect_urls,
        grant_types: [
          'authorization_code',
          'refresh_token',
          ...(auth === 'none' ? [] : ['client_credentials']),
          ...(configuration.features?.deviceFlow?.enabled ? [DEVICE_GRANT] : []),
          ...(grant ? [grant.type] : []),
        ],
        response_types: ['code'],
        token_endpoint_auth_method: auth,
      },
    ],
    scopes: ['openid', 'offline_access', 'read', 'write'],
    cookies: { keys: [randomBytes(16).toString('hex')] },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    ttl: {
      AccessToken: accessTokenSeconds,
      ClientCredentials: accessTokenSeconds,
      RefreshToken: DAY_SECONDS,
      IdToken: 3600,
      Interaction: 3600,
      Session: DAY_SECONDS,
      Grant: DAY_SECONDS,
    },
    ...configuration,
    features: { clientCredentials: { enabled: true }, revocation: { enabled: true }, ...configuration.features },
  });

  if (grant) provider.registerGrantType(grant.type, grant.handle, grant.parameters);

  const calls: TokenCall[] = [];
  const revoked: string[] = [];
  const grants = new Set<string>();
  const grantOf = (params: unknown) => String((params as { grant_type?: unknown } | undefined)?.grant_type);
  provider.on('grant.success', (ctx) => {
    calls.push({ grant: grantOf(ctx.oidc.params), ok: true });
    const grantId = ctx.oidc.entities.Grant?.jti;
    if (grantId) grants.add(grantId);
  });
  provider.on('grant.error', (ctx) => calls.push({ grant: grantOf(ctx.oidc.params), ok: false }));
  provider.on('grant.revoked', (_, grantId) => revoked.push(grantId));

  const access: { destroy(): Promise<void> }[] = [];
  provider.on('access_token.saved', (token) => access.push(token));
  provider.on('client_credentials.saved', (token) => access.push(token));
  const given: string[] = [];
  const note = ({ jti }: { jti: string }) => given.push(jti);
  provider.on('access_token.saved', note).on('client_credentials.saved', note);
  provider.on('refresh_token.saved', note).on('authorization_code.saved', note);

  const answer = provider.callback();
  const made: OAuthProvider = {
    url,
    client,
    calls,
    given,
    revoked,
    instead: undefined,
    methods: (more = {}) => [
      {
        method: 'OAUTH2',
        authorize_url: `${url}/auth`,
        token_url: `${url}/token`,
        scopes: ['openid', 'read'],
        ...more,
      },
    ],
    hold() {
      const arrived = Promise.withResolvers<void>();
      const going = Promise.withResolvers<void>();
      made.instead = (req, res) => {
        if (req.url !== '/token') return false;
        made.instead = undefined;
        arrived.resolve();
        void going.promise.then(() => answer(req, res));
        return true;
      };
      return { arrived: arrived.promise, letGo: going.resolve };
    },
    async endAccess() {
      await Promise.all(access.splice(0).map((token) => token.destroy()));
    },
    async revokeAll() {
      for (const grantId of grants) {
        await provider.RefreshToken.revokeByGrantId(grantId);
        await provider.AccessToken.revokeByGrantId(grantId);
      }
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((ok) => server.close(ok));
    },
  };
  handle = (req, res) => {
    if (made.instead?.(req, res)) return;
    if (req.url?.startsWith('/api/')) return void api(provider, req, res);
    if (req.url === '/favicon.ico') return void res.writeHead(204).end();
    void answer(req, res);
  };
  return made;
}

async function api(provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const token = /^Bearer (.+)$/.exec(req.headers.authorization ?? '')?.[1] ?? '';
  const found = (await provider.AccessToken.find(token)) ?? (await provider.ClientCredentials.find(token));
  res.setHeader('content-type', 'application/json');
  if (!found?.isValid) return void res.writeHead(401).end('{"error":"invalid_token"}');
  const sub = 'accountId' in found ? found.accountId : null;
  res.end(JSON.stringify({ sub, client_id: found.clientId, scope: found.scope }));
}

const elsewhere = (from: string) => (url: URL) => url.origin !== new URL(from).origin;

/** Signs in as any user and allows everything. Returns the callback URL. */
export async function agree(visitor: Visitor, authorizeUrl: string): Promise<string> {
  const until = elsewhere(authorizeUrl);
  let page = await visitor.visit(authorizeUrl, until);
  while (page.status === 200) {
    const isLogin = page.html.includes('name="login"');
    page = await visitor.send(page, isLogin ? { login: 'mira', password: 'any' } : {}, until);
  }
  return cameBack(page, until);
}

/** Enters a device code, in any browser, and allows everything; or refuses. */
export async function enterCode(visitor: Visitor, url: string, user_code: string, refuses = false): Promise<string> {
  let page = await visitor.send(await visitor.visit(url), { user_code });
  page = await visitor.send(page, refuses ? { abort: 'yes' } : { confirm: 'yes' });
  while (page.html.includes('<form') && /interaction/.test(page.url))
    page = await visitor.send(page, page.html.includes('name="login"') ? { login: 'mira', password: 'any' } : {});
  return page.html;
}

/** Chooses "Cancel" on the provider's page. */
export async function deny(visitor: Visitor, authorizeUrl: string): Promise<string> {
  const until = elsewhere(authorizeUrl);
  const page = await visitor.visit(authorizeUrl, until);
  const cancel = /href="([^"]+\/abort)"/.exec(page.html)?.[1];
  if (!cancel) throw new Error(`no way out at ${page.url}: ${page.html.slice(0, 300)}`);
  return cameBack(await visitor.visit(new URL(cancel, page.url).href, until), until);
}

function cameBack({ url, status, html }: { url: string; status: number; html: string }, until: (url: URL) => boolean) {
  if (!until(new URL(url))) throw new Error(`the provider answered ${status} at ${url}: ${html.slice(0, 500)}`);
  return url;
}
