/**
 * Webhook registrations: if an app's API supports it (apps/hook-api.ts), creating a trigger registers a webhook through
 * the trigger's connection, and deleting the trigger removes it.
 *
 * The database and an app's API can't change atomically, so the database changes first. The transaction that creates
 * the trigger also inserts a PENDING row, leased for one minute. After the commit the request is sent, and a second
 * transaction stores the result: REGISTERED with the webhook's ID, or the failure. The trigger exists in either case. A
 * temporary failure is retried with backoff (PENDING). A rejection is not (FAILED), until a user requests it.
 *
 * Deleting the trigger, or changing its connection, place or secret, marks the row REMOVING in the same transaction.
 * The row outlives the trigger until the app has removed the webhook. If that fails permanently, the row is deleted and
 * the audit log names the webhook to remove manually. Deletions never wait for this.
 *
 * A crash between request and result leaves a row whose lease expires. The registrar (registrar.ts) then claims it.
 * Since the webhook may exist at the app, one with our URL is looked up and removed first. The row contains only a hash
 * of the URL. If a result arrives after the row was claimed again, the registration is undone at the app.
 */

import * as auditStore from '../../accounts/store/audit.ts';
import { findApp } from '../../connections/apps/apps.ts';
import { type HookApi, hookApiFor, type Wanted } from '../../connections/apps/hook-api.ts';
import { fromNow, now } from '../../lib/clock.ts';
import { isDoneWithin } from '../../lib/time-limit.ts';
import { newToken } from '../../lib/tokens.ts';
import type { Services } from '../../platform/context.ts';
import { onlySecret, openSecret, openToken, sealSecret } from '../ingress/source-secrets.ts';
import * as store from '../store/source-hooks.ts';
import * as triggerStore from '../store/triggers.ts';
import { type Added, addHook, HookTrouble, newTask, placeOf, removeHook } from './provider.ts';

type Hook = store.SourceHook;
/** The result of a removal. */
export type HookEnd = { state: 'REMOVED' | 'REMOVING' | 'LEFT'; message: string | null };

export const LEASE_MS = 60_000;
const AT_ONCE = 8;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;
/** About a day. */
const TRIES_MAX = 9;
/** Delay while another webhook of the trigger is being registered, since the two can't be distinguished yet. */
const POSTPONE_MS = 5_000;

/** Processes the rows that are due in all accounts; returns the milliseconds until the next. */
export async function settleDue(services: Services): Promise<number | undefined> {
  const due = await store.claim(services.db, fromNow(LEASE_MS), AT_ONCE);
  await Promise.all(
    due.map((hook) =>
      settle(services, hook).catch((error: unknown) =>
        services.log.error({ err: error, hook_id: hook.hook_id }, 'webhook registration failed, will retry'),
      ),
    ),
  );
  if (due.length === AT_ONCE) return 0;
  return (await store.untilNext(services.db)) ?? undefined;
}

/** Processes one row that the caller has leased. Null after a registration attempt, successful or not. */
export async function settle(services: Services, hook: Hook): Promise<HookEnd | null> {
  if (hook.state === 'REMOVING') return removeAtApp(services, hook);
  const orphan = await registerAtApp(services, hook);
  return orphan === null ? null : removeAtApp(services, orphan);
}

/** Registers the webhook. Returns the row if the trigger was deleted meanwhile: the webhook must be removed again. */
async function registerAtApp(services: Services, hook: Hook): Promise<Hook | null> {
  const { account_id, trigger_id } = hook;
  const trigger = await triggerStore.find(services.db, account_id, trigger_id);
  const api = await apiOf(services, hook);
  let added: Added | undefined;
  let trouble: HookTrouble | undefined;
  if (trigger?.ingress_token && api) {
    const token = openToken(services.vault, trigger, trigger.ingress_token);
    const url = `${services.settings.addresses.hooks_url}/${token}`;
    const stored = openSecret(services.vault, trigger)?.current ?? null;
    // If the source normally generates the secret, ours is stored only after the app accepted it.
    const secret = stored ?? (api.secret === 'sent' ? newToken() : null);
    try {
      added = await addHook(newTask(services, hook, api, [token]), { url, secret }, hook.tries > 0);
      if (stored === null) added = { ...added, secret: added.secret ?? secret };
    } catch (error) {
      if (!(error instanceof HookTrouble)) throw error;
      trouble = error;
    }
  } else
    trouble = new HookTrouble(
      trigger?.ingress_token === null
        ? 'The URL of this trigger is unknown since the master key was lost: create the trigger again.'
        : 'The app no longer supports webhook registration.',
    );
  const noted = await noteResult(services, hook, added, trouble);
  if (noted === 'lost' && added && api) await undo(services, { ...hook, remote_id: added.id }, api);
  if (noted !== 'lost' && noted.state === 'REMOVING') return noted;
  services.changed(account_id, { noun: 'trigger', trigger_id, ingress_hash: trigger?.ingress_hash ?? null });
  return null;
}

async function noteResult(
  services: Services,
  { account_id, hook_id, trigger_id, next_at, tries }: Hook,
  added: Added | undefined,
  trouble: HookTrouble | undefined,
): Promise<Hook | 'lost'> {
  return services.db.transaction().execute(async (tx) => {
    const current = await store.lock(tx, account_id, hook_id);
    if (!current || current.next_at !== next_at) return 'lost';
    const again = trouble?.again === true && tries + 1 < TRIES_MAX;
    const removing = current.state === 'REMOVING';
    const changes = {
      remote_id: added?.id ?? current.remote_id,
      message: trouble?.message ?? null,
      updated_at: now(),
      ...(removing
        ? {}
        : {
            state: added ? ('REGISTERED' as const) : again ? ('PENDING' as const) : ('FAILED' as const),
            leased: false,
            tries: tries + 1,
            next_at: again ? fromNow(pauseMs(tries + 1)) : null,
          }),
    };
    await store.update(tx, account_id, hook_id, changes);
    if (added?.secret && !removing) {
      const owner = { account_id, trigger_id };
      const source_secret = sealSecret(services.vault, owner, onlySecret(added.secret));
      await triggerStore.update(tx, account_id, trigger_id, { source_secret });
    }
    return { ...current, ...changes };
  });
}

async function removeAtApp(services: Services, hook: Hook): Promise<HookEnd> {
  const { account_id, hook_id, trigger_id } = hook;
  const others = (await store.listOf(services.db, account_id, [trigger_id])).filter((each) => each.hook_id !== hook_id);
  if (hook.remote_id === null && others.some(({ state }) => state === 'PENDING')) {
    await release(services, hook, { next_at: fromNow(POSTPONE_MS) });
    return { state: 'REMOVING', message: null };
  }
  const keep = others.flatMap(({ remote_id }) => remote_id ?? []);
  const api = await apiOf(services, hook);
  try {
    if (!api) throw new HookTrouble('The registration can no longer be removed at the app.');
    await removeHook(newTask(services, hook, api), keep);
  } catch (error) {
    if (!(error instanceof HookTrouble)) throw error;
    const tries = hook.tries + 1;
    const message = `${error.message} ${nameOf(hook, api)}`;
    if (error.again && tries < TRIES_MAX) {
      await release(services, hook, { tries, message, next_at: fromNow(pauseMs(tries)) });
      return { state: 'REMOVING', message };
    }
    services.log.warn({ trigger_id, hook_id, reason: message }, 'webhook left at its app');
    await abandon(services, hook, nameOf(hook, api));
    return { state: 'LEFT', message };
  }
  await services.db.transaction().execute((tx) => store.remove(tx, account_id, hook_id));
  return { state: 'REMOVED', message: null };
}

/** Describes the webhook for a user who has to remove it manually. */
function nameOf({ app, remote_id, wanted }: Hook, api: HookApi | undefined): string {
  const place = api ? ` in ${placeOf(api, JSON.parse(wanted) as Wanted)}` : '';
  return `${app} hook ${remote_id ?? 'with the trigger’s URL'}${place}`.slice(0, 200);
}

async function release(services: Services, { account_id, hook_id, next_at }: Hook, changes: Partial<Hook>) {
  await services.db.transaction().execute(async (tx) => {
    const current = await store.lock(tx, account_id, hook_id);
    if (current?.next_at !== next_at) return;
    await store.update(tx, account_id, hook_id, { ...changes, leased: false, updated_at: now() });
  });
}

async function abandon({ db }: Services, { account_id, hook_id }: Hook, resource_id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await store.remove(tx, account_id, hook_id);
    await auditStore.insert(tx, account_id, {
      ...auditStore.bySystem('Registrar'),
      operation: 'hookLeft',
      resource_id,
    });
  });
}

/** Removes a webhook whose row was claimed by another node meanwhile; that node does not know this webhook. */
async function undo(services: Services, hook: Hook, api: HookApi): Promise<void> {
  await removeHook(newTask(services, hook, api), []).catch((error: unknown) =>
    services.log.warn({ err: error, hook_id: hook.hook_id }, 'late webhook registration could not be removed'),
  );
}

/** How a webhook is registered at the app. */
async function apiOf(services: Services, { account_id, app, wanted }: Hook): Promise<HookApi | undefined> {
  const definition = (await findApp(services, account_id, app))?.definition;
  return definition && hookApiFor(definition.hooks, JSON.parse(wanted) as Wanted);
}

const pauseMs = (tries: number) => Math.min(FIRST_PAUSE_MS * 4 ** (tries - 1), LONGEST_PAUSE_MS);

/** How long an API request waits for the app; then it responds without the result. */
const WAIT_MS = 4_000;

/** Processes rows one after the other; undefined if that takes longer than `WAIT_MS`. */
export async function settleNow(services: Services, hooks: readonly Hook[]): Promise<HookEnd[] | undefined> {
  const tasks = services.memory.registrations;
  const task = settleInOrder(services, hooks).finally(() => tasks.delete(task));
  tasks.add(task);
  return (await isDoneWithin(task, WAIT_MS)) ? task : undefined;
}

async function settleInOrder(services: Services, hooks: readonly Hook[]): Promise<HookEnd[]> {
  const ends: HookEnd[] = [];
  for (const hook of hooks) {
    try {
      const end = await settle(services, hook);
      if (end) ends.push(end);
    } catch (error) {
      // Its row is stored: the registrar retries it.
      services.log.error({ err: error, hook_id: hook.hook_id }, 'webhook registration failed, will retry');
    }
  }
  return ends;
}

/** At the start of a single node: releases the leases of an earlier process. */
export async function releaseLeases({ db }: Services): Promise<void> {
  await store.freeAll(db);
}

/** Waits for registrations in progress, for shutdown. */
export async function drainRegistrations({ memory }: Services): Promise<void> {
  await Promise.all(memory.registrations);
}
