/**
 * Idempotency keys: the second call of the same kind gets the first one's answer.
 *
 * A call claims its key before it does anything (`begin`), and either leaves its answer there (`finish`, sealed, since
 * an answer may carry a secret shown once) or frees the key when it failed (`release`). While it is in progress it says
 * so every 20 s, however long it takes. A service that dies leaves the key claimed and silent: after 60 s the same call
 * may claim it again. Every claim has its own holder, so a call that lost its key can't touch its successor's. Entries
 * live for 24 hours. A second call while the first is in progress waits a while for its answer.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { IDEMPOTENCY_HOURS } from '../../contract/limits.ts';
import { fromNow, now } from '../lib/clock.ts';
import { conflict } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import { errorFields } from '../lib/outage-log.ts';
import type { Services } from '../platform/context.ts';
import * as store from './store/idempotency.ts';

/** `fingerprint` identifies the whole request: a key belongs to one of them. One object from `begin` to the end. */
export type Claim = { account_id: string; operation: string; key: string; fingerprint: string };
export type Answer = { status: number; body: string };
export type Begun = { state: 'fresh' } | ({ state: 'answer' } & Answer);

const STALE_MS = 60_000;
const TOUCH_MS = 20_000;
const LIFE_MS = IDEMPOTENCY_HOURS * 3_600_000;

/** How long a call may wait for the first one with its key. Longer ones get a retry-later response. */
export const PATIENCE_MS = 10_000;
const FIRST_LOOK_MS = 20;
const LONGEST_PAUSE_MS = 500;

/**
 * Claims the key, or answers what the first call answered, for which it waits up to `patienceMs`. 409 when the key is
 * another call's, or the call is still in progress.
 */
export async function begin(services: Services, claim: Claim, patienceMs = 0): Promise<Begun> {
  const giveUpAtMs = performance.now() + patienceMs;
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const begun = await claimOrRead(services, claim);
    if (begun) return begun;
    if (performance.now() >= giveUpAtMs)
      throw conflict('Idempotency-Key: the first request with this key is still in progress; try again shortly');
    await wait(pauseMs);
  }
}

/** Undefined while the first call is in progress. */
async function claimOrRead(services: Services, claim: Claim): Promise<Begun | undefined> {
  const held = { operation: claim.operation, key: claim.key, holder: newId() };
  const entry = { ...held, fingerprint: claim.fingerprint, touched_at: now() };
  const limits = { expired_before: fromNow(-LIFE_MS), stale_before: fromNow(-STALE_MS) };
  if (await store.claim(services.db, claim.account_id, entry, limits)) {
    hold(services, claim, held);
    return { state: 'fresh' };
  }
  const found = await store.find(services.db, claim.account_id, claim);
  if (found && found.fingerprint !== claim.fingerprint)
    throw conflict('Idempotency-Key: this key was used for another request; expected a new one');
  if (!found?.answer) return undefined;
  return { state: 'answer', ...(JSON.parse(services.vault.open(placeOf(claim), found.answer)) as Answer) };
}

/** Keeps the answer of a call that succeeded. */
export async function finish(services: Services, claim: Claim, answer: Answer): Promise<void> {
  const held = letGo(claim);
  if (!held) return;
  const sealed = services.vault.seal(placeOf(claim), JSON.stringify({ status: answer.status, body: answer.body }));
  await store.update(services.db, claim.account_id, held, { answer: sealed });
}

/** Frees the key of a call that failed, so that it can be tried again. */
export async function release(services: Services, claim: Claim): Promise<void> {
  const held = letGo(claim);
  if (held) await store.remove(services.db, claim.account_id, held);
}

/** Clears away old entries: for the sweeper. */
export const sweep = (services: Services): Promise<void> => store.removeBefore(services.db, fromNow(-LIFE_MS));

type InProgress = { held: store.Held; timer: NodeJS.Timeout };
/** The calls in progress in this process, by the claim given to `begin`. */
const inProgress = new WeakMap<Claim, InProgress>();

function hold(services: Services, claim: Claim, held: store.Held): void {
  const touch = () => {
    store.update(services.db, claim.account_id, held, { touched_at: now() }).catch((error: unknown) => {
      services.log.warn({ ...errorFields(error) }, 'idempotency key could not be stored');
    });
  };
  inProgress.set(claim, { held, timer: setInterval(touch, TOUCH_MS).unref() });
}

function letGo(claim: Claim): store.Held | undefined {
  const going = inProgress.get(claim);
  clearInterval(going?.timer);
  inProgress.delete(claim);
  return going?.held;
}

const placeOf = (claim: Claim) => ({
  account_id: claim.account_id,
  table: 'idempotency',
  row: JSON.stringify([claim.operation, claim.key]),
  field: 'answer',
});
