/** The response of a connected app: errors in a response with a 2xx status, and the credentials that it repeats. */
import { JSON_MAX_DEPTH } from '../../../contract/limits.ts';
import type { GatewayDefinition } from '../../connections/apps/definition.ts';
import type { Upstream } from '../../connections/upstream/upstream.ts';
import { isDeeperThan } from '../../lib/json-depth.ts';
import { mask } from '../../lib/masking.ts';
import type { Response, SendResult, Trouble } from './result.ts';

/** Shorter values occur in responses by chance. */
const SECRET_MIN_CHARS = 8;
const ERROR_MAX_CHARS = 200;

/** The error that a 2xx response contains, as the app defines it; null without one. */
export function appError({ failure }: GatewayDefinition, { status, body, truncated }: Response): Trouble | null {
  if (!failure || status < 200 || status > 299 || truncated) return null;
  const answer = parsed(body);
  const value = at(answer, failure.path);
  if (value === undefined || value === failure.success) return null;
  const error = failure.error === null ? undefined : at(answer, failure.error);
  const words = error === undefined ? `${failure.path} is ${JSON.stringify(value)}` : textOf(error);
  return { reason: 'APP_ERROR', message: `It returned ${status} with the error ${words.slice(0, ERROR_MAX_CHARS)}.` };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The body as JSON; undefined if it is none, or nested too deeply. */
function parsed(body: string): unknown {
  if (isDeeperThan(body, JSON_MAX_DEPTH)) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The value at a path; `*` is the first item that has one. */
function at(whole: unknown, path: string): unknown {
  let values = [whole];
  for (const name of path.split(/(?<!\\)\./).map((each) => each.replaceAll('\\.', '.'))) {
    values = values.flatMap((value) => {
      if (typeof value !== 'object' || value === null) return [];
      if (name === '*') return Object.values(value) as unknown[];
      return Object.hasOwn(value, name) ? [(value as Record<string, unknown>)[name]] : [];
    });
  }
  return values.find((value) => value !== undefined && value !== null);
}

/** The result with the credentials masked that the response contains: some apps return what they were sent. */
export function withoutSecrets(result: SendResult, upstream: Upstream): SendResult {
  const { response } = result;
  if (!response) return result;
  const secrets = secretsOf(upstream);
  const masked = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, mask(secret)), text);
  const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, masked(value)]));
  return { ...result, response: { ...response, headers, body: masked(response.body) } };
}

/** The credentials of a connection as they are sent, the longest first. */
function secretsOf({ headers, query, base_path }: Upstream): string[] {
  const sent = [
    ...headers.filter((_, index) => index % 2 === 1).flatMap((value) => [value, value.replace(/^\S+\s+/, '')]),
    ...query.map(([, value]) => value),
    base_path,
  ];
  return [...new Set(sent)].filter((value) => value.length >= SECRET_MIN_CHARS).sort((a, b) => b.length - a.length);
}
