/**
 * A real OpenID Connect provider (oidc-provider) on loopback, and a browser that signs in through it.
 *
 *   const provider = await startIdentityProvider({ callbacks: [...], sign_out_urls: [...] });
 *   provider.users.set('mira', { sub: '1', email: 'mira@example.com', email_verified: true });
 *   const page = await signInThrough(browser, provider, provider_id, 'mira');   the reply of `POST /session:finish`
 */
import { randomBytes } from 'node:crypto';
import { type OAuthProvider, startProvider } from '../../connections/test/oauth-provider.ts';
import type { Browser } from '../../test/browser.ts';
import { openVisitor, type Visitor } from '../../test/visitor.ts';

/** `sub` is the name that is entered there. */
export type ProviderUser = { sub: string; email?: string; email_verified?: boolean; name?: string; groups?: string[] };
export type IdentityProviderForTest = OAuthProvider & {
  /** By the name entered on the provider's page. */
  users: Map<string, ProviderUser>;
  issuer: string;
};

export const newClient = () => ({
  client_id: 'sluice-console',
  client_secret: `s3cret-${randomBytes(12).toString('hex')}`,
});

export async function startIdentityProvider({
  callbacks,
  sign_out_urls = [],
  port = 0,
  client = newClient(),
}: {
  callbacks: string[];
  sign_out_urls?: string[];
  port?: number;
  client?: ReturnType<typeof newClient>;
}): Promise<IdentityProviderForTest> {
  const users = new Map<string, ProviderUser>();
  const provider = await startProvider({
    redirect_urls: callbacks,
    port,
    configuration: {
      clients: [
        {
          ...client,
          redirect_uris: callbacks,
          post_logout_redirect_uris: sign_out_urls,
          response_types: ['code'],
          grant_types: ['authorization_code'],
          id_token_signed_response_alg: 'RS256',
        },
      ],
      pkce: { required: () => true },
      scopes: ['openid', 'email', 'profile', 'groups'],
      claims: {
        openid: ['sub', 'auth_time'],
        email: ['email', 'email_verified'],
        profile: ['name'],
        groups: ['groups'],
      },
      findAccount: (_, login) => ({
        accountId: login,
        claims: () => ({ ...(users.get(login) ?? { sub: login }) }),
      }),
      issueRefreshToken: () => false,
      features: { rpInitiatedLogout: { enabled: true } },
    },
  });
  return Object.assign(provider, { users, client, issuer: provider.url });
}

/** Signs in on the provider's pages; returns the parameters of the callback. */
export async function authenticate(visitor: Visitor, url: string, login: string): Promise<URL> {
  const { origin } = new URL(url);
  const until = (each: URL) => each.origin !== origin;
  let page = await visitor.visit(url, until);
  while (page.status === 200) {
    const isLogin = page.html.includes('name="login"');
    page = await visitor.send(page, isLogin ? { login, password: 'any' } : {}, until);
  }
  if (!until(new URL(page.url))) throw new Error(`the provider answered ${page.status}: ${page.html.slice(0, 500)}`);
  return new URL(page.url);
}

/** The body of `POST /session:finish` for a callback, as the console sends it. */
export function finishOf(callback: URL): Record<string, string> {
  const account_id = callback.pathname.split('/')[3];
  const given = ['state', 'code', 'iss', 'error'].flatMap((name): [string, string][] => {
    const value = callback.searchParams.get(name);
    return value === null ? [] : [[name, value]];
  });
  return { ...(account_id === undefined ? {} : { account_id }), ...Object.fromEntries(given) };
}

/** The URL of the provider's page. */
export async function startSignIn(browser: Browser, provider_id: string, more: object = {}): Promise<string> {
  const { status, body } = await browser.call<{ url: string }>('POST', '/session:start', { provider_id, ...more });
  if (status !== 200) throw new Error(`sign-in did not start: ${JSON.stringify(body)}`);
  return body.url;
}

export type Finished = {
  result: string;
  next: string;
  session: { email: string; role: string; account_id: string; user_id: string; provider: unknown } | null;
  member: { email: string } | null;
  message?: string;
};

/** A whole sign-in. Each call opens a new session at the provider. */
export async function signInThrough(browser: Browser, provider_id: string, login: string, more: object = {}) {
  const callback = await authenticate(openVisitor(), await startSignIn(browser, provider_id, more), login);
  return browser.call<Finished>('POST', '/session:finish', finishOf(callback));
}
