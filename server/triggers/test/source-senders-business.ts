/** Simulates the servers of support, shop and accounting apps, as in source-senders.ts. */
import { createHmac } from 'node:crypto';
import type { Sender } from './source-sender.ts';

type Json = Record<string, unknown>;

const mac = (algorithm: 'sha1' | 'sha256', encoding: 'hex' | 'base64', secret: string, text: string) =>
  createHmac(algorithm, secret).update(text).digest(encoding);

export const BUSINESS_SENDERS: Record<string, Sender> = {
  woocommerce: {
    secret: 'a secret of ours',
    signature: 'x-wc-webhook-signature',
    covers: { body: true, time: false },
    body: ({ sample }) => JSON.stringify(sample),
    headers: ({ event_type, secret }, body) => ({
      'x-wc-webhook-source': 'https://example.com/',
      'x-wc-webhook-topic': event_type === '*' ? 'order.created' : event_type,
      'x-wc-webhook-id': '142',
      // Shared by all deliveries of a webhook in one second.
      'x-wc-webhook-delivery-id': '27fcde6d5ed88139d07a62e0aa86a11c',
      'x-wc-webhook-signature': mac('sha256', 'base64', secret, body),
    }),
  },
  quickbooks: {
    secret: 'a-verifier-token',
    signature: 'intuit-signature',
    covers: { body: true, time: false },
    body: ({ sample, number }) => JSON.stringify([{ ...(sample as Json), id: `88cd52aa-${number}` }]),
    headers: ({ secret }, body) => ({ 'intuit-signature': mac('sha256', 'base64', secret, body) }),
  },
  vercel: {
    secret: 'AiK52QASLJXmCXX3X9gO2Zyh',
    signature: 'x-vercel-signature',
    covers: { body: true, time: false },
    body: ({ sample, number }) => JSON.stringify({ ...(sample as Json), id: `uev_${number}` }),
    headers: ({ secret }, body) => ({ 'x-vercel-signature': mac('sha1', 'hex', secret, body) }),
  },
  square: {
    secret: 'qfjakbt2uWB8DKAMECF-EA',
    signature: 'x-square-hmacsha256-signature',
    covers: { body: true, time: false },
    body: ({ sample, number }) => JSON.stringify({ ...(sample as Json), event_id: `13b867cf-${number}` }),
    headers: ({ url, at, secret }, body) => ({
      'square-environment': 'Sandbox',
      'square-initial-delivery-timestamp': at.toISOString(),
      'x-square-hmacsha256-signature': mac('sha256', 'base64', secret, url + body),
    }),
  },
  zendesk: {
    secret: 'dGhpc19pc19hX3Rlc3Rfc2lnbmluZ19zZWNyZXQ',
    signature: 'x-zendesk-webhook-signature',
    covers: { body: true, time: false },
    body: ({ sample, number }) => JSON.stringify({ ...(sample as Json), id: `2b24ef10-${number}` }),
    headers: ({ at, number, secret }, body) => ({
      'x-zendesk-webhook-id': '01GK8E6BKWMJZD2T8Y5AXJQMG5',
      'x-zendesk-webhook-invocation-id': `01GK8E6C-${number}`,
      'x-zendesk-webhook-signature-timestamp': at.toISOString(),
      'x-zendesk-webhook-signature': mac('sha256', 'base64', secret, at.toISOString() + body),
    }),
  },
  'lemon-squeezy': {
    secret: 'at-most-40-characters',
    signature: 'x-signature',
    covers: { body: true, time: false },
    body: ({ sample }) => JSON.stringify(sample),
    headers: ({ event_type, secret }, body) => ({
      'x-event-name': event_type === '*' ? 'order_created' : event_type,
      'x-signature': mac('sha256', 'hex', secret, body),
    }),
  },
  heroku: {
    secret: 'a secret of ours',
    signature: 'heroku-webhook-hmac-sha256',
    covers: { body: true, time: false },
    body: ({ sample, number }) => JSON.stringify({ ...(sample as Json), id: `b6a68e77-${number}` }),
    headers: ({ secret }, body) => ({ 'heroku-webhook-hmac-sha256': mac('sha256', 'base64', secret, body) }),
  },
  intercom: {
    secret: 'a-client-secret',
    signature: 'x-hub-signature',
    covers: { body: true, time: false },
    body: ({ sample, number }) => JSON.stringify({ ...(sample as Json), id: `notif_${number}` }),
    headers: ({ secret }, body) => ({ 'x-hub-signature': `sha1=${mac('sha1', 'hex', secret, body)}` }),
  },
  docusign: {
    secret: '6d5b9f8a-2c44-4a7e-9b31-3f0e1d2c5a9c',
    signature: 'x-docusign-signature-1',
    covers: { body: true, time: false },
    body: ({ sample, number }) => JSON.stringify({ ...(sample as Json), retryCount: number }),
    headers: ({ secret }, body) => ({
      'x-authorization-digest': 'HMACSHA256',
      'x-docusign-signature-1': mac('sha256', 'base64', secret, body),
      // Of a second key.
      'x-docusign-signature-2': mac('sha256', 'base64', 'another', body),
    }),
  },
};
