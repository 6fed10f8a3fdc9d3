/**
 * Two-step logins: the entered values are sent once to a login URL, and its response has the access token that calls
 * use. Access tokens are refreshed with the same values, before they expire and after the app rejects them.
 */
import { badRequest } from '../../lib/failure.ts';
import type { Services } from '../../platform/context.ts';
import { ProviderTrouble, providerFetch } from '../../platform/egress/provider-fetch.ts';
import type { Login } from '../apps/definition.ts';
import { withBlanks } from '../apps/fields.ts';
import { fill } from '../apps/template.ts';
import type { Tokens } from '../credentials.ts';
import { ConnectFailure, isAccident, type Subject } from './auth-method.ts';
import { at } from './conform.ts';
import { expiryOf } from './token-expiry.ts';

type Stage = 'connect' | 'refresh';
type Either = Subject<'API_KEY'> | Subject<'BASIC'>;

/** Statuses that reject the values of a login. Others may be temporary. */
const REJECTS = [400, 401, 403, 422];
/** Tokens are sent in headers and URLs. */
const SENDABLE = /^[\x21-\x7e]{1,16384}$/;

/** The tokens of a login with these values; null if the method has none. Throws ConnectFailure. */
export async function tokensOf(
  services: Services,
  { app, definition }: Either,
  fields: Record<string, string>,
  stage: Stage,
): Promise<Tokens | null> {
  const { login } = definition;
  if (!login) return null;
  const { name } = app.definition;
  const accident = (message: string, cause?: unknown) =>
    new ConnectFailure('EXCHANGE_FAILED', message, { final: false, cause });
  const values = withBlanks(definition.fields, fields);
  try {
    const answer = await providerFetch(services.egress)(
      fill(login.url, values, encodeURIComponent),
      requestOf(login, values),
    );
    const text = await answer.text();
    if (isAccident(answer.status)) throw accident(`The login of ${name} returned ${answer.status}.`);
    if (answer.ok) return read(name, login, answer.headers, text, stage);
    const rejects = REJECTS.includes(answer.status);
    // The response may repeat the values that were sent.
    const words = `${name} rejected the login with these credentials (${answer.status}).`;
    if (stage === 'connect') throw new ConnectFailure('INVALID_CREDENTIALS', words);
    throw new ConnectFailure(rejects ? 'REFRESH_REJECTED' : 'EXCHANGE_FAILED', words, { final: rejects });
  } catch (error) {
    if (error instanceof ProviderTrouble) throw accident(error.message, error);
    throw error;
  }
}

function requestOf({ body, params, headers }: Login, values: Record<string, string>): RequestInit {
  const filled = Object.entries(params).map(([name, template]): [string, string] => [name, fill(template, values)]);
  const own = Object.entries(headers).map(([name, template]): [string, string] => [name, fill(template, values)]);
  if (own.some(([, value]) => !/^[\x20-\x7e]*$/.test(value))) throw badRequest('fields: expected ASCII characters');
  const accept: [string, string][] = [['accept', 'application/json'], ...own];
  if (body === 'form') return { method: 'POST', headers: accept, body: new URLSearchParams(filled) };
  const json = JSON.stringify(Object.fromEntries(filled));
  return { method: 'POST', headers: [...accept, ['content-type', 'application/json']], body: json };
}

function read(name: string, login: Login, headers: Headers, text: string, stage: Stage): Tokens {
  const reply = parsed(text);
  const [, header] = /^header:(.+)$/.exec(login.token_path) ?? [];
  const token = header === undefined ? at(reply, login.token_path) : headers.get(header);
  if (typeof token !== 'string' || !SENDABLE.test(token))
    throw new ConnectFailure('EXCHANGE_FAILED', `The login of ${name} returned no token at ${login.token_path}.`, {
      final: stage === 'connect',
    });
  const given = login.expires_path === null ? null : expiryOf(at(reply, login.expires_path));
  const lives = login.lives_seconds === null ? null : new Date(Date.now() + login.lives_seconds * 1000).toISOString();
  return { access_token: token, refresh_token: null, expires_at: given ?? lives, captured: {} };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
