/**
 * Sign-in through an identity provider (OpenID Connect, authorization code with PKCE).
 *
 * `start` stores a flow and returns the provider's URL. The flow is bound to the browser by a cookie, is known by the
 * hash of its state, ends after ten minutes and is used once, on any node. The provider redirects to a page of the
 * console, which passes the parameters to `finish`. admission.ts finds the member. A member who has to confirm the link
 * does so with `link`; until then the flow has the identity, and no session is open.
 */
import { timingSafeEqual } from 'node:crypto';
import { CONFIRMATION_HOURS, SIGN_IN_MINUTES } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import { fromNow, now, toTimestamp } from '../../lib/clock.ts';
import { badRequest, Failure, notFound } from '../../lib/failure.ts';
import { hashToken, newToken } from '../../lib/tokens.ts';
import type { Services } from '../../platform/context.ts';
import type { SignInFlowsTable } from '../../platform/database/schema.ts';
import { actingAs, type PublicCtx } from '../auth.ts';
import { verifyPassword } from '../passwords.ts';
import { describe, enter, signedIn } from '../sessions.ts';
import { countSignIn } from '../sign-in-throttle.ts';
import * as accounts from '../store/accounts.ts';
import * as audit from '../store/audit.ts';
import * as identities from '../store/identities.ts';
import * as people from '../store/people.ts';
import * as sessions from '../store/sessions.ts';
import * as flows from '../store/sign-in-flows.ts';
import * as users from '../store/users.ts';
import { write } from '../write.ts';
import { type Admission, admit, domainOf, keyOf, link as linkIdentity } from './admission.ts';
import { authorizationUrl, type Claims, exchange, SignInRefused } from './protocol.ts';
import { findProvider, type Provider, providersFor } from './provider.ts';

/** Clocks of the provider and of this machine may differ. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Lists the providers for the sign-in page: those of the installation, and those of accounts for the email address's
 * domain or of one account.
 */
export async function providers(ctx: PublicCtx, { body }: Input<'signInProviders'>): Promise<Reply<'signInProviders'>> {
  const { email, account_id } = body;
  const found = await providersFor(ctx, { domain: email && domainOf(email), account_id });
  return {
    providers: found.map(({ provider_id, name, issuer }) => ({ provider_id, name, host: new URL(issuer).host })),
  };
}

/** Starts a sign-in; returns the provider's page. */
export async function start(ctx: PublicCtx, { body }: Input<'signInStart'>): Promise<Reply<'signInStart'>> {
  const { purpose = 'SIGN_IN', next = '/' } = body;
  const provider = await findProvider(ctx, body.provider_id);
  if (!provider) throw notFound('Identity provider');
  const session = purpose === 'CONFIRM' ? signedIn(ctx) : null;
  if (session && session.provider_id !== provider.provider_id)
    throw badRequest('provider_id: expected the provider of this session');
  const state = newToken();
  const url = await authorizationUrl(ctx, provider, { state, fresh: session !== null }).catch((error: unknown) => {
    throw error instanceof SignInRefused ? toFailure(ctx, provider, error) : error;
  });
  const browser = ctx.signIn.get() ?? newToken();
  await flows.removeExpired(ctx.db, now());
  await flows.insert(ctx.db, {
    state_hash: hashToken(state),
    provider_id: provider.provider_id,
    browser_hash: hashToken(browser),
    purpose,
    next,
    session_id: session?.session_id ?? null,
    pending: null,
    expires_at: fromNow(SIGN_IN_MINUTES * 60_000),
  });
  ctx.signIn.set(browser);
  return { url };
}

/** Finishes a sign-in with the parameters of the provider's callback. */
export async function finish(ctx: PublicCtx, { body }: Input<'signInFinish'>): Promise<Reply<'signInFinish'>> {
  const { state, code, iss, error } = body;
  const flow = await takeFlow(ctx, state);
  const provider = await findProvider(ctx, flow.provider_id);
  if (!provider) throw new Failure(403, 'This identity provider was disabled or deleted meanwhile.');
  try {
    if ((body.account_id ?? null) !== provider.owner)
      throw new SignInRefused(`The response arrived at a redirect URL that does not belong to ${provider.name}.`);
    const claims = await exchange(ctx, provider, state, { state, code, iss, error });
    return flow.purpose === 'CONFIRM'
      ? await confirmSession(ctx, provider, flow, claims)
      : await signIn(ctx, provider, flow, claims);
  } catch (thrown) {
    if (!(thrown instanceof SignInRefused)) throw thrown;
    await noteRefused(ctx, provider, thrown);
    throw toFailure(ctx, provider, thrown);
  }
}

async function takeFlow({ db, signIn }: PublicCtx, state: string): Promise<SignInFlowsTable> {
  const flow = await flows.withState(db, hashToken(state), now());
  if (!flow || flow.pending !== null) throw unknownFlow();
  if (!timingSafeEqual(Buffer.from(hashToken(signIn.get() ?? '')), Buffer.from(flow.browser_hash)))
    throw new Failure(403, 'This sign-in was started in another browser. Finish it there, or start again here.');
  if (!(await flows.take(db, flow.state_hash))) throw unknownFlow();
  return flow;
}

const unknownFlow = () =>
  badRequest('state: this sign-in was finished already, took longer than ten minutes, or was not started here');

async function signIn(
  ctx: PublicCtx,
  provider: Provider,
  flow: SignInFlowsTable,
  claims: Claims,
): Promise<Reply<'signInFinish'>> {
  const admission = await ctx.db.transaction().execute((tx) => admit(ctx, tx, provider, claims));
  const { user, person_id, email, isConfirmed } = admission;
  if (!isConfirmed) {
    await keepPending(ctx, provider, flow, admission, claims);
    const { name: account_name } = await accounts.get(ctx.db, user.account_id);
    const member = { email, account_name, provider: provider.name };
    return { result: 'CONFIRM_MEMBER', session: null, next: flow.next, member };
  }
  ctx.changed(user.account_id, { noun: 'account' });
  const who = await enter(ctx, { person_id }, user, entranceOf(provider, claims));
  const session = await describe(ctx, who, sessionOf(provider));
  return { result: 'SIGNED_IN', session, next: flow.next, member: null };
}

const sessionOf = ({ provider_id, owner }: Provider) => ({ provider_id, only_account: owner !== null });

/** The password counts as confirmed when the user authenticated at the provider, or now if it does not say when. */
const entranceOf = (provider: Provider, { idToken, authenticatedMs }: Pick<Claims, 'idToken' | 'authenticatedMs'>) => ({
  ...sessionOf(provider),
  byPassword: false,
  id_token: idToken || null,
  authenticated_at:
    authenticatedMs === undefined ? null : toTimestamp(new Date(Math.min(authenticatedMs, Date.now())).toISOString()),
});

/** Confirms the session that started the flow: the same user authenticated again. */
async function confirmSession(
  ctx: PublicCtx,
  provider: Provider,
  flow: SignInFlowsTable,
  claims: Claims,
): Promise<Reply<'signInFinish'>> {
  const { session } = ctx;
  if (!session || session.session_id !== flow.session_id)
    throw new SignInRefused('The session that you wanted to confirm has ended. Sign in again.');
  const identity = await identities.find(ctx.db, keyOf(provider, claims));
  if (identity?.person_id !== session.person_id)
    throw new SignInRefused(
      `You signed in at ${provider.name} as another user. Sign in there as ${session.actor.name}.`,
    );
  const startedMs = Date.parse(flow.expires_at) - SIGN_IN_MINUTES * 60_000;
  // Required by the specification after max_age; a provider that does not say has shown its page all the same.
  if (claims.authenticatedMs !== undefined && claims.authenticatedMs < startedMs - CLOCK_TOLERANCE_MS)
    throw new SignInRefused(`${provider.name} did not ask you to sign in again, so the session is not confirmed.`);
  await write(actingAs(ctx, session), async (tx, about) => {
    about(session.actor.id ?? '');
    await sessions.update(tx, session.account_id, session.session_id, { confirmed_at: now() });
  });
  return { result: 'CONFIRMED', session: await describe(ctx, session, session), next: flow.next, member: null };
}

/** What `link` needs. Role claims are small: they have passed the limit of a provider's response. */
type Pending = Pick<Claims, 'subject' | 'all' | 'authenticatedMs'> & {
  issuer: string;
  email: string;
  account_id: string;
  user_id: string;
  person_id: string;
};

async function keepPending(
  ctx: PublicCtx,
  provider: Provider,
  flow: SignInFlowsTable,
  { user, person_id, email }: Admission,
  { subject, all, authenticatedMs }: Claims,
): Promise<void> {
  const { account_id, user_id } = user;
  const pending: Pending = {
    subject,
    issuer: provider.issuer,
    all: provider.role_claim === null ? {} : all,
    authenticatedMs,
    email,
    account_id,
    user_id,
    person_id,
  };
  await flows.insert(ctx.db, {
    ...flow,
    // The state is known to the provider; this entry is found by the browser's cookie only.
    state_hash: hashToken(newToken()),
    pending: JSON.stringify(pending),
    expires_at: fromNow(SIGN_IN_MINUTES * 60_000),
  });
}

/** Links the identity to its member, who enters the password or has a recently confirmed session; signs in. */
export async function link(ctx: PublicCtx, { body }: Input<'signInLink'>): Promise<Reply<'signInLink'>> {
  const flow = await flows.pendingOf(ctx.db, hashToken(ctx.signIn.get() ?? ''), now());
  const provider = flow && (await findProvider(ctx, flow.provider_id));
  const pending = flow?.pending ? (JSON.parse(flow.pending) as Pending) : undefined;
  if (!flow || !pending || provider?.issuer !== pending.issuer)
    throw badRequest('This sign-in was confirmed already or took longer than ten minutes. Start again.');
  await requirePerson(ctx, pending, body.password);
  if (!(await flows.take(ctx.db, flow.state_hash))) throw unknownFlow();
  const user = await ctx.db.transaction().execute(async (tx) => {
    await accounts.lock(tx, pending.account_id);
    const member = await users.find(tx, pending.account_id, pending.user_id);
    const taken =
      (await identities.ofPerson(tx, provider, pending.person_id)) ??
      (await identities.find(tx, keyOf(provider, pending)));
    if (member?.person_id !== pending.person_id || taken)
      throw new Failure(409, 'The member has changed meanwhile. Start the sign-in again.');
    return linkIdentity(ctx, tx, provider, { ...pending, user: member, claims: pending });
  });
  ctx.changed(user.account_id, { noun: 'account' });
  const who = await enter(ctx, pending, user, entranceOf(provider, { ...pending, idToken: '' }));
  return { session: await describe(ctx, who, sessionOf(provider)), next: flow.next };
}

/** Throws unless the caller is this person: by their password, or by an unlimited session, confirmed recently. */
async function requirePerson(ctx: PublicCtx, pending: Pending, password: string | undefined): Promise<void> {
  const person = await people.find(ctx.db, pending.person_id);
  if (password === undefined) {
    const { session } = ctx;
    const isSelf = session?.person_id === pending.person_id && !session.only_account;
    const isRecent = (session?.confirmed_at ?? '') > fromNow(-CONFIRMATION_HOURS * 3_600_000);
    if (isSelf && isRecent) return;
    throw new Failure(401, `password: expected the password of ${pending.email}`, {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
  const succeeded = await countSignIn(ctx, pending.email, { ip: ctx.ip, device: null });
  if (!person || !(await verifyPassword(person.password_hash, password)))
    throw badRequest('password: not the current password');
  await succeeded();
}

/** Records a refused sign-in in the audit log of the provider's account. */
async function noteRefused(ctx: PublicCtx, provider: Provider, refusal: SignInRefused): Promise<void> {
  await ctx.db.transaction().execute((tx) =>
    audit.insert(tx, provider.account_id, {
      ...audit.bySystem(refusal.email ?? provider.name),
      operation: ctx.operation,
      resource_id: provider.provider_id,
      request_id: ctx.request_id,
      ip: ctx.ip,
      outcome: 'FAILED',
    }),
  );
  ctx.changed(provider.account_id, { noun: 'account' });
}

function toFailure(ctx: PublicCtx, { provider_id }: Provider, { message, status, cause }: SignInRefused): Failure {
  const reason = cause instanceof Error ? cause.message : undefined;
  ctx.log.warn({ request_id: ctx.request_id, ip: ctx.ip, provider_id, refused: message, reason }, 'sign-in refused');
  return new Failure(status, message);
}

/** Deletes expired sign-ins, for the sweeper. */
export const sweepSignInFlows = ({ db }: Services): Promise<void> => flows.removeExpired(db, now());
