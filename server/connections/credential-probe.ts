/**
 * Checks credentials with the app's probe: a cheap request of its definition, sent with them.
 *
 * A 2xx response confirms them. After a 401 the request is repeated, and likewise after a 403 that clearly concerns the
 * credentials: its body says so ("invalid API key"), or the probe counts 403 like 401 (`refusal_status`). The second
 * rejection is final. Any other 403 may be a valid key without the permission, so the result is unknown; likewise for
 * redirects, 404, 408, 429, 5xx, timeouts and connection errors.
 */

import type { Services } from '../platform/context.ts';
import type { Probe } from './apps/definition.ts';
import type { Upstream } from './upstream/upstream.ts';
import { type AppAnswer, type Called, callApp } from './upstream/upstream-call.ts';

export type ProbedApp = { app: string; name: string; probe: Probe };
export type ProbeResult = {
  /** Null if the result is unknown. */
  ok: boolean | null;
  status: number | null;
  duration_ms: number;
  message: string;
  /** The app rejected the credentials themselves, twice. */
  refused: boolean;
};

const LIMITS = { deadlineMs: 15_000, maxBytes: 64 * 1024 };

/** Never throws for a response of the app or a missing one. */
export async function probeCredentials(
  services: Services,
  account_id: string,
  { app, name, probe }: ProbedApp,
  upstream: Upstream,
  deadlineMs = LIMITS.deadlineMs,
  { isLogged = true }: { isLogged?: boolean } = {},
): Promise<ProbeResult> {
  const body = probe.body === null ? null : Buffer.from(probe.body);
  const headers: [string, string][] = [['Accept', 'application/json']];
  if (body) headers.push(['Content-Type', 'application/json']);
  const request = { method: probe.method, path: probe.path, headers, body };
  const { watch: _, ...unwatched } = upstream;
  const ask = () => callApp(services, account_id, app, unwatched, request, { ...LIMITS, deadlineMs, isLogged });
  const first = await ask();
  // If tokens can be refreshed, the first request was already repeated with a new one.
  const again = isRefusal(probe, first.answer) && !upstream.refresh;
  return resultOf(name, probe, again ? await ask() : first);
}

function resultOf(name: string, probe: Probe, { answer, failure, timing }: Called): ProbeResult {
  const result = (ok: boolean | null, message: string, refused = false): ProbeResult => ({
    ok,
    status: answer?.status ?? null,
    duration_ms: timing.total_ms,
    message,
    refused,
  });
  if (!answer) return result(null, failure?.message ?? `${name} did not respond.`);
  const { status } = answer;
  if (isRefusal(probe, answer)) return result(false, `${name} rejected these credentials (${status}).`, true);
  if (status === 403)
    return result(null, `${name} returned 403: the credentials may be valid, but are not allowed to do this.`);
  if (status < 200 || status > 299)
    return result(null, `${name} returned ${status}, which does not show whether the credentials are valid.`);
  const said = probe.ok === undefined ? true : memberOf(answer.body, probe.ok);
  if (said === false && PASSING.test(answer.body.toString()))
    return result(null, `${name} is temporarily unavailable, so the credentials could not be checked.`);
  if (said !== true) return result(false, `${name} rejected these credentials.`);
  return result(true, `${name} accepted these credentials.`);
}

function isRefusal(probe: Probe, answer: AppAnswer | null): boolean {
  if (answer?.status === 401) return true;
  return answer?.status === 403 && (probe.refusal_status === 403 || namesCredentials(answer.body.toString()));
}

const CREDENTIAL = '(?:api ?key|access ?key|key|token|credentials?|password|user ?name|secret|signature)';
const WRONG = '(?:invalid|bad|wrong|incorrect|unknown|unrecognized|expired|revoked|malformed|not valid|not recognized)';
const REJECTED = new RegExp(
  String.raw`\b${WRONG}\b.{0,30}\b${CREDENTIAL}\b|\b${CREDENTIAL}\b.{0,20}\b${WRONG}\b|\bauthentication failed\b|\b(?:un|not )authenticated\b|\binvalid auth\b`,
  'i',
);
const PERMISSION = /\b(?:scopes?|permissions?|privileges?|roles?|plan|quota|limit|insufficient)\b/i;

/** Whether the body of a 403 says that the credentials are invalid and does not mention permissions. */
function namesCredentials(body: string): boolean {
  const words = body.replace(/([a-z])(?=[A-Z])/g, '$1 ').replace(/[_-]+/g, ' ');
  return REJECTED.test(words) && !PERMISSION.test(words);
}

/** Temporary errors of an app that always returns 200. */
const PASSING = /rate_?limit|internal_error|fatal_error|unavailable|timeout/i;

/** For an app that always returns 200. */
function memberOf(body: Buffer, member: string): unknown {
  try {
    return (JSON.parse(body.toString()) as Record<string, unknown> | null)?.[member];
  } catch {
    return undefined;
  }
}
