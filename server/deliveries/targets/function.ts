import { callFunction, isOpen } from '../../functions/calls/function-calls.ts';
import type { RunCause } from '../../functions/runs/run-record.ts';
import * as functionStore from '../../functions/store/functions.ts';
import * as versionStore from '../../functions/store/versions.ts';
import { labelOf, labelOfUrl } from '../../lib/addresses.ts';
import { badRequest, Failure } from '../../lib/failure.ts';
import type { Ctx, Services } from '../../platform/context.ts';
import { type NamedDestination, type Target, transformedBy, withUrlText } from '../store/destinations/destinations.ts';
import { captureBody, type Response, resultOf, type SendResult, timedOut } from './result.ts';
import { requestsOf, type SignedRequest } from './signed-request.ts';
import type { TargetKind } from './target.ts';

type Route = { label: string; path: string; rawQuery: string; version: Target['version'] };

/** A function of this service, called directly, without a connection. */
export const hostedFunction: TargetKind<SignedRequest<Route>> = {
  takesHeaders: true,
  takesTransform: true,
  matches: ({ host }, addresses) => labelOf(addresses, host) !== undefined,
  /** Requires that the account may call the function. */
  async check(ctx, url) {
    const fn = await functionStore.withLabel(ctx.db, labelOf(ctx.settings.addresses, url.host) ?? '');
    if (fn && (fn.account_id === ctx.account_id || isOpen(fn))) return null;
    return `no function of this account has the URL ${url.origin}`;
  },
  nameOf: ({ host }, addresses) => labelOf(addresses, host) ?? host,
  prepare(parts, target) {
    return requestsOf(parts, target, ({ host, pathname, search }) => ({
      label: labelOf(parts.settings.addresses, host) ?? '',
      path: pathname,
      rawQuery: search.slice(1),
      version: target.version,
    }));
  },
  open: (services) => ({
    send: (request, account_id, cause) => callInside(services, request, account_id, cause),
    close() {},
  }),
  async examine({ settings }, { url }) {
    const label = labelOf(settings.addresses, new URL(url).host);
    const detail = `${label} is a function of this service: it is called directly, without a network connection.`;
    return [{ step: 'ADDRESS', ok: true, detail, duration_ms: 0 }];
  },
};

/** The account's destinations that call the function with this label or transform requests with it, at most `limit`. */
export async function destinationsOf(
  { db, account_id, settings }: Ctx,
  { function_id, label }: { function_id: string; label: string },
  limit: number,
): Promise<(Omit<NamedDestination, 'url'> & { transforms: boolean })[]> {
  const [found, transformed] = await Promise.all([
    withUrlText(db, account_id, `://${label}.`, limit),
    transformedBy(db, account_id, function_id, limit),
  ]);
  const called = found.filter(({ url }) => labelOfUrl(settings.addresses, url) === label);
  return [
    ...called.map(({ url: _, ...destination }) => ({ ...destination, transforms: false })),
    ...transformed.map(({ url: _, ...destination }) => ({ ...destination, transforms: true })),
  ].slice(0, limit);
}

/** The version of the function that a destination calls. 400 unless both are of this account. */
export async function versionOf(
  ctx: Ctx,
  { url }: Pick<Target, 'url'>,
  number: number,
): Promise<NonNullable<Target['version']>> {
  const label = labelOfUrl(ctx.settings.addresses, url);
  const fn = label === undefined ? undefined : await functionStore.withLabel(ctx.db, label);
  if (fn?.account_id !== ctx.account_id)
    throw badRequest('function_version: expected a destination that is a function of this account');
  const { function_id } = fn;
  if (!(await versionStore.find(ctx.db, ctx.account_id, function_id, number)))
    throw badRequest(`function_version: expected a version of ${label}; it has no version ${number}`);
  return { function_id, number };
}

/** Calls the function. A failure that its URL would return counts as a response. */
async function callInside(
  services: Services,
  { shown, headers, body, timeoutMs, route: { label, path, rawQuery, version } }: SignedRequest<Route>,
  account_id: string,
  cause: RunCause | null,
): Promise<SendResult> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeoutMs);
  try {
    const answer = await callFunction(services, {
      account_id,
      label,
      version,
      request: {
        method: shown.method,
        path,
        rawQuery,
        headers: Object.entries(headers),
        body: typeof body === 'string' ? Buffer.from(body) : (body ?? Buffer.of()),
      },
      cause,
      deadlineMs: timeoutMs,
      signal: abort.signal,
    });
    const response: Response = { status: answer.status, headers: flat(answer.headers), body: '', truncated: false };
    captureBody(response)(answer.body);
    response.truncated ||= answer.body_truncated;
    const { run_id, function_id } = answer;
    return { response, trouble: abort.signal.aborted ? timedOut(timeoutMs) : null, run_id, function_id };
  } catch (error) {
    if (abort.signal.aborted) return resultOf(null, timedOut(timeoutMs));
    if (!(error instanceof Failure)) throw error;
    return resultOf(responseOf(error), null);
  } finally {
    clearTimeout(timer);
  }
}

function responseOf({ status, headers, message }: Failure): Response {
  return { status, headers: flat(Object.entries(headers)), body: JSON.stringify({ message }), truncated: false };
}

function flat(headers: [string, string][]): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [given, value] of headers) {
    const name = given.toLowerCase();
    joined[name] = name in joined ? `${joined[name]}, ${value}` : value;
  }
  return joined;
}
