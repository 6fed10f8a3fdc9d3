/** Another account of the same installation, created in its database, as no operation creates one. */
import { Client } from 'pg';
import type { Body, Reply } from '../../contract/operations.ts';
import { type Operation, pathOf, routes } from '../../contract/routes.ts';
import { now } from '../../server/lib/clock.ts';
import { newId } from '../../server/lib/ids.ts';
import { hashToken, newApiKey, prefixOf } from '../../server/lib/tokens.ts';
import { DATABASE_USER } from '../../server/platform/database/embedded/cluster.ts';
import { findPlace } from '../../server/platform/database/embedded/place.ts';
import type { RunningService } from './service.ts';

export type OtherAccount = {
  call<O extends Operation>(
    operation: O,
    input?: { params?: Record<string, string>; body?: Body<O> },
  ): Promise<Reply<O>>;
};

/** Connects to the service's database; the caller ends the connection. */
export async function openClient(service: RunningService): Promise<Client> {
  const client = new Client({ host: findPlace(service.dataDir).socketDir, user: DATABASE_USER, database: 'postgres' });
  await client.connect();
  return client;
}

export async function anotherAccount(service: RunningService, name: string): Promise<OtherAccount> {
  const client = await openClient(service);
  const account_id = newId();
  const key = newApiKey();
  await client.query('insert into accounts (account_id, name, created_at) values ($1, $2, $3)', [
    account_id,
    name,
    now(),
  ]);
  await client.query(
    `insert into api_keys (account_id, key_id, name, prefix, hash, created_by, created_at)
     values ($1, $2, 'e2e', $3, $4, 'e2e', $5)`,
    [account_id, newId(), prefixOf(key), hashToken(key), now()],
  );
  await client.end();
  return {
    async call(operation, input = {}) {
      const response = await fetch(`${service.url}/api${pathOf(operation, input.params)}`, {
        method: routes[operation].method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
      });
      if (!response.ok) throw new Error(`${operation}: ${response.status} ${await response.text()}`);
      return (await response.json()) as never;
    },
  };
}
