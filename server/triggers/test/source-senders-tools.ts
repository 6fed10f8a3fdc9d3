/** Simulates the servers of apps for developers and of tools, as in source-senders.ts. */
import { createHmac } from 'node:crypto';
import type { Sender } from './source-sender.ts';

type Json = Record<string, unknown>;

const mac = (algorithm: 'sha1' | 'sha256', secret: string, text: string) =>
  createHmac(algorithm, secret).update(text).digest('hex');
const seconds = (at: Date) => String(Math.floor(at.getTime() / 1000));

export const TOOL_SENDERS: Record<string, Sender> = {
  clerk: {
    secret: `whsec_${Buffer.alloc(24, 'clerk').toString('base64')}`,
    signature: 'svix-signature',
    covers: { body: true, time: true },
    body: ({ sample }) => JSON.stringify(sample),
    headers: ({ number, at, secret }, body) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const signed = createHmac('sha256', key)
        .update(`msg_${number}.${seconds(at)}.${body}`)
        .digest('base64');
      return { 'svix-id': `msg_${number}`, 'svix-timestamp': seconds(at), 'svix-signature': `v1,${signed}` };
    },
  },
  workos: {
    secret: 'a-webhook-secret',
    signature: 'workos-signature',
    covers: { body: true, time: true },
    body: ({ sample, number }) => JSON.stringify({ ...(sample as Json), id: `event_${number}` }),
    // The timestamp is in milliseconds, and a space follows the comma.
    headers: ({ at, secret }, body) => ({
      'workos-signature': `t=${at.getTime()}, v1=${mac('sha256', secret, `${at.getTime()}.${body}`)}`,
    }),
  },
  webflow: {
    secret: 'a-client-secret',
    signature: 'x-webflow-signature',
    covers: { body: true, time: true },
    body: ({ sample }) => JSON.stringify(sample),
    headers: ({ at, secret }, body) => ({
      'x-webflow-timestamp': String(at.getTime()),
      'x-webflow-signature': mac('sha256', secret, `${at.getTime()}:${body}`),
    }),
  },
  segment: {
    secret: 'a shared secret of ours',
    signature: 'x-signature',
    covers: { body: true, time: false },
    body: ({ sample, number }) => JSON.stringify({ ...(sample as Json), messageId: `022bb90c-${number}` }),
    headers: ({ secret }, body) => ({ 'x-signature': mac('sha1', secret, body) }),
  },
  telegram: {
    secret: 'a-secret_token-of-ours',
    signature: 'x-telegram-bot-api-secret-token',
    covers: { body: false, time: false },
    body: ({ sample, number }) => JSON.stringify({ ...(sample as Json), update_id: 10000 + number }),
    headers: ({ secret }) => ({ 'x-telegram-bot-api-secret-token': secret }),
  },
  trello: {
    secret: 'a-power-up-secret',
    signature: 'x-trello-webhook',
    covers: { body: true, time: false },
    body: ({ sample, number }) => {
      const whole = sample as { action: Json };
      return JSON.stringify({ ...whole, action: { ...whole.action, id: `572a3406-${number}` } });
    },
    headers: ({ url, secret }, body) => ({
      'x-trello-webhook': createHmac('sha1', secret)
        .update(body + url)
        .digest('base64'),
    }),
  },
  buildkite: {
    secret: '309c9c842d8565adec5d7469160059f9',
    signature: 'x-buildkite-signature',
    covers: { body: true, time: true },
    body: ({ sample }) => JSON.stringify(sample),
    headers: ({ sample, at, secret }, body) => {
      const signature = mac('sha256', secret, `${seconds(at)}.${body}`);
      return {
        'x-buildkite-event': String((sample as Json)['event']),
        'x-buildkite-signature': `timestamp=${seconds(at)},signature=${signature}`,
      };
    },
  },
  'cal-com': {
    secret: 'a secret of ours',
    signature: 'x-cal-signature-256',
    covers: { body: true, time: false },
    body: ({ sample }) => JSON.stringify(sample),
    headers: ({ secret }, body) => ({ 'x-cal-signature-256': mac('sha256', secret, body) }),
  },
};
