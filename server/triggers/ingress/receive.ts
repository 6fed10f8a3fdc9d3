/**
 * What sources send, from a request to an event.
 *
 * Each trigger of a source that pushes has its own address, `{hooks_url}/<token>`; any client that knows it may send,
 * so the token is random and only its hash is looked up (hooks.ts). The door (http/doors/hooks-front.ts) reads the body
 * within its bounds. Then, in this order: is it signed as the source signs, over the very bytes that came
 * (signature.ts)? Does it only make sure of the address (`handshake`)? Is it JSON that may be taken (read-body.ts)? Is
 * it of the trigger's event type, and does it fit its parameters (places.ts)? What doesn't is of no interest: it is
 * answered well and not kept. The rest goes the way of every event (deliveries/intake/intake.ts) and is on disk before
 * it is answered, once for each of the source's own ids. The payload is the source's own text, byte for byte.
 *
 * What is refused leaves a row with its cause (rejections.ts); the sender gets no more than that.
 */
import { createHmac } from 'node:crypto';
import type { ErrorStatus } from '../../../contract/errors.ts';
import type { RejectionCause } from '../../../contract/states.ts';
import { ingest } from '../../deliveries/intake/intake.ts';
import { Failure, notFound } from '../../lib/failure.ts';
import type { Services } from '../../platform/context.ts';
import type { WebhookParameters } from './checks.ts';
import { confirmSecret, storeHandshakeSecret } from './handshake-secret.ts';
import type { Hook } from './hooks.ts';
import type { Incoming } from './incoming.ts';
import { fitsParameters, idIn, isOfType, nameIn, textAt } from './places.ts';
import { payloadOf, readBody, Unreadable } from './read-body.ts';
import { noteRejection, type Seen } from './rejections.ts';
import { checkSignature, type Problem } from './signature.ts';
import { countingSecrets } from './source-secrets.ts';

/** A challenge is answered with the very text, which may be JSON, and a header. */
export type Received =
  | { event_ids: string[] }
  | { challenge: string; json?: true; header?: [name: string, value: string] };

/** Takes one request whose body is all there. Throws the Failure to answer with. */
export async function receive(services: Services, hook: Hook, request: Incoming & Seen): Promise<Received> {
  const { source, check } = hook;
  const echoed = echoOf(hook, request.url);
  if (echoed !== undefined) return { challenge: echoed };
  const early = await beforeSecret(services, hook, request);
  if (early) return early;
  const secrets = countingSecrets(hook.secret);
  const problem = checkSignature(check, secrets, request, Date.now());
  if (problem) throw refuse(services, hook, problem, request);
  if (hook.secret?.unconfirmed) await confirmSecret(services, hook);
  const { whole, items } = orRefuse(services, hook, request, () => readBody(source, request));
  const challenge = challengeIn(hook, whole, secrets[0]);
  if (challenge) return challenge;
  const wanted = items.filter(({ body }) => {
    const read = { headers: request.headers, body };
    const isNamed = source.event === null || isOfType(nameIn(read, source.event), hook.event_type);
    return isNamed && fitsParameters(read, source.match, hook.parameters);
  });
  const taken = await ingest(
    services,
    wanted.map((item) => ({
      account_id: hook.account_id,
      trigger_id: hook.trigger_id,
      json: payloadOf(item),
      request_id: request.request_id,
      key: source.id ? idIn({ headers: request.headers, body: item.body }, source.id) : undefined,
    })),
  );
  if (taken.some(({ outcome }) => outcome === 'GONE')) throw unknownHook();
  return { event_ids: taken.map(({ event_id }) => event_id) };
}

/** Of an unknown or deleted URL. */
export const unknownHook = (): Failure => notFound('Hook');

/** What a sender wants back that makes sure of the address without a body. */
export function echoOf({ parameters, source }: Hook, url: string): string | undefined {
  const { handshake, checked } = source;
  const own = checked === 'parameters' ? (parameters as Partial<WebhookParameters>).challenge : undefined;
  const name = handshake?.kind === 'query' ? handshake.name : own;
  const at = url.indexOf('?');
  if (name === undefined || at < 0) return undefined;
  return new URLSearchParams(url.slice(at)).get(name)?.slice(0, CHALLENGE_MAX_CHARS);
}

const CHALLENGE_MAX_CHARS = 1000;

function challengeIn({ source: { handshake } }: Hook, body: unknown, secret: string | undefined): Received | undefined {
  if (handshake?.kind !== 'challenge' && handshake?.kind !== 'proof') return undefined;
  if (textAt(body, handshake.when.path) !== handshake.when.equals) return undefined;
  const challenge = textAt(body, handshake.reply)?.slice(0, CHALLENGE_MAX_CHARS);
  if (challenge === undefined || handshake.kind === 'challenge')
    return challenge === undefined ? undefined : { challenge };
  if (secret === undefined) return undefined;
  const proof = createHmac('sha256', secret).update(challenge).digest('hex');
  const [text, proven] = handshake.names;
  return { challenge: JSON.stringify({ [text]: challenge, [proven]: proof }), json: true };
}

/** A source may make sure of the address before we can have its secret, or hand it over that way. */
async function beforeSecret(services: Services, hook: Hook, request: Incoming): Promise<Received | undefined> {
  const { source, secret } = hook;
  if (source.handshake === null || (secret !== null && !secret.unconfirmed)) return undefined;
  if (source.handshake.kind === 'secret-header') {
    const { header } = source.handshake;
    const value = request.headers[header.toLowerCase()];
    if (typeof value !== 'string' || !(await storeHandshakeSecret(services, hook, value))) return undefined;
    return { challenge: '', header: [header, value] };
  }
  let whole: unknown;
  try {
    whole = readBody(source, request).whole;
  } catch {
    return undefined;
  }
  if (source.handshake.kind !== 'secret') return secret === null ? challengeIn(hook, whole, undefined) : undefined;
  const given = textAt(whole, source.handshake.path);
  if (given === undefined) return undefined;
  await storeHandshakeSecret(services, hook, given);
  return { event_ids: [] };
}

function orRefuse<T>(services: Services, hook: Hook, seen: Seen, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Unreadable ? refuse(services, hook, error.problem, seen) : error;
  }
}

const UNVERIFIED = 'The request could not be verified.';
/** The response to the sender: only the trigger's owner learns the cause of a 401. */
const ANSWERS: Record<RejectionCause, [status: ErrorStatus, message: string | null]> = {
  SIGNATURE_MISSING: [401, UNVERIFIED],
  SIGNATURE_WRONG: [401, UNVERIFIED],
  TIMESTAMP_STALE: [401, UNVERIFIED],
  SECRET_MISSING: [401, UNVERIFIED],
  NOT_JSON: [400, null],
  NOT_UTF8: [400, null],
  TOO_DEEP: [400, null],
  BODY_CUT: [408, null],
  TOO_LARGE: [413, null],
  WRONG_METHOD: [405, null],
};

/** Notes that a request is refused; the Failure is what its sender is answered. */
export function refuse(services: Services, hook: Hook, problem: Problem, seen: Seen): Failure {
  noteRejection(services, hook, problem, seen);
  const [status, message] = ANSWERS[problem.cause];
  const headers: Record<string, string> = {};
  if (status === 401) headers['WWW-Authenticate'] = hook.check.kind === 'basic' ? 'Basic realm="hook"' : 'Signature';
  if (status === 405) headers['Allow'] = 'POST';
  return new Failure(status, message ?? problem.message, { headers });
}
