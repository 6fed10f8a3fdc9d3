import { timestampAt } from '../../lib/clock.ts';
import { msOf } from '../../lib/ids.ts';
import { type Calm, type Finding, idOf, type Notice, type Observe, resourceOf } from '../condition.ts';
import * as store from '../store/triggers.ts';
import { durationSince, lastError, plural, quoted, shortened, spelled } from '../wording.ts';

const AFTER_REJECTIONS = 3;
const WINDOW_MINUTES = 60;
/** A source recovers after this time without a rejected request. */
const QUIET_MS = 900_000;

/** A webhook endpoint rejects requests. It recovers with an accepted event, or after 15 minutes without a rejection. */
export const observeSources: Observe = async ({ tx, account_id, parameters, open, limit }) => {
  const { after_rejections = AFTER_REJECTIONS, window_minutes = WINDOW_MINUTES } = parameters;
  const windowMs = Date.now() - window_minutes * 60_000;
  const quietMs = Date.now() - QUIET_MS;
  const sources = await store.rejecting(tx, account_id, Math.min(windowMs, quietMs), windowMs);
  const stateOf = new Map(sources.map((each) => [each.trigger_id, each]));
  const openIds = new Set(open.map(idOf));
  const findings = sources
    .filter((each) => !openIds.has(each.trigger_id) && each.count >= after_rejections && !hasAccepted(each))
    .slice(0, Math.max(0, limit))
    .map(found);
  const existing = await store.existing(tx, account_id, [...openIds]);
  const calm = open.flatMap((row): Calm[] => {
    const resource = resourceOf(row);
    if (!existing.has(resource.id)) return [recovered(row, resource, false)];
    const state = stateOf.get(resource.id);
    if (!state || msOf(state.last_id) < quietMs) return [recovered(row, resource, true)];
    return hasAccepted(state) ? [{ ...recovered(row, resource, true), atOnce: false }] : [];
  });
  return { findings, calm };
};

/** Whether an event was accepted after the last rejection. */
const hasAccepted = ({ last_event_at, last_id }: store.Rejecting): boolean =>
  last_event_at !== null && Date.parse(last_event_at) > msOf(last_id);

function found({ trigger_id, name, source, count, first_id, cause, message }: store.Rejecting): Finding {
  const since = timestampAt(msOf(first_id));
  return {
    key: `source:${trigger_id}`,
    since,
    state: 'opened',
    notice: {
      type: 'source.rejecting',
      severity: 'error',
      title: `Requests to trigger ${quoted(name)} are rejected`,
      text: `${plural(count, 'request')} ${count === 1 ? 'was' : 'were'} rejected since ${spelled(since)}.${lastError(message)}`,
      path: `/triggers/${trigger_id}/rejections`,
      resource: { kind: 'trigger', id: trigger_id, name },
      count,
      last_error: shortened(message),
      details: { cause, source },
    },
  };
}

function recovered(row: { key: string; since: string }, resource: Notice['resource'], exists: boolean): Calm {
  const name = quoted(resource.name);
  return {
    key: row.key,
    atOnce: true,
    notice: {
      type: 'source.rejecting',
      severity: 'info',
      title: exists ? `Requests to trigger ${name} are no longer rejected` : `Trigger ${name} was deleted`,
      text: `Its requests were rejected for ${durationSince(row.since)}.`,
      path: exists ? `/triggers/${resource.id}/events` : '/triggers',
      resource,
    },
  };
}
