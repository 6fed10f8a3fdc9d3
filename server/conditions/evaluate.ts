/**
 * Evaluates the conditions of triggers of the source `sluice`. A node locks one due trigger, reads the conditions that
 * the trigger reports, compares them with the table `conditions`, and stores the changed rows together with the events
 * in one transaction. So each condition is one event for each trigger, on any node and after any crash: either both are
 * stored, or the next evaluation finds the same difference.
 *
 * A condition that is over has to stay over for a while before it closes. The wait doubles each time the condition
 * opens again within an hour, up to half an hour: a resource that fails and recovers in turn causes few events.
 */
import { createHash } from 'node:crypto';
import { CONDITION_HOLD_MAX_MS, CONDITIONS_OPEN_MAX, CONDITIONS_PER_ROUND } from '../../contract/limits.ts';
import { ingestIn } from '../deliveries/intake/intake.ts';
import { now } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { errorFields } from '../lib/outage-log.ts';
import type { Services } from '../platform/context.ts';
import type { ConditionsTable, TriggersTable, Tx } from '../platform/database/schema.ts';
import type { Calm, Finding, Look, Notice, Observe, Parameters } from './condition.ts';
import { observeApiKeys } from './observers/api-keys.ts';
import { observeConnections } from './observers/connections.ts';
import { observeDeliveries } from './observers/deliveries.ts';
import { observeDestinations } from './observers/destinations.ts';
import { observeFunctions } from './observers/functions.ts';
import { observeProblems } from './observers/problems.ts';
import { observeReplays } from './observers/replays.ts';
import { observeRollBacks } from './observers/roll-backs.ts';
import { observeSchedules } from './observers/schedules.ts';
import { observeSources } from './observers/sources.ts';
import { observeStorage } from './observers/storage.ts';
import * as store from './store/conditions.ts';
import * as watching from './store/watching-triggers.ts';

/** The kinds of conditions, by the prefix of their keys, with the types of their events. */
const KINDS: Record<string, { types: string[]; observe: Observe }> = {
  connection: { types: ['connection.failed', 'connection.recovered'], observe: observeConnections },
  destination: {
    types: ['destination.failing', 'destination.disabled', 'destination.recovered'],
    observe: observeDestinations,
  },
  delivery: { types: ['delivery.exhausted'], observe: observeDeliveries },
  replay: { types: ['replay.finished', 'replay.stopped'], observe: observeReplays },
  source: { types: ['source.rejecting'], observe: observeSources },
  schedule: { types: ['schedule.missed'], observe: observeSchedules },
  function: { types: ['function.failing', 'function.recovered'], observe: observeFunctions },
  rollback: { types: ['function.rolled_back'], observe: observeRollBacks },
  api_key: { types: ['api_key.expiring'], observe: observeApiKeys },
  storage: { types: ['storage.low'], observe: observeStorage },
  problem: { types: ['problem.opened', 'problem.regressed', 'problem.resolved'], observe: observeProblems },
};
const ALL = 'sluice.*';
const FAILURES = 'sluice.failure';
/** Problems are made of the failures that the other types report. */
const NO_FAILURE = ['replay.finished', 'problem.opened', 'problem.regressed', 'problem.resolved'];

/** The wait until the next evaluation, by the time that this one took. */
const WAIT_FACTOR = 4;
const WAIT_MAX_MS = 30_000;
const AFTER_ERROR_MS = 30_000;
/** A condition that opens again within this time after it closed closes later. */
const AGAIN_MS = 3_600_000;
const DOUBLINGS_MAX = 16;

/** Evaluates the next due trigger of any account; false if none is due. */
export async function evaluateNext(services: Services): Promise<boolean> {
  const { db, settings, log } = services;
  let trigger: TriggersTable | undefined;
  try {
    const committed = await db.transaction().execute(async (tx) => {
      trigger = await watching.lockDue(tx);
      if (!trigger) return undefined;
      const atMs = performance.now();
      const stored = await evaluate(services, tx, trigger);
      const tookMs = performance.now() - atMs;
      await watching.evaluateIn(
        tx,
        trigger,
        Math.max(settings.conditions.everyMs, Math.min(tookMs * WAIT_FACTOR, WAIT_MAX_MS)),
      );
      return stored;
    });
    committed?.();
    return trigger !== undefined;
  } catch (error) {
    if (!trigger) throw error;
    log.error({ ...errorFields(error), trigger_id: trigger.trigger_id }, 'conditions could not be evaluated, retrying');
    await watching.evaluateIn(db, trigger, AFTER_ERROR_MS);
    return true;
  }
}

type Change = { notice: Notice; state: 'opened' | 'recovered' | 'happened'; row: ConditionsTable };

/** Stores the changed conditions of one trigger and their events. The result is to be called after the commit. */
async function evaluate(services: Services, tx: Tx, trigger: TriggersTable): Promise<() => void> {
  const { account_id, trigger_id, event_type } = trigger;
  const reports = (type: string) =>
    event_type === type || event_type === ALL || (event_type === FAILURES && !NO_FAILURE.includes(type));
  const open = await store.openOf(tx, account_id, trigger_id);
  const changes: Change[] = [];
  let opened = 0;
  for (const [kind, { types, observe }] of Object.entries(KINDS)) {
    if (!types.some(reports)) continue;
    const own = open.filter(({ key }) => key.startsWith(`${kind}:`));
    const limit = Math.max(0, Math.min(CONDITIONS_OPEN_MAX - open.length, CONDITIONS_PER_ROUND) - opened);
    const look: Look = {
      services,
      tx,
      account_id,
      trigger,
      parameters: JSON.parse(trigger.parameters) as Parameters,
      reports,
      watching_since: trigger.position ?? trigger.created_at,
      open: own,
      limit,
    };
    const { findings, calm } = await observe(look);
    const begun = await begin(look, findings);
    opened += begun.length;
    changes.push(...begun, ...(await worsen(look, findings)), ...(await end(look, findings, calm)));
  }
  const reported = changes.filter(({ notice }) => reports(notice.type));
  if (reported.length === 0) return () => undefined;
  const events = reported.map((change) => ({ account_id, trigger_id, payload: payloadOf(services, change) }));
  return (await ingestIn(services, tx, 'sluice', events)).committed;
}

/** Opens the conditions that are not open, within the limits. */
async function begin({ tx, account_id, trigger, open, limit }: Look, findings: Finding[]): Promise<Change[]> {
  const known = new Set(open.map(({ key }) => key));
  const fresh = findings.filter(({ key }) => !known.has(key)).slice(0, limit);
  const keys = fresh.map(({ key }) => key);
  const before = new Map((await store.withKeys(tx, account_id, trigger.trigger_id, keys)).map((row) => [row.key, row]));
  const at = now();
  const changes: Change[] = [];
  for (const { key, since, state, notice, isMoment = false } of fresh) {
    const last = before.get(key);
    const isAgain = last?.closed_at != null && Date.parse(at) - Date.parse(last.closed_at) < AGAIN_MS;
    const row: ConditionsTable = {
      account_id,
      trigger_id: trigger.trigger_id,
      key,
      condition_id: conditionId(account_id, key, since, last),
      type: notice.type,
      since,
      opened_at: at,
      closed_at: isMoment ? at : null,
      calm_since: null,
      reopened: isAgain ? last.reopened + 1 : 0,
      resource: JSON.stringify(notice.resource),
    };
    await store.put(tx, row);
    changes.push({ notice, state, row });
  }
  return changes;
}

/** The same for every trigger that reports this occurrence of the condition. */
function conditionId(account_id: string, key: string, since: string, last: ConditionsTable | undefined): string {
  const hex = createHash('sha256').update(`${account_id} ${key} ${since}`).digest('hex');
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return last?.condition_id === id ? newId() : id;
}

/** Reports open conditions that became worse. */
async function worsen({ tx, open }: Look, findings: Finding[]): Promise<Change[]> {
  const changes: Change[] = [];
  for (const { key, notice, isWorse } of findings) {
    const row = open.find((each) => each.key === key);
    if (!row || !isWorse || row.type === notice.type) continue;
    await store.update(tx, row, { type: notice.type, resource: JSON.stringify(notice.resource) });
    changes.push({ notice, state: 'opened', row });
  }
  return changes;
}

/** Closes conditions that have been over for long enough. */
async function end({ services, tx, open }: Look, findings: Finding[], calm: Calm[]): Promise<Change[]> {
  const at = now();
  const holding = new Set(findings.map(({ key }) => key));
  const changes: Change[] = [];
  for (const row of open) {
    const over = holding.has(row.key) ? undefined : calm.find(({ key }) => key === row.key);
    if (!over) {
      if (row.calm_since !== null) await store.update(tx, row, { calm_since: null });
      continue;
    }
    const { holdMs } = services.settings.conditions;
    const waitMs = over.atOnce
      ? 0
      : Math.min(holdMs * 2 ** Math.min(row.reopened, DOUBLINGS_MAX), CONDITION_HOLD_MAX_MS);
    const calm_since = row.calm_since ?? at;
    if (Date.parse(at) - Date.parse(calm_since) < waitMs) {
      if (row.calm_since === null) await store.update(tx, row, { calm_since });
      continue;
    }
    await store.update(tx, row, { closed_at: at });
    if (over.notice) changes.push({ notice: over.notice, state: 'recovered', row });
  }
  return changes;
}

/** The payload of an event; the members are documented in docs/reference/deliveries.md. */
function payloadOf({ settings }: Services, { notice, state, row }: Change) {
  const { type, severity, title, text, path, resource, count = null, last_error = null, details = {} } = notice;
  return {
    type,
    state,
    title,
    text,
    severity,
    link: settings.addresses.console_url + path,
    condition_id: row.condition_id,
    occurred_at: now(),
    since: row.since,
    count,
    last_error,
    resource,
    details,
  };
}
