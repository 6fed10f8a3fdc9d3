/**
 * Normalizes token responses to the form of RFC 6749, which oauth4webapi validates.
 *
 * Deviations of real providers: an error with status 200 (GitHub, Slack), a form instead of JSON (older requests to
 * GitHub), 201 for a token, a missing `token_type` (Shopify) or a nonstandard one (Slack's bot, Zoho), tokens one level
 * down (Slack's authed_user), `expires_in` as a string, zero, null or many years, scopes as a list, an empty refresh
 * token, and a 401 without an error code. The OpenID Connect ID token is removed, because nothing uses it.
 */
import { ProviderTrouble } from '../../platform/egress/provider-fetch.ts';
import { isAccident } from './auth-method.ts';

type Reply = Record<string, unknown>;

/** `token_path` is the path of the tokens, if not at the top level. Throws ProviderTrouble for an unreadable body. */
export function conform(status: number, text: string, token_path: string | null): { status: number; reply: Reply } {
  const read = readReply(text);
  if (!read) {
    if (status === 401) return { status: 400, reply: { error: 'invalid_client' } };
    throw new ProviderTrouble(`The token URL returned ${status} with a body that is neither JSON nor a form.`);
  }
  const nested = token_path === null ? undefined : at(read, token_path);
  const reply: Reply = isReply(nested) && typeof nested['access_token'] === 'string' ? { ...read, ...nested } : read;
  const hasToken = typeof reply['access_token'] === 'string' && reply['access_token'] !== '';
  if (!hasToken || status >= 400) {
    const error = errorOf(reply) ?? (status === 401 ? 'invalid_client' : undefined);
    if (error === undefined) return { status, reply };
    return { status: isAccident(status) ? status : 400, reply: { ...reply, error } };
  }
  return { status: 200, reply: { ...reply, ...tokensOf(reply) } };
}

/** The value at a dotted path. */
export function at(reply: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (isReply(value) && Object.hasOwn(value, name) ? value[name] : undefined), reply);
}

/** Ten years and more mean that the token does not expire. */
const NEVER_S = 10 * 365 * 86_400;

function tokensOf(reply: Reply): Reply {
  const { scope, expires_in, refresh_token } = reply;
  const seconds = typeof expires_in === 'string' ? Number(expires_in) : expires_in;
  return {
    token_type: 'bearer',
    expires_in: typeof seconds === 'number' && seconds > 0 && seconds < NEVER_S ? seconds : undefined,
    refresh_token: typeof refresh_token === 'string' && refresh_token !== '' ? refresh_token : undefined,
    scope: typeof scope === 'string' ? scope : undefined,
    id_token: undefined,
    error: undefined,
  };
}

function errorOf({ error, ok }: Reply): string | undefined {
  if (typeof error === 'string' && error !== '') return error;
  if (isReply(error)) {
    return [error['code'], error['type']].find((word) => typeof word === 'string') ?? 'refused';
  }
  return ok === false ? 'refused' : undefined;
}

function readReply(text: string): Reply | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isReply(value) ? value : undefined;
  } catch {
    const form = new URLSearchParams(text.trim());
    return form.has('access_token') || form.has('error') ? Object.fromEntries(form) : undefined;
  }
}

const isReply = (value: unknown): value is Reply =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
