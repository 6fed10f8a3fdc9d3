/**
 * Ingress: turns the request of a source into an event.
 *
 * Each trigger of a push source has a webhook URL, `{hooks_url}/<token>`. Any client that knows the URL can send, so
 * the token is random and only its hash is looked up (hooks.ts). The entry point (http/doors/hooks-front.ts) reads the
 * body within its limits. The checks, in order: the signature over the received bytes (signature.ts), a `handshake`
 * that only verifies the URL, valid JSON within the limits (read-body.ts; read-any-body.ts for other content types),
 * the trigger's event type and parameters (places.ts). Events that don't match are acknowledged and not stored. The
 * others are stored like every event (deliveries/intake/intake.ts) before the response is sent, once per event ID of
 * the source, together with the request (kept-request.ts). A JSON payload is the original text, byte for byte.
 *
 * A rejected request is stored with its cause (rejections.ts). The sender gets only a short message.
 */
import { createHmac } from 'node:crypto';
import type { ErrorStatus } from '../../../contract/errors.ts';
import type { RejectionCause } from '../../../contract/states.ts';
import { ingest } from '../../deliveries/intake/intake.ts';
import type { NewEvent } from '../../deliveries/intake/store-events.ts';
import { withoutCredentials } from '../../deliveries/targets/message-body.ts';
import { eventPage } from '../../lib/addresses.ts';
import { Failure, notFound } from '../../lib/failure.ts';
import type { Services } from '../../platform/context.ts';
import { traceIn } from '../../platform/tracing/trace.ts';
import type { WebhookParameters } from './checks.ts';
import { confirmSecret, storeHandshakeSecret } from './handshake-secret.ts';
import type { Hook } from './hooks.ts';
import type { Incoming, Seen } from './incoming.ts';
import { keptRequest } from './kept-request.ts';
import { fitsParameters, idIn, isOfType, nameIn, textAt } from './places.ts';
import { readEvents } from './read-any-body.ts';
import { type Item, payloadOf, readBody, Unreadable } from './read-body.ts';
import { noteRejection } from './rejections.ts';
import { type Reply, renderReply } from './reply.ts';
import { checkSignature, type Problem } from './signature.ts';
import { countingSecrets } from './source-secrets.ts';

/**
 * The events, with the trigger's own reply, or the response to a challenge: its exact text, which may be JSON, and a
 * header.
 */
export type Received =
  | { event_ids: string[]; reply?: Reply | undefined }
  | { challenge: string; json?: true; header?: [name: string, value: string] };

/** Processes a request with its complete body. Throws the Failure to respond with. */
export async function receive(services: Services, hook: Hook, request: Incoming & Seen): Promise<Received> {
  const { source, check } = hook;
  const echoed = echoOf(hook, request.method, request.url);
  if (echoed !== undefined) return { challenge: echoed };
  const early = await beforeSecret(services, hook, request);
  if (early) return early;
  const secrets = countingSecrets(hook.secret);
  const problem = checkSignature(check, secrets, request, Date.now());
  if (problem) throw refuse(services, hook, problem, request);
  if (hook.secret?.unconfirmed) await confirmSecret(services, hook);
  const { whole, items } = await orRefuse(services, hook, request, () => readEvents(source, request));
  const challenge = challengeIn(hook, whole, secrets[0]);
  if (challenge) return challenge;
  const wanted = items.filter(({ body }) => {
    const read = { headers: request.headers, body };
    const isNamed = source.event === null || isOfType(nameIn(read, source.event), hook.event_type);
    return isNamed && fitsParameters(read, source.match, hook.parameters);
  });
  const events = eventsOf(hook, request, wanted);
  const taken = await ingest(services, hook.label, events);
  if (taken.some(({ outcome }) => outcome === 'GONE')) throw unknownHook();
  const event_ids = taken.map(({ event_id }) => event_id);
  return hook.reply === null ? { event_ids } : { event_ids, reply: replyTo(services, hook, events[0], event_ids[0]) };
}

function replyTo(
  { settings: { addresses } }: Services,
  { reply, trigger_id, trigger_name, event_type }: Hook,
  event: NewEvent | undefined,
  event_id = '',
): Reply | undefined {
  if (reply === null || !event?.request || !('json' in event)) return undefined;
  const request = withoutCredentials(event.request.values);
  const event_url = eventPage(addresses, trigger_id, event_id);
  return renderReply(reply, {
    payload: event.json,
    request,
    event_id,
    event_url,
    trigger_id,
    trigger_name,
    event_type,
  });
}

/** The events of the items of a request. */
export function eventsOf(hook: Hook, request: Seen, items: Item[]): NewEvent[] {
  const { source, account_id, trigger_id } = hook;
  const payloads = items.map(payloadOf);
  const trace = request.trace ?? traceIn(request.headers);
  const kept = keptRequest(hook, request, payloads.length === 1 ? (payloads[0] ?? null) : null);
  return items.map(({ body }, index) => ({
    account_id,
    trigger_id,
    json: payloads[index] ?? '{}',
    request_id: request.request_id,
    request: kept,
    trace,
    key: source.id ? idIn({ headers: request.headers, body }, source.id) : undefined,
  }));
}

/** For an unknown or deleted URL. */
export const unknownHook = (): Failure => notFound('Hook');

/** The response to a handshake without a body. */
export function echoOf({ parameters, source }: Hook, method: string | undefined, url: string): string | undefined {
  const { handshake, checked } = source;
  if (handshake?.kind === 'head' && method === 'HEAD') return '';
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

/** A source may verify the URL before its secret is known here, or send the secret that way. */
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

async function orRefuse<T>(services: Services, hook: Hook, seen: Seen, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
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
  MALFORMED: [400, null],
  TOO_DEEP: [400, null],
  BODY_CUT: [408, null],
  TOO_LARGE: [413, null],
  WRONG_METHOD: [405, null],
  RATE_LIMITED: [429, null],
};

/** Records a rejected request; returns the Failure for its sender. */
export function refuse(services: Services, hook: Hook, problem: Problem, seen: Seen): Failure {
  noteRejection(services, hook, problem, seen);
  services.measures.count('events', { source: hook.label, outcome: 'REJECTED' });
  const [status, message] = ANSWERS[problem.cause];
  const headers: Record<string, string> = {};
  if (status === 401) headers['WWW-Authenticate'] = hook.check.kind === 'basic' ? 'Basic realm="hook"' : 'Signature';
  if (status === 405) headers['Allow'] = hook.methods.join(', ');
  if (status === 429) headers['Retry-After'] = '1';
  return new Failure(status, message ?? problem.message, { headers });
}
