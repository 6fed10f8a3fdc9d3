/**
 * Simulates each source's server: signature, event name and delivery ID. Written from the vendors' documentation,
 * independently of the verification code.
 */
import { createHmac, randomUUID } from 'node:crypto';
import type { Delivery, Sender } from './source-sender.ts';
import { BUSINESS_SENDERS } from './source-senders-business.ts';
import { TOOL_SENDERS } from './source-senders-tools.ts';

type Json = Record<string, unknown>;

const hmac = (encoding: 'hex' | 'base64', secret: string, ...parts: string[]) =>
  createHmac('sha256', secret).update(parts.join('')).digest(encoding);
const seconds = (at: Date) => String(Math.floor(at.getTime() / 1000));
/** The native form of `orders.create`, and a substitute for the type `*`. */
const first = (event_type: string, otherwise: string) => (event_type === '*' ? otherwise : event_type.split('.')[0]);
const withId =
  (name: string) =>
  ({ sample, number }: Delivery) =>
    JSON.stringify({ ...(sample as Json), [name]: `${name}-${number}` });
const plain = ({ sample }: Delivery) => JSON.stringify(sample);

export const SENDERS: Record<string, Sender> = {
  ...BUSINESS_SENDERS,
  ...TOOL_SENDERS,
  github: {
    secret: "It's a Secret to Everybody",
    signature: 'x-hub-signature-256',
    covers: { body: true, time: false },
    body: plain,
    headers: ({ event_type, number, secret }, body) => ({
      'x-github-event': first(event_type, 'push') ?? '',
      'x-github-delivery': `72d3162e-cc78-11e3-81ab-${String(number).padStart(12, '0')}`,
      'x-hub-signature-256': `sha256=${hmac('hex', secret, body)}`,
    }),
  },
  gitlab: {
    secret: 'glpat-a-token',
    signature: 'x-gitlab-token',
    covers: { body: false, time: false },
    body: plain,
    headers: ({ number, secret }) => ({
      'x-gitlab-event': 'Push Hook',
      // Shared by webhooks that trigger each other.
      'x-gitlab-event-uuid': '13792a34-cac6-4fda-95a8-c58e00a3954e',
      'idempotency-key': `f5e57ebe-${number}`,
      'x-gitlab-token': secret,
    }),
  },
  slack: {
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    signature: 'x-slack-signature',
    covers: { body: true, time: true },
    body: withId('event_id'),
    headers: ({ at, secret }, body) => ({
      'x-slack-request-timestamp': seconds(at),
      'x-slack-signature': `v0=${hmac('hex', secret, 'v0:', seconds(at), ':', body)}`,
    }),
  },
  stripe: {
    secret: 'whsec_c29tZSBzZWNyZXQ',
    signature: 'stripe-signature',
    covers: { body: true, time: true },
    body: ({ sample, number }) =>
      JSON.stringify({ ...(sample as Json), id: `evt_${number}`, account: 'acct_1032D82eZvKYlo2C' }),
    headers: ({ at, secret }, body) => {
      const right = hmac('hex', secret, seconds(at), '.', body);
      return { 'stripe-signature': `t=${seconds(at)},v1=${'0'.repeat(64)},v1=${right},v0=${'1'.repeat(64)}` };
    },
  },
  shopify: {
    secret: 'shpss_0123456789abcdef',
    signature: 'x-shopify-hmac-sha256',
    covers: { body: true, time: false },
    body: plain,
    headers: ({ event_type, number, secret }, body) => ({
      'x-shopify-topic': event_type === '*' ? 'orders/create' : event_type.replace('.', '/'),
      'x-shopify-shop-domain': 'example-shop.myshopify.com',
      // Shared by all topics of one action.
      'x-shopify-event-id': '98880550-7158-44d4-b7cd-2c97c8a091b5',
      'x-shopify-webhook-id': `b54557e4-bdd9-4b37-8a5f-bf7d70bcd${number}`,
      'x-shopify-hmac-sha256': hmac('base64', secret, body),
    }),
  },
  linear: {
    secret: 'lin_wh_secret',
    signature: 'linear-signature',
    covers: { body: true, time: true },
    body: ({ sample, at }) => JSON.stringify({ ...(sample as Json), webhookTimestamp: at.getTime() }),
    headers: ({ number, secret }, body) => ({
      'linear-delivery': `234d1a4e-b617-4388-90fe-${String(number).padStart(12, '0')}`,
      'linear-signature': hmac('hex', secret, body),
    }),
  },
  hubspot: {
    secret: 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy',
    signature: 'x-hubspot-signature-v3',
    covers: { body: true, time: true },
    body: ({ sample, number }) => JSON.stringify([{ ...(sample as Json), eventId: number }]),
    headers: ({ url, at, secret }, body) => ({
      'x-hubspot-request-timestamp': String(at.getTime()),
      'x-hubspot-signature-v3': hmac('base64', secret, 'POST', url, body, String(at.getTime())),
    }),
  },
  calendly: {
    secret: 'a signing key',
    signature: 'calendly-webhook-signature',
    covers: { body: true, time: true },
    body: ({ sample, number }) =>
      JSON.stringify({ ...(sample as Json), created_at: `2020-11-23T17:51:19.${String(number).padStart(6, '0')}Z` }),
    headers: ({ at, secret }, body) => ({
      'calendly-webhook-signature': `t=${seconds(at)},v1=${hmac('hex', secret, seconds(at), '.', body)}`,
    }),
  },
  notion: {
    secret: 'secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl',
    signature: 'x-notion-signature',
    covers: { body: true, time: false },
    body: withId('id'),
    headers: ({ secret }, body) => ({ 'x-notion-signature': `sha256=${hmac('hex', secret, body)}` }),
  },
  'standard-webhooks': {
    secret: `whsec_${Buffer.alloc(24, 'key').toString('base64')}`,
    signature: 'webhook-signature',
    covers: { body: true, time: true },
    body: plain,
    headers: ({ number, at, secret }, body) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const signed = createHmac('sha256', key)
        .update(`msg_${number}.${seconds(at)}.${body}`)
        .digest('base64');
      return { 'webhook-id': `msg_${number}`, 'webhook-timestamp': seconds(at), 'webhook-signature': `v1,${signed}` };
    },
  },
  typeform: {
    secret: 'a secret of ours',
    signature: 'typeform-signature',
    covers: { body: true, time: false },
    body: withId('event_id'),
    headers: ({ secret }, body) => ({ 'typeform-signature': `sha256=${hmac('base64', secret, body)}` }),
  },
  pagerduty: {
    secret: 'pd-secret',
    signature: 'x-pagerduty-signature',
    covers: { body: true, time: false },
    body: ({ sample, number }) => {
      const { event } = sample as { event: Json };
      return JSON.stringify({ event: { ...event, id: `01BZ${number}` } });
    },
    // During a rotation, one signature per secret.
    headers: ({ secret }, body) => ({
      'x-pagerduty-signature': `v1=${hmac('hex', 'another', body)},v1=${hmac('hex', secret, body)}`,
    }),
  },
  circleci: {
    secret: 'a token of ours',
    signature: 'circleci-signature',
    covers: { body: true, time: false },
    body: withId('id'),
    headers: ({ secret }, body) => ({ 'circleci-signature': `v2=${'0'.repeat(64)},v1=${hmac('hex', secret, body)}` }),
  },
  box: {
    secret: 'SamplePrimaryKey',
    signature: 'box-signature-primary',
    covers: { body: true, time: true },
    body: withId('id'),
    headers: ({ at, secret }, body) => ({
      'box-delivery-id': randomUUID(),
      'box-delivery-timestamp': at.toISOString(),
      'box-signature-version': '1',
      'box-signature-algorithm': 'HmacSHA256',
      'box-signature-primary': hmac('base64', secret, body, at.toISOString()),
    }),
  },
  resend: {
    secret: `whsec_${Buffer.alloc(24, 'svix').toString('base64')}`,
    signature: 'svix-signature',
    covers: { body: true, time: true },
    body: plain,
    headers: (delivery, body) => {
      const signed = SENDERS['standard-webhooks']?.headers(delivery, body) ?? {};
      return Object.fromEntries(
        Object.entries(signed).map(([name, value]) => [name.replace('webhook', 'svix'), value]),
      );
    },
  },
  zoom: {
    secret: 'a-secret-token',
    signature: 'x-zm-signature',
    covers: { body: true, time: true },
    body: ({ sample, number }) => JSON.stringify({ ...(sample as Json), event_ts: 1626230691572 + number }),
    headers: ({ at, secret }, body) => ({
      'x-zm-request-timestamp': seconds(at),
      'x-zm-signature': `v0=${hmac('hex', secret, `v0:${seconds(at)}:${body}`)}`,
    }),
  },
  paddle: {
    secret: 'pdl_ntfset_secret',
    signature: 'paddle-signature',
    covers: { body: true, time: true },
    body: withId('event_id'),
    headers: ({ at, secret }, body) => ({
      'paddle-signature': `ts=${seconds(at)};h1=${hmac('hex', secret, seconds(at), ':', body)}`,
    }),
  },
  twitch: {
    secret: 's3cre77890ab',
    signature: 'twitch-eventsub-message-signature',
    covers: { body: true, time: true },
    body: plain,
    headers: ({ number, at, secret }, body) => {
      const [id, time] = [`e76c6bd4-${number}`, at.toISOString().replace('Z', '634234Z')];
      return {
        'twitch-eventsub-message-id': id,
        'twitch-eventsub-message-timestamp': time,
        'twitch-eventsub-message-signature': `sha256=${hmac('hex', secret, id, time, body)}`,
      };
    },
  },
  jira: {
    secret: 'a secret of ours',
    signature: 'x-hub-signature',
    covers: { body: true, time: false },
    body: plain,
    headers: ({ number, secret }, body) => ({
      'x-atlassian-webhook-identifier': `1ad1b5a0-${number}`,
      'x-hub-signature': `sha256=${hmac('hex', secret, body)}`,
    }),
  },
  bitbucket: {
    secret: 'a secret of ours',
    signature: 'x-hub-signature',
    covers: { body: true, time: false },
    body: plain,
    headers: ({ event_type, number, secret }, body) => ({
      'x-event-key':
        event_type === '*' ? 'repo:push' : event_type.replace(/^pullrequest$/, '$&.created').replace('.', ':'),
      'x-hook-uuid': 'one of the webhook',
      'x-request-uuid': `f1b2c3d4-${number}`,
      'x-hub-signature': `sha256=${hmac('hex', secret, body)}`,
    }),
  },
  asana: {
    secret: 'b537207f20cbfa02357cf448134da559e8bd39d61597dcd5631b8012eae53e81',
    signature: 'x-hook-signature',
    covers: { body: true, time: false },
    body: ({ sample }) => `{"events":[${JSON.stringify(sample)}]}`,
    headers: ({ secret }, body) => ({ 'x-hook-signature': hmac('hex', secret, body) }),
  },
  dropbox: {
    secret: 'an-app-secret',
    signature: 'x-dropbox-signature',
    covers: { body: true, time: false },
    body: plain,
    headers: ({ secret }, body) => ({ 'x-dropbox-signature': hmac('hex', secret, body) }),
  },
  sentry: {
    secret: 'a-client-secret',
    signature: 'sentry-hook-signature',
    covers: { body: true, time: false },
    body: plain,
    headers: ({ event_type, number, secret }, body) => ({
      'request-id': `c1a0-${number}`,
      'sentry-hook-resource': first(event_type, 'issue') ?? '',
      'sentry-hook-signature': hmac('hex', secret, body),
    }),
  },
};
SENDERS['gitlab-self-managed'] = SENDERS['gitlab'] as Sender;
