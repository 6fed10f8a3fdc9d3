/** A service whose first account has an identity provider, a real one. */
import type { ServerResponse } from 'node:http';
import { beforeAll, expect } from 'vitest';
import { type Browser, signIn } from '../../test/browser.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { type ProviderUser, startIdentityProvider } from './identity-provider.ts';

export const PATH = '/account/identity-providers';
export type Listed = { provider_id: string; members: number; has_secret: boolean; enabled: boolean };
type Entry = { operation: string; outcome: string; actor_name: string; request_id: string };

/** Call it once in a test file. `set.shared` is the provider's id. */
export function openIdForAll() {
  const service = serviceForAll();
  const owner = forAll(() => signIn(service));
  const provider = forAll(() =>
    startIdentityProvider({
      callbacks: [`http://localhost:${service.port}/sign-in/callback/${service.account_id}`],
      sign_out_urls: [`http://localhost:${service.port}/sign-in`],
    }),
  );
  const settings = (more: object = {}) => ({
    name: 'Northwind',
    issuer: provider.issuer,
    ...provider.client,
    allowed_domains: ['northwind.example'],
    creates_members: true,
    ...more,
  });
  let made = 0;
  const set = {
    service,
    owner,
    provider,
    settings,
    shared: '',
    async addProvider(more: object = {}, by: Browser = owner): Promise<string> {
      const { status, body } = await by.call<{ identity_provider: Listed }>('POST', PATH, settings(more));
      expect(status, JSON.stringify(body)).toBe(200);
      return body.identity_provider.provider_id;
    },
    /** A user at the provider, with an address of the allowed domain. */
    newUser(more: Partial<ProviderUser> = {}): { login: string; email: string; name: string } {
      const login = `user-${++made}`;
      const email = `${login}@northwind.example`;
      const name = `User ${made}`;
      provider.users.set(login, { sub: login, email, email_verified: true, name, ...more });
      return { login, email, name };
    },
    /** The newest audit entry of a resource. */
    async lastEntry(resource_id: string): Promise<Entry | undefined> {
      const { body } = await service.api<{ entries: Entry[] }>('GET', `/audit?resource_id=${resource_id}`);
      return body.entries[0];
    },
  };
  beforeAll(async () => {
    set.shared = await set.addProvider();
  });
  return set;
}

export const respond = (res: ServerResponse, body: object): void => {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
