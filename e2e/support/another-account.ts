/** Another account of the same installation, created in its database, as no operation creates one. */
import { Client } from 'pg';
import type { Body, Reply } from '../../contract/operations.ts';
import { type Operation, pathOf, routes } from '../../contract/routes.ts';
import { addAccountTo } from '../../server/test/another-account.ts';
import { embeddedIn } from '../../server/test/spawned.ts';
import type { RunningService } from './service.ts';

export type OtherAccount = {
  call<O extends Operation>(
    operation: O,
    input?: { params?: Record<string, string>; body?: Body<O> },
  ): Promise<Reply<O>>;
};

/** Connects to the service's database; the caller ends the connection. */
export async function openClient(service: RunningService): Promise<Client> {
  const client = new Client(embeddedIn(service.dataDir));
  await client.connect();
  return client;
}

export async function anotherAccount(service: RunningService, name: string): Promise<OtherAccount> {
  const { key } = await addAccountTo(embeddedIn(service.dataDir), name);
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
