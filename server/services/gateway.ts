import { AppMistake, type Target } from '../apps/compile.ts';
import { MissingValue } from '../apps/template.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import * as store from '../store/connections.ts';
import type { ConnectionsTable } from '../store/schema.ts';
import { findApp } from './apps.ts';
import { ConnectFailure, type Signer } from './auth-methods/auth-method.ts';
import { type MethodOf, methodOf, targetOf } from './auth-methods/method-of.ts';
import { KeyMistake } from './auth-methods/signing-key.ts';
import { flushUses, noteUse } from './connection-uses.ts';
import type { Services } from './context.ts';
import type { Credentials } from './credentials.ts';
import { otherCredentials, usableCredentials } from './renewal.ts';
import { recall, remembered } from './upstream-cache.ts';

/** Where one call through the gateway goes, with the credentials of the connection that was chosen. */
export type Upstream = Target & {
  connection_id: string;
  /** After the app's 401: the same with a fresh token. Throws when there is none to be had. */
  renew?: () => Promise<Upstream>;
  /** Headers that depend on the request itself (OAuth 1), as names and values in turn. */
  sign?: Signer;
};

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
  const upstream = await remembered(services.db, account_id, keyOf(app, named), () =>
    look(services, account_id, app, named),
  );
  noteUse(services, account_id, upstream.connection_id);
  return upstream;
}

/** The same without waiting, where it was chosen lately; undefined where it has to be looked for. */
export function chosenLately(
  services: Services,
  account_id: string,
  app: string,
  named: string | undefined,
): Upstream | undefined {
  const upstream = recall<Upstream>(services.db, account_id, keyOf(app, named));
  if (upstream) noteUse(services, account_id, upstream.connection_id);
  return upstream;
}

/** No name and an empty one are not the same: nothing is called so. */
const keyOf = (app: string, named: string | undefined) => (named === undefined ? app : `${app}\n${named}`);

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
  const method = methodOf(known, row, row.method);
  if (!method) throw badRequest(`The connection ${row.connection_id} has no method of ${app}; make another one.`);
  try {
    return await upstreamOf(services, method, row, await usableCredentials(services, method, row));
  } catch (error) {
    if (!(error instanceof ConnectFailure)) throw error;
    // It is FAILED from now on: the next look finds another one, or says that there is none.
    if (named === undefined) return look(services, account_id, app, named);
    throw badRequest(`Service-Connection: this connection is FAILED. ${error.message}`);
  }
}

/** An app of the account's own may have been changed since the connection was made. */
async function upstreamOf(
  services: Services,
  method: MethodOf,
  row: ConnectionsTable,
  credentials: Credentials,
): Promise<Upstream> {
  const { connection_id } = row;
  const { part, subject } = method;
  const used = credentials.tokens?.access_token;
  try {
    const { target } = await targetOf(method, credentials);
    if (!target) throw new AppMistake(`${row.app} has no address to call`);
    const sign = await part.sign?.(services, subject, credentials);
    const upstream: Upstream = { connection_id, ...target, ...(sign ? { sign } : {}) };
    if (part.renew && used !== undefined && (part.renews?.(subject, credentials) ?? true))
      upstream.renew = async () =>
        upstreamOf(services, method, row, await otherCredentials(services, method, row, used));
    return upstream;
  } catch (error) {
    if (error instanceof AppMistake || error instanceof MissingValue || error instanceof KeyMistake)
      throw badRequest(`The connection ${connection_id} can’t be used: ${error.message}. Connect it again on its url.`);
    throw error;
  }
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
