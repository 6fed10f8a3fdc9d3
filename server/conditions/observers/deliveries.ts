import { fromNow } from '../../lib/clock.ts';
import { type Calm, type Finding, idOf, type Observe } from '../condition.ts';
import * as store from '../store/destinations.ts';
import { lastError, plural, quoted, shortened } from '../wording.ts';

/** A destination is reported again after this time without an exhausted delivery. */
const QUIET_MS = 3_600_000;
/** Retry schedules are usually shorter. */
const COUNTED_MS = 2 * 86_400_000;

/** Deliveries exhausted their retries: one event per destination, until an hour passes without one. */
export const observeDeliveries: Observe = async ({ tx, account_id, open, limit, watching_since }) => {
  const hourAgo = fromNow(-QUIET_MS);
  const since = watching_since > hourAgo ? watching_since : hourAgo;
  const besides = open.map(idOf);
  const begun = limit > 0 ? await store.exhaustedSince(tx, account_id, since, { besides, limit }) : [];
  const ids = begun.map(({ destination_id }) => destination_id);
  const errors = await store.lastErrors(tx, account_id, ids);
  const findings: Finding[] = [];
  for (const state of begun) {
    const { destination_id } = state;
    const counted = await store.failedSince(tx, account_id, destination_id, since, Date.now() - COUNTED_MS);
    findings.push(found(state, Math.max(1, counted), errors.get(destination_id)));
  }
  const stateOf = new Map((await store.withIds(tx, account_id, besides)).map((each) => [each.destination_id, each]));
  const calm = open.flatMap(({ key }): Calm[] => {
    const last = stateOf.get(idOf({ key }))?.last_exhausted_at;
    return last && last > hourAgo ? [] : [{ key, notice: null, atOnce: true }];
  });
  return { findings, calm };
};

function found(state: store.DestinationState, count: number, error: string | undefined): Finding {
  const { destination_id, name, trigger_id, trigger_name } = state;
  const [are, them] = count === 1 ? ['is', 'it'] : ['are', 'them'];
  return {
    key: `delivery:${destination_id}`,
    since: state.last_exhausted_at ?? '',
    state: 'happened',
    notice: {
      type: 'delivery.exhausted',
      severity: 'error',
      title: `Deliveries to ${quoted(name)} exhausted their retries`,
      text: `${plural(count, 'delivery', 'deliveries')} in the last hour ${are} not retried any more (trigger ${quoted(trigger_name)}). Replay ${them} when the cause is fixed.${lastError(error)}`,
      path: `/events?status=FAILED&trigger=${trigger_id}`,
      resource: { kind: 'destination', id: destination_id, name },
      count,
      last_error: shortened(error),
      details: { trigger_id, trigger_name },
    },
  };
}
