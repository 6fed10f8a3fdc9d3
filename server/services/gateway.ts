import type { Target } from '../apps/compile.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import * as store from '../store/connections.ts';
import type { ConnectionsTable } from '../store/schema.ts';
import { findApp } from './apps.ts';
import { flushUses, noteUse } from './connection-uses.ts';
import type { Services } from './context.ts';
import { openCredentials, valuesOf } from './credentials.ts';
import { remembered } from './upstream-cache.ts';

/** Where one call through the gateway goes, with the credentials of the connection that was chosen. */
export type Upstream = Target & {
  connection_id: string;
  /** After the app's 401: the same with a fresh token. Throws when there is none to be had. */
  renew?: () => Promise<Upstream>;
  /** Headers that depend on the request itself (OAuth 1), as names and values in turn. */
  sign?: (request: SignedRequest) => string[];
};
/** `url` is absolute, as it is sent; `form` the body where it is a form, since it is part of what is signed. */
export type SignedRequest = { method: string; url: string; form: string | null };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Chooses the connection of a gateway call: the one that `Service-Connection` names (unknown or another account's: 404;
 * of another app or not ACTIVE: 400), else the app's default, else the oldest ACTIVE one (none: 400). Notes its use.
 */
export async function choose(
  services: Services,
  account_id: string,
  app: string,
  named: string | undefined,
): Promise<Upstream> {
  const key = `${app}\n${named ?? ''}`;
  const upstream = await remembered(services.db, account_id, key, () => look(services, account_id, app, named));
  noteUse(services, account_id, upstream.connection_id);
  return upstream;
}

/** Writes what is still to be noted of the use of connections: for shutdown. */
export async function flushConnectionUses(services: Services): Promise<void> {
  await flushUses(services.db);
}

async function look(services: Services, account_id: string, app: string, named: string | undefined): Promise<Upstream> {
  const known = await findApp(services, account_id, app);
  if (!known) throw badRequest(`Unknown app ${JSON.stringify(app.slice(0, 64))}: GET /apps lists the apps there are.`);
  if (known.definition.methods.length === 0) throw badRequest(`${app} only sends events; it has no API to call.`);
  const row =
    named === undefined
      ? await store.findForApp(services.db, account_id, app)
      : await findNamed(services, account_id, app, named);
  if (!row) {
    throw badRequest(
      `There is no ACTIVE connection for ${app}: make one with POST /connections {"app":"${app}"} and complete it on its url.`,
    );
  }
  const target = row.method && known.target(row.method, valuesOf(openCredentials(services, row)));
  if (!target) throw badRequest(`The connection ${row.connection_id} has no method of ${app}; make another one.`);
  return { connection_id: row.connection_id, ...target };
}

async function findNamed({ db }: Services, account_id: string, app: string, named: string): Promise<ConnectionsTable> {
  const connection_id = named.trim().toLowerCase();
  const row = UUID.test(connection_id) ? await store.find(db, account_id, connection_id) : undefined;
  if (!row) throw notFound('Service-Connection: connection');
  if (row.app !== app)
    throw badRequest(`Service-Connection: expected a connection for ${app}; this one is for ${row.app}.`);
  if (row.status !== 'ACTIVE')
    throw badRequest(
      `Service-Connection: expected an ACTIVE connection; this one is ${row.status}. Complete it on its url.`,
    );
  return row;
}
