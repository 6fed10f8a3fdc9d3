/** OAuth 2 token exchange (RFC 8693), against oidc-provider with that grant: a token is exchanged for one of the app. */
import { errors } from 'oidc-provider';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { type Service, startService } from '../../test/service.ts';
import { getConnection, newConnection, onLink, tokenOf } from './connecting.ts';
import { addCloud, callbackOf } from './oauth-flow.ts';
import { type OAuthProvider, type ProviderOptions, startProvider } from './oauth-provider.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const TYPE = 'urn:ietf:params:oauth:token-type:access_token';

/** What the provider was asked to exchange. */
const asked: Record<string, unknown>[] = [];
/** Ends the token of the last exchange. */
let end: () => Promise<void>;

/** Accepts access tokens that the provider issued to its client, and exchanges each for a new one with the scope. */
const handle: NonNullable<ProviderOptions['grant']>['handle'] = async (ctx) => {
  const { client, provider } = ctx.oidc;
  const params = ctx.oidc.params as Record<string, unknown>;
  asked.push({ ...params });
  const before = await provider.ClientCredentials.find(String(params['subject_token']));
  if (!client || !before || params['subject_token_type'] !== TYPE)
    throw new errors.InvalidGrant('the subject token is not valid');
  const token = new provider.ClientCredentials({ client, scope: String(params['scope'] ?? '') });
  end = () => token.destroy();
  ctx.body = {
    access_token: await token.save(),
    issued_token_type: TYPE,
    token_type: 'Bearer',
    expires_in: 3600,
    scope: token.scope,
  };
};

let service: Service;
let provider: OAuthProvider;
beforeAll(async () => {
  service = await startService();
  provider = await startProvider({
    redirect_urls: [callbackOf(service)],
    grant: { type: GRANT, parameters: ['subject_token', 'subject_token_type', 'audience', 'scope'], handle },
  });
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});
afterEach(() => {
  asked.length = 0;
});

const addExchange = (more: object = {}) =>
  addCloud(service, provider, {
    method: { grant: 'token_exchange', authorize_url: undefined, scopes: ['read'], ...more },
  });

/** A token of the provider for its client, to exchange. */
async function issued(): Promise<string> {
  const { client_id, client_secret } = provider.client;
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const answer = await fetch(`${provider.url}/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function submit(app: string, subject_token: string) {
  const id = await newConnection(service, app);
  const link = tokenOf((await getConnection(service, id)).url);
  const { status, body } = await onLink(service, link, { method: 'OAUTH2', fields: { subject_token } });
  return { id, status, body: body as unknown as Reply<'connectSessionSubmit'> & { message?: string } };
}

const call = (app: string, id: string) =>
  service.api<{ scope?: string }>('GET', `/${app}/whoami`, undefined, { headers: { 'service-connection': id } });

it('sends the token with its type and the parameters of the app, and calls with the token that it got', async () => {
  const app = await addExchange({ token_params: { audience: 'ledger' } });
  const { body } = await service.api<Reply<'appGet'>>('GET', `/apps/${app}`);
  expect(body.app.methods).toMatchObject([
    {
      grant: 'token_exchange',
      needs_client: true,
      has_client: true,
      fields: [{ name: 'subject_token', secret: true }],
    },
  ]);
  const token = await issued();
  const { id, status } = await submit(app, token);
  expect(status).toBe(200);
  expect(asked).toMatchObject([{ subject_token: token, subject_token_type: TYPE, audience: 'ledger', scope: 'read' }]);
  expect(await call(app, id)).toMatchObject({ status: 200, body: { scope: 'read' } });
  const read = await service.api('GET', `/connections/${id}`);
  expect(JSON.stringify(read.body)).not.toContain(token);
});

it('asks for the scopes that the account chose for its client', async () => {
  const app = await addExchange();
  await service.api('PUT', `/apps/${app}/credentials/OAUTH2`, { ...provider.client, scopes: ['write'] });
  const { id } = await submit(app, await issued());
  expect(asked).toMatchObject([{ scope: 'write' }]);
  expect(await call(app, id)).toMatchObject({ status: 200, body: { scope: 'write' } });
});

it('exchanges the token again when the app no longer accepts its own, as there is no refresh token', async () => {
  const app = await addExchange();
  const { id } = await submit(app, await issued());
  await end();
  // A token that is new is not renewed when the app rejects it.
  await service.services.db
    .updateTable('connections')
    .set({ refreshed_at: new Date(Date.now() - 3_600_000).toISOString() })
    .where('connection_id', '=', id)
    .execute();
  expect(await call(app, id)).toMatchObject({ status: 200, body: { scope: 'read' } });
  expect(asked).toHaveLength(2);
  expect(asked[1]).toEqual(asked[0]);
});

it('a token that the app does not accept fails in words, without the token', async () => {
  const app = await addExchange();
  const { status, body } = await submit(app, 'no-token-of-the-provider');
  expect(status).not.toBe(500);
  expect(JSON.stringify(body)).toContain('invalid_grant');
  expect(JSON.stringify(body)).not.toContain('no-token-of-the-provider');
});

it('needs the client of the account, and a type that is a URI', async () => {
  const app = await addCloud(service, provider, {
    method: { grant: 'token_exchange', authorize_url: undefined },
    client: null,
  });
  expect((await submit(app, await issued())).body.message ?? '').toContain('No client is set for Cloud');
  const method = {
    method: 'OAUTH2',
    grant: 'token_exchange',
    token_url: `${provider.url}/token`,
    subject_token_type: 'a b',
  };
  const { status, body } = await service.api('POST', '/apps', {
    app: 'bad-exchange',
    name: 'Bad',
    base_url: provider.url,
    methods: [method],
  });
  expect([status, body['message']]).toEqual([400, expect.stringContaining('methods.0.subject_token_type')]);
});
