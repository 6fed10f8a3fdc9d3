/** Updates a trigger's webhook registration when the trigger changes, in the transaction of that change. */
import type { Reply } from '../../../contract/operations.ts';
import type { AppDefinition } from '../../connections/apps/definition.ts';
import { nativeName } from '../../connections/apps/event-names.ts';
import { type HookApi, hookApiFor, type Wanted } from '../../connections/apps/hook-api.ts';
import { apart } from '../../connections/apps/source.ts';
import { fromNow, now } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { TriggersTable, Tx } from '../../platform/database/schema.ts';
import * as store from '../store/source-hooks.ts';
import { placeOf } from './provider.ts';
import { LEASE_MS } from './registration.ts';

type Hook = store.SourceHook;
type Ingress = NonNullable<Reply<'triggerGet'>['trigger']['ingress']>;

/** After creating a trigger: the row to process after the commit, if its webhook can be registered. */
export async function attach(tx: Tx, definition: AppDefinition, trigger: TriggersTable): Promise<Hook[]> {
  const api = apiFor(definition, trigger);
  if (!api || trigger.ingress_hash === null) return [];
  const { account_id, trigger_id } = trigger;
  const at = now();
  const hook: Hook = {
    account_id,
    hook_id: newId(),
    trigger_id,
    app: definition.app,
    connection_id: trigger.connection_id,
    ingress_hash: trigger.ingress_hash,
    wanted: JSON.stringify(wantedOf(definition, api, trigger)),
    state: 'PENDING',
    remote_id: null,
    message: null,
    tries: 0,
    leased: true,
    next_at: fromNow(LEASE_MS),
    created_at: at,
    updated_at: at,
  };
  await store.insert(tx, account_id, hook);
  return [hook];
}

/** When deleting a trigger: the rows to process after the commit, except those that another caller has leased. */
export async function detach(tx: Tx, account_id: string, trigger_id: string): Promise<{ free: Hook[]; busy: number }> {
  const hooks = (await store.listOf(tx, account_id, [trigger_id])).filter(({ state }) => state !== 'REMOVING');
  const free: Hook[] = [];
  let taken = 0;
  for (const { hook_id } of hooks) {
    const hook = await store.lock(tx, account_id, hook_id);
    if (!hook) continue;
    // Rejected permanently, without an earlier registration: the app has no webhook to remove.
    if (hook.state === 'FAILED' && hook.remote_id === null && hook.tries === 1) {
      await store.remove(tx, account_id, hook_id);
      continue;
    }
    const busy = isBusy(hook);
    const changes = {
      state: 'REMOVING' as const,
      tries: 0,
      updated_at: now(),
      ...(busy ? {} : { leased: true, next_at: fromNow(LEASE_MS) }),
    };
    await store.update(tx, account_id, hook_id, changes);
    if (busy) taken++;
    else free.push({ ...hook, ...changes });
  }
  return { free, busy: taken };
}

/** After changing a trigger: replaces the registration if it differs. `trigger` is the new state. */
export async function follow(
  tx: Tx,
  definition: AppDefinition,
  trigger: TriggersTable,
  newSecret: boolean,
): Promise<Hook[]> {
  const { account_id, trigger_id } = trigger;
  const api = apiFor(definition, trigger);
  const current = currentOf(await store.listOf(tx, account_id, [trigger_id]));
  const same =
    api !== undefined &&
    current?.wanted === JSON.stringify(wantedOf(definition, api, trigger)) &&
    current.connection_id === trigger.connection_id &&
    !(newSecret && api.secret === 'sent');
  if (same || (!api && !current)) return [];
  const { free } = await detach(tx, account_id, trigger_id);
  return [...free, ...(await attach(tx, definition, trigger))];
}

/** On a user's request: the row to process after the commit; none while a registration is in progress. */
export async function renew(tx: Tx, definition: AppDefinition, trigger: TriggersTable): Promise<Hook[]> {
  const { account_id, trigger_id } = trigger;
  const found = currentOf(await store.listOf(tx, account_id, [trigger_id]));
  const current = found && (await store.lock(tx, account_id, found.hook_id));
  if (!current) return attach(tx, definition, trigger);
  if (isBusy(current)) return [];
  // With `tries` above 0, an existing webhook is looked up first.
  const changes = { state: 'PENDING' as const, tries: 1, message: null, leased: true, next_at: fromNow(LEASE_MS) };
  await store.update(tx, account_id, current.hook_id, { ...changes, updated_at: now() });
  return [{ ...current, ...changes }];
}

/** The webhook registration of a trigger as the API returns it. */
export function describeHook(
  definition: AppDefinition,
  trigger: TriggersTable,
  hooks: readonly Hook[],
): Pick<Ingress, 'hook' | 'message' | 'registration'> {
  const hook = currentOf(hooks.filter(({ trigger_id }) => trigger_id === trigger.trigger_id));
  if (!hook || hook.state === 'REMOVING')
    return { hook: 'MANUAL', message: missingIn(definition, trigger), registration: null };
  const wanted = JSON.parse(hook.wanted) as Wanted;
  const api = hookApiFor(definition.hooks, wanted);
  return {
    hook: hook.state,
    message: hook.message,
    registration: {
      connection_id: hook.connection_id,
      place: api ? placeOf(api, wanted) : '',
      remote_id: hook.remote_id,
      updated_at: hook.updated_at,
      next_try_at: hook.leased ? null : hook.next_at,
    },
  };
}

/** What is missing for a registration through the selected connection; null if nothing is. */
export function missingIn(definition: AppDefinition, trigger: TriggersTable): string | null {
  const { name, hooks } = definition;
  if (hooks.length === 0 || trigger.connection_id === null) return null;
  const wanted = wholeOf(definition, trigger);
  if (hookApiFor(hooks, wanted)) return null;
  if (hooks.every(({ events }) => events.without?.includes(wanted.event_type)))
    return `${name} can’t register a webhook for ${trigger.event_type}: its API takes single event types only.`;
  const fewest = hooks.map(({ needs }) => needs).sort((a, b) => a.length - b.length)[0] ?? [];
  const needed = fewest.map((each) => `parameters.${each}`).join(' and ');
  return `The webhook can be registered at ${name} automatically once ${needed} ${fewest.length === 1 ? 'is' : 'are'} set.`;
}

const apiFor = (definition: AppDefinition, trigger: TriggersTable): HookApi | undefined =>
  trigger.connection_id === null ? undefined : hookApiFor(definition.hooks, wholeOf(definition, trigger));

const wholeOf = (definition: AppDefinition, { event_type, parameters }: TriggersTable): Wanted => ({
  event_type: nativeName(definition, event_type),
  parameters: apart(definition.source, JSON.parse(parameters)) as Wanted['parameters'],
});

/** The registered parameters only: changes of other parameters don't affect the registration. */
function wantedOf(definition: AppDefinition, api: HookApi, trigger: TriggersTable): Wanted {
  const templates = JSON.stringify([api.before, api.add, api.list, api.remove]);
  const { event_type, parameters: whole } = wholeOf(definition, trigger);
  const parameters = Object.entries(whole).filter(
    ([name]) => templates.includes(`{${name}}`) || templates.includes(`{+${name}}`),
  );
  return { event_type, parameters: Object.fromEntries(parameters) };
}

const currentOf = (hooks: readonly Hook[]): Hook | undefined => hooks.find(({ state }) => state !== 'REMOVING');

const isBusy = ({ leased, next_at }: Hook): boolean => leased && next_at !== null && next_at > now();
