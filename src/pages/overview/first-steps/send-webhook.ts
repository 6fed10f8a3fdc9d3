/** The first webhook: a trigger with a function as its destination, and a signed request to its public URL. */
import { call } from '../../../api/client.ts';
import { WEBHOOK_HANDLER } from '../../../components/starters/starters.ts';
import { FIRST_FUNCTION } from '../steps-done.ts';

export type FirstHook = {
  readonly trigger_id: string;
  readonly destination_id: string;
  readonly url: string;
  readonly secret: string;
};

export const SIGNATURE_HEADER = 'X-Signature';
const VERIFICATION = { verification: 'hmac', header: SIGNATURE_HEADER, algorithm: 'sha256', encoding: 'hex' };

/** Creates the trigger. Its destination is a new function from the starter, or the one of an earlier attempt. */
export async function createFirstHook(): Promise<FirstHook> {
  const { functions } = await call('functionList', { query: { limit: 200 } });
  const known = functions.find(({ name }) => name === FIRST_FUNCTION);
  const { runtime, handler, files } = WEBHOOK_HANDLER;
  const fn =
    known ?? (await call('functionCreate', { body: { name: FIRST_FUNCTION, runtime, handler, files } })).function;
  const { trigger } = await call('triggerCreate', {
    body: {
      source: 'webhook',
      event_type: 'webhook.received',
      name: 'First webhook',
      parameters: VERIFICATION,
      destinations: [{ url: fn.url, name: FIRST_FUNCTION }],
    },
  });
  const { ingress, trigger_id, destinations } = trigger;
  return {
    trigger_id,
    destination_id: destinations[0]?.destination_id ?? '',
    url: ingress?.url ?? '',
    secret: ingress?.signing_secret ?? '',
  };
}

/** Whether this page can send the request: the URL has its origin, and the browser signs only in a secure context. */
export const canSend = (url: string): boolean => new URL(url).origin === location.origin && window.isSecureContext;

const bodyAt = (at: Date) => JSON.stringify({ hello: 'world', sent_at: at.toISOString() });

/** Sends a signed request as any program would; returns the ID of the event. */
export async function sendWebhook({ url, secret }: FirstHook): Promise<string> {
  const body = bodyAt(new Date());
  const response = await fetch(url, {
    method: 'POST',
    // the console's session is no part of it
    credentials: 'omit',
    headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: await signatureOf(body, secret) },
    body,
    signal: AbortSignal.timeout(30_000),
  });
  const reply: unknown = await response.json().catch(() => undefined);
  const eventId = response.ok ? idIn(reply) : undefined;
  if (eventId === undefined) throw new Error(`The webhook URL responded ${response.status}.`);
  return eventId;
}

function idIn(reply: unknown): string | undefined {
  if (typeof reply !== 'object' || reply === null || !('event_ids' in reply)) return undefined;
  const [first]: unknown[] = Array.isArray(reply.event_ids) ? reply.event_ids : [];
  return typeof first === 'string' ? first : undefined;
}

async function signatureOf(body: string, secret: string): Promise<string> {
  const encode = (text: string) => new TextEncoder().encode(text);
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encode(secret), hmac, false, ['sign']);
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encode(body)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The same request for a terminal. */
export const webhookCommand = ({ url, secret }: Pick<FirstHook, 'url' | 'secret'>): string =>
  `body='{"hello":"world"}'
signature=$(printf %s "$body" | openssl dgst -sha256 -hmac '${secret}' | sed 's/.* //')
curl '${url}' -H "${SIGNATURE_HEADER}: $signature" -H 'Content-Type: application/json' -d "$body"`;
