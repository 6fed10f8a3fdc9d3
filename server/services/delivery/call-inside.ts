import { labelOf } from '../../lib/addresses.ts';
import { Failure } from '../../lib/failure.ts';
import type { Services } from '../context.ts';
import { callFunction } from '../function-calls.ts';
import type { RunCause } from '../run-record.ts';
import type { Outgoing } from './request.ts';
import { type Answer, keeper, type Response, timedOut } from './send.ts';

/** The label when the address is one of our own functions'. */
export const labelIn = ({ settings }: Pick<Services, 'settings'>, url: string): string | undefined =>
  labelOf(settings.addresses, new URL(url).host);

/** Sends a request to a function of this service, without leaving it. What its address would refuse is an answer too. */
export async function callInside(
  services: Services,
  { account_id, cause }: { account_id: string; cause: RunCause | null },
  label: string,
  outgoing: Outgoing,
  deadlineMs: number,
): Promise<Answer> {
  const url = new URL(outgoing.url);
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), deadlineMs);
  try {
    const answer = await callFunction(services, {
      account_id,
      label,
      request: {
        method: outgoing.method,
        path: url.pathname,
        rawQuery: url.search.slice(1),
        headers: Object.entries(outgoing.headers),
        body: Buffer.from(outgoing.body ?? ''),
      },
      cause,
      deadlineMs,
      signal: abort.signal,
    });
    const response: Response = { status: answer.status, headers: flat(answer.headers), body: '', truncated: false };
    keeper(response)(answer.body);
    response.truncated ||= answer.body_truncated;
    const { run_id, function_id } = answer;
    return { response, trouble: abort.signal.aborted ? timedOut(deadlineMs) : null, run_id, function_id };
  } catch (error) {
    const nobody = { run_id: null, function_id: null };
    if (abort.signal.aborted) return { response: null, trouble: timedOut(deadlineMs), ...nobody };
    if (!(error instanceof Failure)) throw error;
    const headers = Object.fromEntries(
      Object.entries(error.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const body = JSON.stringify({ message: error.message });
    return { response: { status: error.status, headers, body, truncated: false }, trouble: null, ...nobody };
  } finally {
    clearTimeout(timer);
  }
}

function flat(headers: [string, string][]): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [given, value] of headers) {
    const name = given.toLowerCase();
    joined[name] = name in joined ? `${joined[name]}, ${value}` : value;
  }
  return joined;
}
