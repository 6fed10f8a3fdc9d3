/**
 * OAUTH1 (RFC 5849): the service obtains a request token, the user authorizes it on the provider's page, and the
 * verifier in the callback turns it into an access token. There is no `state`: the callback contains the request token.
 * The access token does not expire. Every request is signed with it and with the client that it was issued to.
 */

import type { Services } from '../../platform/context.ts';
import { ProviderTrouble, providerFetch } from '../../platform/egress/provider-fetch.ts';
import { findClient } from '../app-credentials.ts';
import { fill } from '../apps/template.ts';
import { callbackUrl } from '../connect/connect-links.ts';
import { type AuthMethodPart, ConnectFailure, isAccident, type Subject } from './auth-method.ts';
import { authorization, type OAuth1Keys } from './oauth1-signature.ts';
import { wordOf } from './oauth2-refusals.ts';

type OAuth1 = Subject<'OAUTH1'>;
type Client = { client_id: string; client_secret: string };
type Kept = { fields: Record<string, string>; token: string; token_secret: string };

export const oauth1: AuthMethodPart<'OAUTH1'> = {
  async begin(services, subject, fields) {
    const { app, definition } = subject;
    const client = await ownClient(services, subject);
    const keys = { ...client, token: null, token_secret: '' };
    const reply = await ask(services, subject, definition.request_url, fields, keys, [
      ['oauth_callback', callbackUrl(services)],
    ]);
    const { token, token_secret } = tokenIn(reply, app.definition.name);
    // Without it the provider implements OAuth 1.0, which allows session fixation: authorizing an attacker's token.
    if (reply.get('oauth_callback_confirmed') !== 'true')
      throw new ConnectFailure('EXCHANGE_FAILED', `${app.definition.name} did not confirm the redirect URL.`);
    const url = new URL(fill(definition.authorize_url, fields, encodeURIComponent));
    for (const [name, value] of Object.entries(definition.authorize_params)) url.searchParams.set(name, value);
    url.searchParams.set('oauth_token', token);
    const keep: Kept = { fields, token, token_secret };
    return { kind: 'redirect', url: url.href, state: token, keep };
  },

  async finish(services, subject, keep, query) {
    const { fields, token, token_secret } = keep as Kept;
    const { name } = subject.app.definition;
    const problem = query.get('oauth_problem');
    const verifier = query.get('oauth_verifier');
    if (query.has('denied') || (problem !== null && DENIED.has(problem)))
      throw new ConnectFailure('ACCESS_DENIED', `${name} denied access.`);
    if (problem !== null) throw new ConnectFailure('EXCHANGE_FAILED', `${name} refused (${wordOf(problem)}).`);
    // Some providers omit it when access is denied.
    if (!verifier) throw new ConnectFailure('ACCESS_DENIED', `${name} redirected back without granting access.`);
    const client = await ownClient(services, subject);
    const keys = { ...client, token, token_secret };
    const reply = await ask(services, subject, subject.definition.access_url, fields, keys, [
      ['oauth_verifier', verifier],
    ]);
    const access = tokenIn(reply, name);
    const tokens = {
      access_token: access.token,
      token_secret: access.token_secret,
      refresh_token: null,
      expires_at: null,
      captured: {},
      client,
    };
    return { fields, tokens };
  },

  async sign(services, subject, { tokens }) {
    const { signature } = subject.definition;
    // The token is valid only with the client that it was issued to; that client's secret may have changed since.
    const given = (tokens?.client ?? {}) as Partial<Client>;
    const now = await findClient(services, subject.account_id, subject.app.definition.app, 'OAUTH1');
    const secret = now?.client_id === given.client_id ? now?.client_secret : given.client_secret;
    const keys: OAuth1Keys = {
      client_id: given.client_id ?? '',
      client_secret: secret ?? '',
      token: tokens?.access_token ?? null,
      token_secret: tokens?.token_secret ?? '',
    };
    return (request) => ['Authorization', authorization(keys, signature, request)];
  },
};

/** Codes of the problem reporting extension for access denied by the user. */
const DENIED = new Set(['user_refused', 'permission_denied', 'access_denied']);
const BAD_CLIENT = new Set(['consumer_key_unknown', 'consumer_key_rejected', 'consumer_key_refused']);

async function ownClient(services: Services, { account_id, app }: OAuth1): Promise<Client> {
  const { app: id, name } = app.definition;
  const client = await findClient(services, account_id, id, 'OAUTH1');
  if (!client)
    throw new ConnectFailure('APP_CONFIG', `No client is set for ${name}: an admin can add one on the app’s page.`);
  return { client_id: client.client_id, client_secret: client.client_secret ?? '' };
}

/** Sends one signed request without a body; the response is a form. Throws ConnectFailure. */
async function ask(
  services: Services,
  { app, definition }: OAuth1,
  address: string,
  fields: Record<string, string>,
  keys: OAuth1Keys,
  more: [string, string][],
): Promise<URLSearchParams> {
  const { name } = app.definition;
  const url = new URL(fill(address, fields, encodeURIComponent)).href;
  const header = authorization(keys, definition.signature, { method: 'POST', url, form: null }, more);
  const accident = (message: string, cause?: unknown) =>
    new ConnectFailure('EXCHANGE_FAILED', message, { final: false, cause });
  try {
    const answer = await providerFetch(services.egress)(url, { method: 'POST', headers: { authorization: header } });
    const { status, ok } = answer;
    const text = await answer.text();
    const reply = new URLSearchParams(text.trim());
    if (ok && !reply.has('oauth_problem')) return reply;
    if (isAccident(status)) throw accident(`${name} returned ${status}.`);
    throw refusal(name, status, text, answer.headers.get('www-authenticate') ?? '', keys.token === null);
  } catch (error) {
    if (error instanceof ProviderTrouble) throw accident(error.message, error);
    throw error;
  }
}

/** The first request fails only for an invalid client; the second depends on the user's decision. */
function refusal(name: string, status: number, text: string, challenge: string, isFirst: boolean): ConnectFailure {
  const problem = /oauth_problem="?([\w%.:-]+)/.exec(`${challenge} ${text.slice(0, 2000)}`)?.[1];
  const word = problem === undefined ? String(status) : wordOf(problem);
  if (BAD_CLIENT.has(word) || (isFirst && status === 401))
    return new ConnectFailure('APP_CONFIG', `${name} rejected the client (${word}).`);
  return new ConnectFailure('EXCHANGE_FAILED', `${name} denied access (${word}).`);
}

/** Both are sent in requests, one of them in the authorization URL. */
const SENDABLE = /^[\x21-\x7e]{1,4096}$/;

function tokenIn(reply: URLSearchParams, name: string): { token: string; token_secret: string } {
  const token = reply.get('oauth_token') ?? '';
  const token_secret = reply.get('oauth_token_secret');
  if (!SENDABLE.test(token) || token_secret === null || token_secret.length > 4096)
    throw new ConnectFailure('EXCHANGE_FAILED', `${name} returned no token.`, { final: false });
  return { token, token_secret };
}
