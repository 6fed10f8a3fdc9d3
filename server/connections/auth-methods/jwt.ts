/**
 * JWT (RFC 7519): a token signed with the entered key. Either the token itself is sent with each request and signed
 * again shortly before it expires, or it is exchanged for an access token, which is stored and refreshed as in OAuth 2.
 * The key is checked on entry: a key that can't sign is rejected with the name of its field.
 */

import { badRequest } from '../../lib/failure.ts';
import type { Services } from '../../platform/context.ts';
import { ProviderTrouble, providerFetch } from '../../platform/egress/provider-fetch.ts';
import type { JwtExchange } from '../apps/definition.ts';
import { fill, placeholders } from '../apps/template.ts';
import type { Tokens } from '../credentials.ts';
import { type AuthMethodPart, ConnectFailure, isAccident, type Subject } from './auth-method.ts';
import { at, conform } from './conform.ts';
import { BAD_CLIENT, BAD_GRANT, describe, wordOf } from './oauth2-refusals.ts';
import { assertionFor, tokenFor } from './signed-token.ts';
import { KeyMistake } from './signing-key.ts';
import { expiryOf } from './token-expiry.ts';

type Jwt = Subject<'JWT'>;
type Stage = 'connect' | 'refresh';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export const jwt: AuthMethodPart<'JWT'> = {
  async begin(services, subject, fields) {
    const { exchange } = subject.definition;
    try {
      // Signs once in every case, to check the key.
      const assertion = exchange
        ? await assertionFor(subject.definition, fields)
        : (await tokenFor(ownerOf(subject), subject.definition, fields)).token;
      const tokens = exchange ? await exchangeToken(services, subject, exchange, fields, assertion, 'connect') : null;
      return { kind: 'complete', credentials: { fields, tokens } };
    } catch (error) {
      if (!(error instanceof KeyMistake)) throw error;
      const name = placeholders(subject.definition.token.key)[0] ?? 'key';
      throw badRequest(`fields.${name}: ${error.message}`);
    }
  },

  async refresh(services, subject, { fields }) {
    const { definition } = subject;
    if (!definition.exchange)
      throw new ConnectFailure('APP_CONFIG', 'The token is signed here and can’t be refreshed.');
    try {
      const assertion = await assertionFor(definition, fields);
      return {
        fields,
        tokens: await exchangeToken(services, subject, definition.exchange, fields, assertion, 'refresh'),
      };
    } catch (error) {
      // The app's algorithm may have changed since.
      if (error instanceof KeyMistake)
        throw new ConnectFailure('APP_CONFIG', `The key is no longer valid: ${error.message}.`);
      throw error;
    }
  },

  canRefresh: ({ definition }) => definition.exchange !== null,

  async values(subject, { fields }) {
    if (subject.definition.exchange) return { values: {}, untilMs: Number.POSITIVE_INFINITY };
    const { token, untilMs } = await tokenFor(ownerOf(subject), subject.definition, fields);
    return { values: { token }, untilMs };
  },
};

const ownerOf = ({ account_id, connection_id }: Jwt) => `${account_id} ${connection_id}`;

/** Exchanges the signed token for an access token. Throws ConnectFailure. */
async function exchangeToken(
  services: Services,
  { app, definition }: Jwt,
  exchange: JwtExchange,
  fields: Record<string, string>,
  assertion: string,
  stage: Stage,
): Promise<Tokens> {
  const { name } = app.definition;
  const accident = (message: string, cause?: unknown) =>
    new ConnectFailure('EXCHANGE_FAILED', message, { final: false, cause });
  try {
    const answer = await providerFetch(services.egress)(fill(exchange.url, fields, encodeURIComponent), {
      method: 'POST',
      ...requestOf(exchange, assertion),
    });
    const { status, reply } = conform(answer.status, named(await answer.text(), exchange.token_name), null);
    if (status < 300) return tokensFrom(name, exchange, reply, stage);
    if (isAccident(status)) throw accident(`${name} returned ${status}.`);
    throw refusal(name, exchange, {
      stage,
      status: answer.status,
      reply,
      assertion,
      fields,
      key: definition.token.key,
    });
  } catch (error) {
    if (error instanceof ProviderTrouble) throw accident(error.message, error);
    throw error;
  }
}

function requestOf({ style, scopes }: JwtExchange, assertion: string): RequestInit {
  const accept = { accept: 'application/json' };
  if (style === 'bearer') return { headers: { ...accept, authorization: `Bearer ${assertion}` } };
  const scope = scopes.length > 0 ? { scope: scopes.join(' ') } : {};
  return { headers: accept, body: new URLSearchParams({ grant_type: JWT_BEARER, assertion, ...scope }) };
}

/** The access token under its usual name. */
function named(text: string, token_name: string): string {
  if (token_name === 'access_token') return text;
  try {
    const reply = JSON.parse(text) as unknown;
    return JSON.stringify({ ...(reply as object), access_token: at(reply, token_name) });
  } catch {
    return text;
  }
}

type Refused = {
  stage: Stage;
  status: number;
  reply: Record<string, unknown>;
  assertion: string;
  fields: Record<string, string>;
  key: string;
};

function refusal(
  name: string,
  { style }: JwtExchange,
  { stage, status, reply, assertion, fields, key }: Refused,
): ConnectFailure {
  const { error, error_description, message } = reply;
  const secrets = [assertion, fill(key, fields)];
  const word = style === 'rfc7523' && typeof error === 'string' ? wordOf(error, secrets) : String(status);
  const said = [error_description, message].find((each) => typeof each === 'string') as string | undefined;
  const words = `(${word})${describe(said, secrets)}`;
  if (stage === 'connect') return new ConnectFailure('EXCHANGE_FAILED', `${name} rejected the signed token ${words}`);
  const gone = style === 'bearer' ? status === 401 || status === 404 : BAD_GRANT.has(word) || BAD_CLIENT.has(word);
  return gone
    ? new ConnectFailure('REFRESH_REJECTED', `${name} no longer accepts this connection ${words}`)
    : new ConnectFailure('EXCHANGE_FAILED', `${name} did not refresh the token ${words}`, { final: false });
}

/** Tokens are sent in headers and URLs, so characters not allowed there are rejected here. */
const SENDABLE = /^[\x21-\x7e]{1,16384}$/;
const CAPTURED = /^[\x20-\x7e]{1,2000}$/;

function tokensFrom(name: string, { capture }: JwtExchange, reply: Record<string, unknown>, stage: Stage): Tokens {
  const { access_token } = reply;
  const strange = (what: string) =>
    new ConnectFailure('EXCHANGE_FAILED', `${name} returned ${what}.`, { final: stage === 'connect' });
  if (typeof access_token !== 'string' || !SENDABLE.test(access_token)) throw strange('no token that can be sent');
  const captured = Object.entries(capture).map(([own, path]) => {
    const value = at(reply, path);
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    if (!CAPTURED.test(text)) throw strange(`a token without ${path}`);
    return [own, text] as const;
  });
  return {
    access_token,
    refresh_token: null,
    expires_at: expiryOf(reply['expires_in'] ?? reply['expires_at']),
    captured: Object.fromEntries(captured),
  };
}
