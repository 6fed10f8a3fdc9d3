/** Sends requests to a trigger's URL like a source, and reads the results. */
import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import net from 'node:net';
import { expect } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import type { Service } from '../../test/service.ts';

export type Trigger = Reply<'triggerCreate'>['trigger'];
export type Rejection = Reply<'rejectionList'>['rejections'][number];
export type Answer = { status: number; headers: Headers; text: string; body: Record<string, unknown> };

/** A trigger of a push source; `secret` is the signing secret, if any. */
export async function listenTo(
  service: Service,
  source: string,
  event_type: string,
  more: Partial<Body<'triggerCreate'>> = {},
): Promise<{ trigger: Trigger; url: string; secret: string }> {
  const { status, body } = await service.api<{ trigger: Trigger }>('POST', '/triggers', {
    source,
    event_type,
    ...more,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  const { trigger } = body;
  const url = addressOf(service, trigger);
  return { trigger, url, secret: more.secret ?? trigger.ingress?.signing_secret ?? '' };
}

/** The URL for tests: the same port, by IP address. */
export const addressOf = (service: Service, trigger: Trigger): string =>
  (trigger.ingress?.url ?? '').replace(/^http:\/\/[^/]+/, service.url);

export async function post(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  method = 'POST',
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

/** The same with another Host header, which fetch does not allow. */
export function postAs(
  host: string,
  url: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  return new Promise((ok, refuse) => {
    const sent = request(url, { method: 'POST', headers: { ...headers, host } }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      ok({ status: response.statusCode ?? 0, text });
    });
    sent.on('error', refuse).end(body);
  });
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** A raw client, for requests that an HTTP client would not send. */
export function sendRaw(service: Service, bytes: string, { end = false } = {}): Promise<string> {
  return new Promise((ok, refuse) => {
    let answer = '';
    const socket = net.connect(service.port, '127.0.0.1', () => (end ? socket.end(bytes) : socket.write(bytes)));
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => ok(answer)).on('error', refuse);
  });
}

export const hmacHex = (secret: string, text: string | Uint8Array, algorithm = 'sha256') =>
  createHmac(algorithm, secret).update(text).digest('hex');

export const hmacBase64 = (secret: string, text: string | Uint8Array, algorithm = 'sha256') =>
  createHmac(algorithm, secret).update(text).digest('base64');

/** An event with its request and the exact body of it. */
export async function eventOf(
  service: Service,
  { trigger_id }: Trigger,
  event_id: string | undefined,
): Promise<Reply<'eventGet'>['event']> {
  const path = `/triggers/${trigger_id}/events/${event_id}?request_body=true`;
  const { status, body } = await service.api<Reply<'eventGet'>>('GET', path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.event;
}

/** The stored payloads of a trigger's events, oldest first. */
export async function storedPayloads({ services }: Service, { trigger_id }: Trigger): Promise<string[]> {
  const rows = await services.db
    .selectFrom('events')
    .select('payload')
    .where('trigger_id', '=', trigger_id)
    .orderBy('event_id')
    .execute();
  return rows.map(({ payload }) => payload);
}

export async function rejectionsOf(
  service: Service,
  { trigger_id }: Trigger,
  query = '',
): Promise<Reply<'rejectionList'>> {
  const { body } = await service.api<Reply<'rejectionList'>>('GET', `/triggers/${trigger_id}/rejections${query}`);
  return body;
}

/** The rejections of a trigger, newest first. */
export const causesOf = async (service: Service, trigger: Trigger): Promise<string[]> =>
  (await rejectionsOf(service, trigger)).rejections.map(({ cause }) => cause);

export async function patchTrigger(
  service: Service,
  { trigger_id }: Trigger,
  changes: Body<'triggerUpdate'>,
): Promise<Trigger> {
  const path = `/triggers/${trigger_id}`;
  const { status, body } = await service.api<{ trigger: Trigger }>('PATCH', path, changes);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.trigger;
}
