/**
 * The authenticator app of a person (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). The secret is sealed under a key
 * derived for the person. A code is accepted in its time step and in those before and after it, for clocks that differ;
 * the step of the last accepted code is stored, and no code of it or an earlier one is accepted again.
 */
import type { Input, Reply } from '../../../contract/operations.ts';
import { now } from '../../lib/clock.ts';
import { badRequest, conflict, notFound } from '../../lib/failure.ts';
import type { Services } from '../../platform/context.ts';
import type { AuthenticatorsTable } from '../../platform/database/schema.ts';
import type { PublicCtx } from '../auth.ts';
import { signedIn } from '../sessions.ts';
import * as authenticators from '../store/authenticators.ts';
import * as people from '../store/people.ts';
import { addFactor, changeFactors, removeFactor } from './factors.ts';

const STEP_SECONDS = 30;

/** A person has no account, so their id is in the place of it. */
const placeOf = (person_id: string) => ({
  account_id: person_id,
  table: 'authenticators',
  row: person_id,
  field: 'secret',
});

/** Begins to add an authenticator app: its secret, which is a factor only after the first code. */
export async function create(
  ctx: PublicCtx,
  _input: Input<'authenticatorCreate'>,
): Promise<Reply<'authenticatorCreate'>> {
  const { person_id } = signedIn(ctx);
  const { generateSecret, generateURI } = await import('otplib');
  const key = generateSecret();
  await changeFactors(ctx, async (tx, about) => {
    about(person_id, { noun: 'session' });
    const secret = ctx.vault.seal(placeOf(person_id), key);
    if (!(await authenticators.put(tx, { person_id, secret, created_at: now() })))
      throw conflict('An authenticator app is set up already; remove it first.');
  });
  const person = await people.find(ctx.db, person_id);
  const issuer = `Sluice (${new URL(ctx.settings.addresses.console_url).host})`;
  return { authenticator: { key, url: generateURI({ issuer, label: person?.email ?? '', secret: key }) } };
}

/** Adds the authenticator app with its first code. */
export async function confirm(
  ctx: PublicCtx,
  { body }: Input<'authenticatorConfirm'>,
): Promise<Reply<'authenticatorConfirm'>> {
  const { person_id } = signedIn(ctx);
  return addFactor(ctx, async (tx, about) => {
    about(person_id, { noun: 'session' });
    const app = await authenticators.find(tx, person_id);
    if (!app || app.confirmed_at !== null) throw conflict('Begin to add an authenticator app first.');
    const step = await stepOf(ctx, app, body.code);
    if (step === undefined) throw badRequest('code: not the current code; check the clock of the device');
    if (!(await authenticators.confirm(tx, app, { step, at: now() })))
      throw conflict('Begin to add an authenticator app first.');
  });
}

/** Removes the authenticator app. */
export async function remove(
  ctx: PublicCtx,
  _input: Input<'authenticatorDelete'>,
): Promise<Reply<'authenticatorDelete'>> {
  const { person_id } = signedIn(ctx);
  await removeFactor(ctx, async (tx, about) => {
    about(person_id, { noun: 'session' });
    if (!(await authenticators.remove(tx, person_id))) throw notFound('Authenticator app');
  });
  return {};
}

/** Uses the code of a person's app; returns whether it is right and was not used before, on any node. */
export async function redeemAppCode(services: Services, person_id: string, code: string): Promise<boolean> {
  const app = await authenticators.find(services.db, person_id);
  if (!app || app.confirmed_at === null) return false;
  const step = await stepOf(services, app, code);
  return step !== undefined && authenticators.markUsed(services.db, person_id, { step, at: now() });
}

/** The time step of a right code; undefined for any other. */
async function stepOf(
  { vault, settings }: Pick<Services, 'vault' | 'settings'>,
  { person_id, secret }: AuthenticatorsTable,
  code: string,
): Promise<number | undefined> {
  const { verify } = await import('otplib');
  const key = vault.open(placeOf(person_id), secret);
  const result = await verify({
    secret: key,
    token: code,
    period: STEP_SECONDS,
    epochTolerance: settings.codeTolerance ? STEP_SECONDS : 0,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}
