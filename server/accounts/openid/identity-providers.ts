/** The identity providers of an account, which its owners configure. */
import { IDENTITY_PROVIDER } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import { now } from '../../lib/clock.ts';
import { badRequest, conflict, notFound } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import type { Ctx } from '../../platform/context.ts';
import type { IdentityProvidersTable, Tx } from '../../platform/database/schema.ts';
import { requireConfirmation } from '../auth.ts';
import * as accounts from '../store/accounts.ts';
import * as identities from '../store/identities.ts';
import * as store from '../store/identity-providers.ts';
import * as users from '../store/users.ts';
import { write } from '../write.ts';
import { probe, SignInRefused } from './protocol.ts';
import { callbackUrl, secretPlace, signedOutUrl } from './provider.ts';

/** Lists the identity providers of the account, and the URLs to register at them. */
export async function list(ctx: Ctx, _input: Input<'identityProviderList'>): Promise<Reply<'identityProviderList'>> {
  const [rows, counts] = await Promise.all([
    store.list(ctx.db, ctx.account_id),
    identities.counts(ctx.db, ctx.account_id),
  ]);
  return {
    identity_providers: rows.map((row) => describe(row, counts)),
    installation_providers: ctx.settings.identityProviders.map(({ name, issuer }) => ({ name, issuer })),
    redirect_url: callbackUrl(ctx, ctx.account_id),
    sign_out_url: signedOutUrl(ctx),
    sign_in_url: `${ctx.settings.addresses.console_url}/sign-in?account=${ctx.account_id}`,
  };
}

/** Adds a provider. Its metadata and keys are read first. */
export async function create(
  ctx: Ctx,
  { body }: Input<'identityProviderCreate'>,
): Promise<Reply<'identityProviderCreate'>> {
  requireConfirmation(ctx);
  await probe(ctx, body).catch((error: unknown) => {
    throw error instanceof SignInRefused ? badRequest(`issuer: ${error.message}`) : error;
  });
  const at = now();
  const provider_id = newId();
  const { client_secret = null } = body;
  const row: IdentityProvidersTable = {
    account_id: ctx.account_id,
    provider_id,
    name: body.name,
    issuer: body.issuer,
    client_id: body.client_id,
    client_secret:
      client_secret && ctx.vault.seal(secretPlace({ account_id: ctx.account_id, provider_id }), client_secret),
    scopes: JSON.stringify(body.scopes ?? []),
    allowed_domains: JSON.stringify([...new Set(body.allowed_domains)]),
    role_claim: body.role_claim ?? null,
    role_mapping: JSON.stringify(body.role_mapping ?? []),
    default_role: body.default_role ?? 'VIEWER',
    creates_members: body.creates_members ?? false,
    enabled: true,
    created_at: at,
    updated_at: at,
  };
  await write(ctx, async (tx, about) => {
    about(provider_id, { noun: 'account' });
    await accounts.lock(tx, ctx.account_id);
    if ((await store.list(tx, ctx.account_id)).length >= IDENTITY_PROVIDER.providers)
      throw badRequest(`An account has at most ${IDENTITY_PROVIDER.providers} identity providers.`);
    await store.insert(tx, row);
  });
  return { identity_provider: describe(row) };
}

/** Changes a provider. Disabling it ends the sessions that it opened. */
export async function update(
  ctx: Ctx,
  { params, body }: Input<'identityProviderUpdate'>,
): Promise<Reply<'identityProviderUpdate'>> {
  const { provider_id } = params;
  await get(ctx, ctx.db, provider_id);
  requireConfirmation(ctx);
  const row = await write(ctx, async (tx, about) => {
    about(provider_id, { noun: 'account' });
    await accounts.lock(tx, ctx.account_id);
    const before = await get(ctx, tx, provider_id);
    const { client_secret, scopes, allowed_domains, role_mapping, ...plain } = body;
    const change: store.Change = {
      ...given(plain),
      ...(client_secret === undefined
        ? {}
        : { client_secret: client_secret && ctx.vault.seal(secretPlace(before), client_secret) }),
      ...(scopes === undefined ? {} : { scopes: JSON.stringify(scopes) }),
      ...(allowed_domains === undefined ? {} : { allowed_domains: JSON.stringify([...new Set(allowed_domains)]) }),
      ...(role_mapping === undefined ? {} : { role_mapping: JSON.stringify(role_mapping) }),
      updated_at: now(),
    };
    await store.update(tx, ctx.account_id, provider_id, change);
    if (body.enabled === false) {
      await keepAWayIn(ctx, tx);
      await store.endSessions(tx, ctx.account_id, provider_id);
    }
    return get(ctx, tx, provider_id);
  });
  return { identity_provider: describe(row, await identities.counts(ctx.db, ctx.account_id)) };
}

/** Deletes a provider. Its sessions end, and members whom it created need another one to sign in. */
export async function remove(
  ctx: Ctx,
  { params }: Input<'identityProviderDelete'>,
): Promise<Reply<'identityProviderDelete'>> {
  const { provider_id } = params;
  await get(ctx, ctx.db, provider_id);
  requireConfirmation(ctx);
  await write(ctx, async (tx, about) => {
    about(provider_id, { noun: 'account' });
    await accounts.lock(tx, ctx.account_id);
    await get(ctx, tx, provider_id);
    await store.remove(tx, ctx.account_id, provider_id);
    await keepAWayIn(ctx, tx);
  });
  return {};
}

/** Reads the provider's metadata and keys. A failure is a result, not an error. */
export async function test(
  ctx: Ctx,
  { params }: Input<'identityProviderTest'>,
): Promise<Reply<'identityProviderTest'>> {
  const provider = await get(ctx, ctx.db, params.provider_id);
  const result = await probe(ctx, provider).then(
    (page) => ({
      succeeded: true,
      message: `Metadata and keys were read. Users sign in at ${new URL(page).host}. The client is checked by a sign-in.`,
    }),
    (error: unknown) => {
      if (error instanceof SignInRefused) return { succeeded: false, message: error.message };
      throw error;
    },
  );
  await write(ctx, async (_, about) => about(params.provider_id));
  return { test: result };
}

/** Throws a 409 if no owner could sign in any more. */
export async function keepAWayIn(ctx: Ctx, tx: Tx): Promise<void> {
  if ((await users.lockOwners(tx, ctx.account_id)).length > 0) return;
  throw conflict(
    'No owner could sign in any more. Allow passwords, or have an owner sign in through another provider first.',
  );
}

/** Without the fields that the request omits. */
const given = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

async function get(ctx: Ctx, db: Ctx['db'] | Tx, provider_id: string): Promise<IdentityProvidersTable> {
  const row = await store.find(db, ctx.account_id, provider_id);
  if (!row) throw notFound('Identity provider');
  return row;
}

function describe(
  row: IdentityProvidersTable,
  counts: Map<string, number> = new Map(),
): Reply<'identityProviderList'>['identity_providers'][number] {
  const { account_id: _, client_secret, scopes, allowed_domains, role_mapping, ...plain } = row;
  return {
    ...plain,
    has_secret: client_secret !== null,
    scopes: JSON.parse(scopes),
    allowed_domains: JSON.parse(allowed_domains),
    role_mapping: JSON.parse(role_mapping),
    members: counts.get(row.provider_id) ?? 0,
  };
}
