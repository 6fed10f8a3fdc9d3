import * as oauth from 'oauth4webapi';
import type { ConnectionFailureCode } from '../../../contract/states.ts';
import { ProviderTrouble } from '../../platform/egress/provider-fetch.ts';
import { ConnectFailure, isAccident, isRefusedAddress, type Subject } from './auth-method.ts';

/** Error codes of RFC 6749 and of providers with nonstandard ones, by their meaning here. */
const DENIED = new Set([
  'access_denied',
  'user_denied',
  'consent_required',
  'user_cancelled_login',
  'user_cancelled_authorize',
]);
export const BAD_CLIENT = new Set([
  'invalid_client',
  'unauthorized_client',
  'invalid_client_id',
  'bad_client_secret',
  'incorrect_client_credentials',
]);
const BAD_SETTING = new Set([
  'redirect_uri_mismatch',
  'invalid_redirect_uri',
  'bad_redirect_uri',
  'invalid_scope',
  'unsupported_response_type',
  'unsupported_grant_type',
]);
export const BAD_GRANT = new Set([
  'invalid_grant',
  'bad_refresh_token',
  'invalid_refresh_token',
  'invalid_code',
  'token_revoked',
]);
/** Few providers have a code for revocation; the invalid_grant of others may also mean that the grant expired. */
const REVOKED = new Set(['token_revoked', 'account_inactive']);
const PASSING = new Set(['server_error', 'temporarily_unavailable', 'slow_down', 'rate_limited', 'ratelimited']);

type Secrets = (string | null)[];

/** The provider redirected the browser back with an error instead of a code. */
export function refusedAtReturn(name: string, given: string): ConnectFailure {
  const error = wordOf(given);
  if (DENIED.has(error)) return new ConnectFailure('ACCESS_DENIED', `${name} denied access.`);
  if (PASSING.has(error))
    return new ConnectFailure('EXCHANGE_FAILED', `${name} is temporarily unavailable (${error}).`, { final: false });
  if (BAD_CLIENT.has(error) || BAD_SETTING.has(error)) return misconfigured(name, error);
  return new ConnectFailure('EXCHANGE_FAILED', `${name} refused (${error}).`);
}

/**
 * Why the token URL returned no tokens. While connecting, every response of the provider ends this attempt. While
 * refreshing, only an invalid grant or client ends the connection; everything else may be temporary. Descriptions are
 * shown if they contain none of `secrets`.
 */
export function toConnectFailure(
  error: unknown,
  { app, definition }: Subject<'OAUTH2'>,
  stage: 'connect' | 'refresh',
  secrets: Secrets,
): unknown {
  const { name } = app.definition;
  const accident = (message: string) => new ConnectFailure('EXCHANGE_FAILED', message, { final: false, cause: error });
  if (error instanceof ConnectFailure)
    return stage === 'refresh' && error.code === 'EXCHANGE_FAILED' ? accident(error.message) : error;
  if (stage === 'connect' && isRefusedAddress(error))
    return new ConnectFailure('ADDRESS_REFUSED', error.message, { cause: error });
  if (error instanceof ProviderTrouble) return accident(error.message);
  if (!(error instanceof oauth.ResponseBodyError)) return unreadable(error, name, stage);

  const { status } = error;
  const word = wordOf(error.error, secrets);
  if (isAccident(status) || PASSING.has(word)) return accident(`${name} returned ${status === 400 ? word : status}.`);
  const more = describe(error.error_description, secrets);
  const failure = (code: ConnectionFailureCode, said: string) =>
    new ConnectFailure(code, `${said} (${word})${more}`, { cause: error });
  if (BAD_CLIENT.has(word)) {
    if (definition.grant === 'client_credentials')
      return failure(stage === 'connect' ? 'INVALID_CREDENTIALS' : 'REFRESH_REJECTED', `${name} rejected this client`);
    return misconfigured(name, word, more, error);
  }
  if (stage === 'refresh' && REVOKED.has(word)) return failure('REVOKED', `Access was revoked at ${name}`);
  if (stage === 'refresh')
    return BAD_GRANT.has(word)
      ? failure('REFRESH_REJECTED', `${name} no longer accepts this connection`)
      : accident(`${name} did not refresh the token (${word})${more}`);
  return BAD_SETTING.has(word)
    ? misconfigured(name, word, more, error)
    : failure('EXCHANGE_FAILED', `${name} denied access`);
}

function unreadable(error: unknown, name: string, stage: 'connect' | 'refresh'): unknown {
  const status = error instanceof Error && error.cause instanceof Response ? error.cause.status : undefined;
  if (!(error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError))
    return error;
  const passing = status !== undefined && isAccident(status);
  const message =
    status === undefined || status === 200
      ? `${name} returned no token.`
      : `${name} returned ${status} instead of a token.`;
  return new ConnectFailure('EXCHANGE_FAILED', message, { final: stage === 'connect' && !passing, cause: error });
}

function misconfigured(name: string, word: string, more = '', cause?: unknown): ConnectFailure {
  const message = `${name} rejected the client (${word})${more || '.'}`;
  return new ConnectFailure('APP_CONFIG', message, { cause });
}

/** The provider's error code, if it is well-formed: letters only, so hardly a secret, and none of `secrets`. */
export function wordOf(error: string, secrets: Secrets = []): string {
  const isWord = error.length <= 60 && /^[A-Za-z]+(?:[_.:-][A-Za-z]+)*$/.test(error);
  return isWord && !repeats(error, secrets) ? error : 'refused';
}

/** The provider's error description, as the end of a sentence. */
export function describe(description: string | undefined, secrets: Secrets): string {
  const text = description?.replace(/[^\x20-\x7e]+/g, ' ').trim() ?? '';
  return text === '' || repeats(text, secrets) ? '.' : `: ${text.slice(0, 200)}`;
}

/** A provider may echo what it was sent. */
const repeats = (text: string, secrets: Secrets) =>
  secrets.some((secret) => secret && [secret, encodeURIComponent(secret)].some((form) => text.includes(form)));
