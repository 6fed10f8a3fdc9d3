/**
 * OAuth clients of an account. For an app with an authorization page, an admin of the account first registers a client
 * with the provider, using the redirect URL that is shown here, and then enters the client ID and secret.
 */
import type { Input, Reply } from '../../contract/operations.ts';
import { CLIENT_GRANTS, CLIENT_METHODS, type ClientMethod } from '../../contract/states.ts';
import { write } from '../accounts/write.ts';
import { now } from '../lib/clock.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import type { Ctx, Services } from '../platform/context.ts';
import type { AppCredentialsTable } from '../platform/database/schema.ts';
import type { SealedPlace } from '../platform/vault/vault.ts';
import { findApp } from './apps/apps.ts';
import type { CompiledApp } from './apps/compile.ts';
import { callbackUrl } from './connect/connect-links.ts';
import * as store from './store/app-credentials.ts';

/** What the account entered; a public client has no secret. */
export type OwnClient = {
  client_id: string;
  client_secret: string | null;
  scopes: string[] | null;
  /** The provider expects the client ID and secret without form-encoding (detected). */
  raw_basic: boolean;
};

/** One entry for each method of the app that needs a client, configured or not. Secrets are never returned. */
export async function list(ctx: Ctx, { params }: Input<'appCredentialList'>): Promise<Reply<'appCredentialList'>> {
  const app = await appOf(ctx, params.app);
  const rows = await store.list(ctx.db, ctx.account_id, params.app);
  return {
    credentials: CLIENT_METHODS.filter((method) => needsClient(app, method)).map((method) =>
      describe(
        ctx,
        app,
        method,
        rows.find((row) => row.method === method),
      ),
    ),
  };
}

/** Sets or replaces the client. Connections keep their tokens and use the new client to refresh them. */
export async function put(ctx: Ctx, { params, body }: Input<'appCredentialPut'>): Promise<Reply<'appCredentialPut'>> {
  const { app: id, method } = params;
  const app = await appOf(ctx, id);
  refuseNeedless(app, method);
  const row = await write(ctx, async (tx, about) => {
    about(`${id} ${method}`, { noun: 'account' });
    const before = await store.find(tx, ctx.account_id, id, method);
    const at = now();
    const { client_secret, scopes } = body;
    const seal = (text: string) => ctx.vault.seal(placeOf(ctx.account_id, id, method), text);
    const after: AppCredentialsTable = {
      account_id: ctx.account_id,
      app: id,
      method,
      client_id: body.client_id,
      client_secret:
        client_secret === undefined ? (before?.client_secret ?? null) : client_secret && seal(client_secret),
      scopes: scopes === undefined ? (before?.scopes ?? null) : scopes && JSON.stringify(scopes),
      created_at: before?.created_at ?? at,
      updated_at: at,
      raw_basic: false,
    };
    await store.put(tx, ctx.account_id, after);
    return after;
  });
  return { credential: describe(ctx, app, method, row) };
}

/** Deletes the client. Existing connections work until their tokens need a refresh. */
export async function remove(
  ctx: Ctx,
  { params }: Input<'appCredentialDelete'>,
): Promise<Reply<'appCredentialDelete'>> {
  refuseNeedless(await appOf(ctx, params.app), params.method);
  await write(ctx, async (tx, about) => {
    about(`${params.app} ${params.method}`, { noun: 'account' });
    if (!(await store.remove(tx, ctx.account_id, params.app, params.method))) throw notFound('App credential');
  });
  return {};
}

/** The account's client for this app, decrypted: for requests to the provider only, never for a response or a log. */
export async function findClient(
  services: Pick<Services, 'db' | 'vault'>,
  account_id: string,
  app: string,
  method: ClientMethod,
): Promise<OwnClient | undefined> {
  const row = await store.find(services.db, account_id, app, method);
  if (!row) return undefined;
  return {
    client_id: row.client_id,
    client_secret: row.client_secret && services.vault.open(placeOf(account_id, app, method), row.client_secret),
    scopes: row.scopes === null ? null : (JSON.parse(row.scopes) as string[]),
    raw_basic: row.raw_basic,
  };
}

/** Stores the encoding that the provider accepts for this client, unless the client was replaced meanwhile. */
export async function rememberBasic(
  services: Pick<Services, 'db'>,
  account_id: string,
  app: string,
  { client_id, raw_basic }: Pick<OwnClient, 'client_id' | 'raw_basic'>,
): Promise<void> {
  await store.setBasic(services.db, account_id, app, client_id, raw_basic);
}

const placeOf = (account_id: string, app: string, method: ClientMethod): SealedPlace => ({
  account_id,
  table: 'app_credentials',
  row: `${app} ${method}`,
  field: 'client_secret',
});

async function appOf(ctx: Ctx, id: string): Promise<CompiledApp> {
  const app = await findApp(ctx, ctx.account_id, id);
  if (!app) throw notFound('App');
  return app;
}

function needsClient(app: CompiledApp, method: ClientMethod): boolean {
  return method === 'OAUTH1'
    ? app.method('OAUTH1') !== undefined
    : CLIENT_GRANTS.includes(app.method('OAUTH2')?.grant ?? '');
}

function refuseNeedless(app: CompiledApp, method: ClientMethod): void {
  if (needsClient(app, method)) return;
  throw badRequest(`method: expected a method of ${app.definition.app} that needs a client, got ${method}`);
}

function describe(
  ctx: Ctx,
  app: CompiledApp,
  method: ClientMethod,
  row: AppCredentialsTable | undefined,
): Reply<'appCredentialList'>['credentials'][number] {
  return {
    method,
    redirect_url: callbackUrl(ctx),
    client_id: row?.client_id ?? null,
    has_secret: typeof row?.client_secret === 'string',
    scopes: row?.scopes ? (JSON.parse(row.scopes) as string[]) : null,
    default_scopes: method === 'OAUTH2' ? (app.method('OAUTH2')?.scopes ?? []) : [],
    updated_at: row?.updated_at ?? null,
  };
}
