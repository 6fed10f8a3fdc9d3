/**
 * Idempotency keys: a repeated call gets the response of the first one.
 *
 * A call claims its key before it does anything (`begin`). It then stores its response (`finish`, sealed, because a
 * response may contain a secret that is shown once) or releases the key after a failure (`release`). A call in progress
 * renews its claim every 20 s. If the service crashes, the same call can claim the key again after 60 s without
 * renewal. Every claim has its own holder, so a call that lost its key can't change the entry of its successor. Entries
 * expire after 24 hours. A repeated call waits up to 10 s for a first call in progress.
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
const RENEW_MS = 20_000;
const TTL_MS = IDEMPOTENCY_HOURS * 3_600_000;

/** How long a repeated call waits for the first one. After that it gets a 409. */
export const WAIT_MAX_MS = 10_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/**
 * Claims the key, or returns the response of the first call after waiting up to `maxWaitMs`. 409 if the key belongs to
 * another request, or the first call is still in progress.
 */
export async function begin(services: Services, claim: Claim, maxWaitMs = 0): Promise<Begun> {
  const deadlineMs = performance.now() + maxWaitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const begun = await claimOrRead(services, claim);
    if (begun) return begun;
    if (performance.now() >= deadlineMs)
      throw conflict('Idempotency-Key: the first request with this key is still in progress; try again shortly');
    await wait(pauseMs);
  }
}

/** Undefined while the first call is in progress. */
async function claimOrRead(services: Services, claim: Claim): Promise<Begun | undefined> {
  const held = { operation: claim.operation, key: claim.key, holder: newId() };
  const entry = { ...held, fingerprint: claim.fingerprint, touched_at: now() };
  const limits = { expired_before: fromNow(-TTL_MS), stale_before: fromNow(-STALE_MS) };
  if (await store.claim(services.db, claim.account_id, entry, limits)) {
    startRenewal(services, claim, held);
    return { state: 'fresh' };
  }
  const found = await store.find(services.db, claim.account_id, claim);
  if (found && found.fingerprint !== claim.fingerprint)
    throw conflict('Idempotency-Key: this key was used for another request; use a new key');
  if (!found?.answer) return undefined;
  return { state: 'answer', ...(JSON.parse(services.vault.open(placeOf(claim), found.answer)) as Answer) };
}

/** Stores the response of a successful call. */
export async function finish(services: Services, claim: Claim, answer: Answer): Promise<void> {
  const held = stopRenewal(claim);
  if (!held) return;
  const sealed = services.vault.seal(placeOf(claim), JSON.stringify({ status: answer.status, body: answer.body }));
  await store.update(services.db, claim.account_id, held, { answer: sealed });
}

/** Releases the key of a failed call, so that it can be retried. */
export async function release(services: Services, claim: Claim): Promise<void> {
  const held = stopRenewal(claim);
  if (held) await store.remove(services.db, claim.account_id, held);
}

/** Deletes expired entries, for the sweeper. */
export const sweep = (services: Services): Promise<void> => store.removeBefore(services.db, fromNow(-TTL_MS));

type InProgress = { held: store.Held; timer: NodeJS.Timeout };
/** Calls in progress in this process, by the claim passed to `begin`. */
const inProgress = new WeakMap<Claim, InProgress>();

function startRenewal(services: Services, claim: Claim, held: store.Held): void {
  const renew = () => {
    store.update(services.db, claim.account_id, held, { touched_at: now() }).catch((error: unknown) => {
      services.log.warn({ ...errorFields(error) }, 'idempotency key claim could not be renewed');
    });
  };
  inProgress.set(claim, { held, timer: setInterval(renew, RENEW_MS).unref() });
}

function stopRenewal(claim: Claim): store.Held | undefined {
  const call = inProgress.get(claim);
  clearInterval(call?.timer);
  inProgress.delete(claim);
  return call?.held;
}

const placeOf = (claim: Claim) => ({
  account_id: claim.account_id,
  table: 'idempotency',
  row: JSON.stringify([claim.operation, claim.key]),
  field: 'answer',
});
