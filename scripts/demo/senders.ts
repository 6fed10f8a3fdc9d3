/** Sends the demo's events: webhooks with the signatures of Shopify, Stripe and GitHub, a few every second. */
import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

export const SECRETS = { shopify: 'shpss_demo_secret', stripe: 'whsec_demo_secret', github: 'github-demo-secret' };
export type Hooks = Record<keyof typeof SECRETS, string>;

const PAUSE_MS = { min: 250, max: 900 };
const SEND_TIMEOUT_MS = 10_000;
const CUSTOMERS = ['Ada Okafor', 'Jonas Weber', 'Mei Tanaka', 'Lucía Prieto', 'Sam Osei', 'Ingrid Dahl', 'Omar Haddad'];
const COUNTRIES = ['DE', 'FR', 'CH', 'US', 'GB', 'NO', 'ES'];
const CURRENCIES = ['eur', 'eur', 'usd', 'gbp', 'jpy'];
const ARTICLES = ['Linen shirt', 'Oak stool', 'Enamel mug', 'Wool throw', 'Desk lamp', 'Gift voucher'];
const TITLES = ['Retry uploads after a timeout', 'Fix typo in README', 'Cache the price list', 'Drop support for XML'];

const oneOf = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;
const hmac = (secret: string, text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', secret).update(text).digest(encoding);

let orders = 1000;

/** Sends until the signal aborts. An event that can't be sent is dropped: the service may be stopping. */
export async function sendEvents(hooks: Hooks, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const [url, headers, body] = oneOf([shopify, shopify, stripe, stripe, github])(hooks);
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]),
    }).then(
      (response) => response.body?.cancel(),
      () => undefined,
    );
    await wait(randomInt(PAUSE_MS.min, PAUSE_MS.max));
  }
}

type Sent = [url: string, headers: Record<string, string>, body: string];

function shopify({ shopify: url }: Hooks): Sent {
  const article = oneOf(ARTICLES);
  const total = (randomInt(900, 60_000) / 100).toFixed(2);
  const [first_name = '', last_name = ''] = oneOf(CUSTOMERS).split(' ');
  const id = randomInt(1_000_000_000);
  const body = JSON.stringify({
    id,
    name: `#${++orders}`,
    currency: oneOf(['EUR', 'EUR', 'USD']),
    total_price: total,
    total_discounts: '0.00',
    customer: { id: randomInt(500), first_name, last_name, orders_count: randomInt(5) },
    line_items: [{ title: article, quantity: 1, price: total }],
    // A voucher is sent by email and has no address.
    shipping_address: article === 'Gift voucher' ? null : { country_code: oneOf(COUNTRIES), city: 'Somewhere' },
  });
  const headers = {
    'x-shopify-topic': 'orders/create',
    'x-shopify-shop-domain': 'demo-shop.myshopify.com',
    'x-shopify-event-id': randomUUID(),
    'x-shopify-webhook-id': randomUUID(),
    'x-shopify-hmac-sha256': hmac(SECRETS.shopify, body, 'base64'),
  };
  return [url, headers, body];
}

function stripe({ stripe: url }: Hooks): Sent {
  const refund = randomInt(6) === 0;
  const currency = oneOf(CURRENCIES);
  const amount = randomInt(500, 90_000);
  const object = refund
    ? { id: `ch_${randomUUID()}`, object: 'charge', amount, amount_refunded: randomInt(amount), currency }
    : { id: `in_${randomUUID()}`, object: 'invoice', amount_paid: amount, currency, customer_name: oneOf(CUSTOMERS) };
  const body = JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    type: refund ? 'charge.refunded' : 'invoice.paid',
    created: Math.floor(Date.now() / 1000),
    data: { object },
  });
  const time = Math.floor(Date.now() / 1000);
  return [url, { 'stripe-signature': `t=${time},v1=${hmac(SECRETS.stripe, `${time}.${body}`, 'hex')}` }, body];
}

function github({ github: url }: Hooks): Sent {
  const body = JSON.stringify({
    action: oneOf(['opened', 'synchronize', 'closed']),
    number: randomInt(900),
    pull_request: { number: randomInt(900), title: oneOf(TITLES), user: { login: oneOf(['ada', 'jonas', 'mei']) } },
    repository: { id: 7, name: 'shop', full_name: 'demo/shop' },
    sender: { login: 'ada' },
  });
  const headers = {
    'x-github-event': 'pull_request',
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': `sha256=${hmac(SECRETS.github, body, 'hex')}`,
  };
  return [url, headers, body];
}
