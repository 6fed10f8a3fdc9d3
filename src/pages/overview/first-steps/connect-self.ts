/** The first connection: this service's own API as a custom app, with a new key that can only read. */
import { ApiError, errorOf } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import type { Account } from '../../../api/entities.ts';
import { CONNECTION_KEY } from '../steps-done.ts';

/** The ID of the custom app. */
export const OWN_APP = 'this-sluice';

export type Connected = {
  readonly connection_id: string;
  readonly status: number | null;
  readonly error: string | null;
};

/** Creates app, key and connection, and calls the API through the gateway. */
export async function connectSelf({ addresses }: Account): Promise<Connected> {
  await createApp(addresses.base_url);
  const { key } = await call('apiKeyCreate', { body: { name: CONNECTION_KEY, scopes: ['settings:read'] } });
  const { connection_id } = await call('connectionCreate', { body: { app: OWN_APP, name: 'Own API' } });
  const { connection } = await call('connectionGet', { params: { connection_id } });
  await submitKey(new URL(connection.url), key);
  const { response, error } = await call('connectionRequest', {
    params: { connection_id },
    body: { method: 'GET', path: '/account' },
  });
  return { connection_id, status: response?.status ?? null, error: error?.message ?? null };
}

async function createApp(base_url: string): Promise<void> {
  try {
    await call('appGet', { params: { app: OWN_APP } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    await call('appCreate', {
      body: {
        app: OWN_APP,
        name: 'This Sluice',
        base_url,
        methods: [{ method: 'API_KEY', place: { in: 'header', name: 'Authorization', template: 'Bearer {api_key}' } }],
        probe: { method: 'GET', path: '/account' },
      },
    });
  }
}

/** Completes the connection on its link, as the connect window does. */
async function submitKey(link: URL, api_key: string): Promise<void> {
  const token = new URLSearchParams(link.hash.slice(1)).get('token') ?? link.searchParams.get('token') ?? '';
  if (link.origin !== location.origin)
    throw new Error('The connect window is on another host: complete the connection there.');
  const response = await fetch(`${link.pathname.replace(/\/+$/, '')}/api/session`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'API_KEY', fields: { api_key } }),
    signal: AbortSignal.timeout(90_000),
  });
  if (!response.ok) throw await errorOf(response);
}
