/** Creates the demo's accounts through the API: functions, connected apps, triggers and destinations. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Body } from '../../contract/operations.ts';
import { type Api, apiOf, cookieOf, withKey } from './api.ts';
import { filesOf, functionIn, OWNERS } from './functions.ts';
import { LEDGER_CLIENT, RATES_KEY } from './local-apps.ts';
import { type Hooks, SECRETS } from './senders.ts';

type Destination = NonNullable<Body<'triggerCreate'>['destinations']>[number];

const FOLDERS = [
  'order-intake',
  'invoice-sync',
  'pr-notify',
  'stock-report',
  'nightly-summary',
  'currency-rates',
  'hello',
  'refund-check',
  'address-normalizer',
  'fraud-score',
];
/** When order-intake gets the version with the bug. */
const BUG_AFTER_MS = 90_000;

/** URLs of the service, of the local apps and of the receivers. */
export type Urls = { service: string; apps: string; receivers: string };

/** Sets up the account unless that was done before; returns the URLs of its webhooks. */
export async function seed(at: Urls, api: Api): Promise<Hooks> {
  const { triggers } = await api('triggerList');
  if (triggers.length === 0) await createAll(at, api);
  return hooksOf(api);
}

async function createAll(at: Urls, api: Api): Promise<void> {
  await connectApps(at, api);
  const urls: Record<string, string> = {};
  for (const folder of FOLDERS) {
    const { function: made } = await api('functionCreate', {
      body: {
        ...functionIn(folder),
        visibility: 'PUBLIC',
        invoke_access: folder === 'hello' ? 'ANYONE' : 'KEY',
        gateway_policy: 'ALLOW_ALL',
        message: 'The first version',
      },
    });
    urls[folder] = made.url;
  }
  const to = (name: string, more: Partial<Destination> = {}): Destination => ({
    name,
    url: urls[name] ?? `${at.receivers}/${name}`,
    ...more,
  });
  await api('triggerCreate', {
    body: {
      name: 'shop-orders',
      description: 'Each order of the shop.',
      source: 'shopify',
      event_type: 'orders.create',
      secret: SECRETS.shopify,
      destinations: [
        to('order-intake'),
        to('fraud-score', { filter: { currency: 'EUR' } }),
        to('warehouse'),
        to('erp'),
        to('analytics', { timeout_seconds: 10, max_in_flight: 4 }),
        to('crm'),
      ],
    },
  });
  await api('triggerCreate', {
    body: {
      name: 'payments',
      source: 'stripe',
      event_type: 'stripe.*',
      secret: SECRETS.stripe,
      destinations: [
        to('invoice-sync', { filter: { type: 'invoice.paid' } }),
        to('refund-check', { filter: { type: 'charge.refunded' } }),
        to('accounting'),
        to('mailer'),
        to('archive'),
      ],
    },
  });
  await api('triggerCreate', {
    body: {
      name: 'pull-requests',
      source: 'github',
      event_type: 'github.pull_request',
      secret: SECRETS.github,
      destinations: [to('pr-notify'), to('chat'), to('ci'), to('mirror'), to('audit')],
    },
  });
  await api('triggerCreate', {
    body: {
      name: 'every-minute',
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '* * * * *', timezone: 'UTC' },
      destinations: [to('nightly-summary'), to('heartbeat')],
    },
  });
}

async function connectApps({ service, apps }: Urls, api: Api): Promise<void> {
  await api('appCreate', {
    body: {
      app: 'rates',
      name: 'Rates',
      base_url: `${apps}/rates`,
      methods: [{ method: 'API_KEY', place: { in: 'header', name: 'x-api-key', template: '{api_key}' } }],
      probe: { path: '/latest' },
    },
  });
  await api('appCreate', {
    body: {
      app: 'ledger',
      name: 'Ledger',
      base_url: `${apps}/ledger`,
      methods: [
        {
          method: 'OAUTH2',
          authorize_url: `${apps}/ledger/authorize`,
          token_url: `${apps}/ledger/token`,
          client_auth: 'post',
        },
      ],
      probe: { path: '/entries' },
    },
  });
  await api('appCredentialPut', { params: { app: 'ledger', method: 'OAUTH2' }, body: LEDGER_CLIENT });
  await connect(service, api, 'rates', 'Rates of the demo', 'API_KEY', { api_key: RATES_KEY });
  await connect(service, api, 'ledger', 'Ledger of the demo', 'OAUTH2', {});
}

/** Connects as a person does: opens the link, submits the form, and follows the redirects of the provider. */
async function connect(
  url: string,
  api: Api,
  app: string,
  name: string,
  method: 'API_KEY' | 'OAUTH2',
  fields: Record<string, string>,
): Promise<void> {
  const { connection_id } = await api('connectionCreate', { body: { app, name } });
  const { connection } = await api('connectionGet', { params: { connection_id } });
  const token = new URL(connection.url).searchParams.get('token');
  const response = await fetch(`${url}/connect/api/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ method, fields }),
  });
  if (!response.ok) throw new Error(`${app} is not connected: ${await response.text()}`);
  const { redirect_url } = (await response.json()) as { redirect_url: string | null };
  if (redirect_url === null) return;
  const granted = await fetch(redirect_url, { redirect: 'manual' });
  await fetch(granted.headers.get('location') ?? '', { headers: { cookie: cookieOf(response) }, redirect: 'manual' });
}

async function hooksOf(api: Api): Promise<Hooks> {
  const { triggers } = await api('triggerList');
  const urlOf = async (name: string) => {
    const { trigger_id = '' } = triggers.find((each) => each.name === name) ?? {};
    const { trigger } = await api('triggerGet', { params: { trigger_id } });
    return trigger.ingress?.url ?? '';
  };
  return {
    shopify: await urlOf('shop-orders'),
    stripe: await urlOf('payments'),
    github: await urlOf('pull-requests'),
  };
}

/** Deploys the version of order-intake that fails for orders without an address, once. */
export async function deployBug(api: Api, signal: AbortSignal): Promise<void> {
  const { functions } = await api('functionList');
  const { function_id = '', version } = functions.find(({ name }) => name === 'order-intake') ?? {};
  if (version !== 1) return;
  await wait(BUG_AFTER_MS, undefined, { signal }).catch(() => undefined);
  if (signal.aborted) return;
  await api('versionCreate', {
    params: { function_id },
    body: {
      files: { ...filesOf('order-intake'), ...filesOf('order-intake-2') },
      message: 'Book exports on an account for exports',
    },
  });
}

/** The other accounts, with the functions that they share. Their owner is the demo's. */
export async function seedOthers(url: string, person: { email: string; password: string }): Promise<void> {
  const signIn = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(person),
  });
  if (!signIn.ok) throw new Error(`The demo can't sign in: ${await signIn.text()}`);
  const session = apiOf(url, { cookie: cookieOf(signIn), origin: url });
  const { session: opened } = await session('sessionGet');
  const { accounts = [], account_id = '' } = opened ?? {};
  for (const { name, functions } of OWNERS) {
    if (accounts.some((each) => each.name === name)) continue;
    await session('accountCreate', { body: { name } });
    const { key } = await session('apiKeyCreate', { body: { name: 'Functions to share' } });
    // A sign-in during this opens the demo's account.
    await session('sessionSwitch', { body: { account_id } });
    const api = withKey(url, key);
    for (const code of functions) await api('functionCreate', { body: { ...code, visibility: 'PUBLIC' } });
  }
  await session('sessionDelete');
}
