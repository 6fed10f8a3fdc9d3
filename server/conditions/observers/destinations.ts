import { SLUICE_SOURCE } from '../../triggers/sources.ts';
import { type Calm, type Finding, idOf, type Look, type Notice, type Observe, resourceOf } from '../condition.ts';
import * as store from '../store/destinations.ts';
import { durationSince, inARow, lastError, plural, quoted, shortened, spelled } from '../wording.ts';

type State = store.DestinationState;
type Rates = ReadonlyMap<string, store.Rate>;

const AFTER_FAILURES = 5;
const WINDOW_MINUTES = 60;

/**
 * A destination fails, or was disabled automatically. Both are one condition: a failing destination that is then
 * disabled is reported again, as the same condition.
 *
 * Destinations of triggers of the source `sluice` never count as failing: the event would be sent to a destination of
 * the same kind, and two of them could report each other forever. That they are disabled is reported to the other
 * triggers of the source. Only a user can enable them, so no chain can follow.
 */
export const observeDestinations: Observe = async (look) => {
  const { tx, account_id, open, parameters } = look;
  const rates = parameters.failure_rate === undefined ? undefined : await ratesOf(look);
  const known = await store.withIds(tx, account_id, open.map(idOf));
  const begun = look.limit > 0 ? await begunOf(look, rates) : [];
  const errors = await store.lastErrors(
    tx,
    account_id,
    begun.map(({ destination_id }) => destination_id),
  );
  const hasRate = parameters.failure_rate !== undefined;
  const findings = [...known, ...begun].flatMap((state): Finding[] => {
    const error = errors.get(state.destination_id) ?? null;
    if (isDisabled(state)) return [disabledFinding(state, error)];
    const isSent = state.status === 'ENABLED' && state.paused_at === null;
    const isFailing = isSent && state.source !== SLUICE_SOURCE && fails(look, state, rates);
    return isFailing ? [failingFinding(state, error, hasRate ? rates?.get(state.destination_id) : undefined)] : [];
  });
  const stateOf = new Map(known.map((each) => [each.destination_id, each]));
  const calm = open.flatMap((row): Calm[] => {
    const state = stateOf.get(idOf(row));
    if (!state) return [recovered(row, resourceOf(row), undefined, 'was deleted')];
    const resource = resourceFor(state);
    if (isDisabled(state)) return [];
    if (state.status === 'DISABLED') return [recovered(row, resource, state, 'was disabled by a user')];
    if (row.type === 'destination.disabled') return [recovered(row, resource, state, 'was enabled')];
    if (state.paused_at !== null) return [recovered(row, resource, state, 'was paused by a user')];
    const isFailing = hasRate ? fails(look, state, rates) : state.failing_since !== null;
    return isFailing ? [] : [{ ...recovered(row, resource, state, 'recovered'), atOnce: false }];
  });
  return { findings, calm };
};

/** Destinations whose condition is not open. */
async function begunOf(look: Look, rates: Rates | undefined): Promise<State[]> {
  const { tx, account_id, trigger, parameters, reports, open, limit } = look;
  const besides = open.map(idOf);
  const disabled = await store.disabled(tx, account_id, trigger.trigger_id, { besides, limit });
  const left = limit - disabled.length;
  if (left <= 0 || !(reports('destination.failing') || reports('destination.recovered'))) return disabled;
  const search = { besides: [...besides, ...disabled.map(({ destination_id }) => destination_id)], limit: left };
  if (!rates) {
    const after = parameters.after_failures ?? AFTER_FAILURES;
    const failing = await store.failing(tx, account_id, after, search);
    return [...disabled, ...failing.filter((state) => fails(look, state, undefined))];
  }
  const ids = [...rates.values()].filter((rate) => isAbove(look, rate)).map(({ destination_id }) => destination_id);
  const wanted = ids.filter((id) => !search.besides.includes(id));
  const failing = await store.enabledOf(tx, account_id, wanted, left);
  return [...disabled, ...failing.filter((state) => fails(look, state, rates))];
}

const isDisabled = ({ status, reason }: State): boolean =>
  status === 'DISABLED' && (reason === 'GONE' || reason === 'FAILING');

async function ratesOf({ tx, account_id, parameters }: Look): Promise<Rates> {
  const minutes = parameters.window_minutes ?? WINDOW_MINUTES;
  const rates = await store.rates(tx, account_id, Math.floor(Date.now() / 60_000 - minutes) * 60_000);
  return new Map(rates.map((rate) => [rate.destination_id, rate]));
}

function isAbove({ parameters }: Look, { attempts, failed }: store.Rate): boolean {
  const { failure_rate = 100, after_failures = AFTER_FAILURES } = parameters;
  return failed >= after_failures && failed * 100 >= failure_rate * attempts;
}

function fails(look: Look, { destination_id, failing_since, failures }: State, rates: Rates | undefined): boolean {
  const { after_failures = AFTER_FAILURES, for_minutes = 0 } = look.parameters;
  if (rates) {
    const rate = rates.get(destination_id);
    return rate !== undefined && isAbove(look, rate);
  }
  if (failing_since === null || failures < after_failures) return false;
  return Date.now() - Date.parse(failing_since) >= for_minutes * 60_000;
}

const resourceFor = ({ destination_id, name }: State): Notice['resource'] => ({
  kind: 'destination',
  id: destination_id,
  name,
});
const pathOf = ({ trigger_id, destination_id }: State) => `/triggers/${trigger_id}/destinations/${destination_id}`;
const ofTrigger = ({ trigger_id, trigger_name }: State) => ({ trigger_id, trigger_name });
const inTrigger = ({ trigger_name }: State) => `(trigger ${quoted(trigger_name)})`;

function failingFinding(state: State, error: string | null, rate: store.Rate | undefined): Finding {
  const since = state.failing_since ?? new Date().toISOString().replace('Z', '000Z');
  const share = rate && Math.floor((rate.failed * 100) / rate.attempts);
  const what = rate
    ? `${rate.failed} of ${plural(rate.attempts, 'attempt')} (${share} %) failed`
    : `${plural(state.failures, 'attempt')}${inARow(state.failures)} failed since ${spelled(since)}`;
  return {
    key: `destination:${state.destination_id}`,
    since,
    state: 'opened',
    notice: {
      type: 'destination.failing',
      severity: 'error',
      title: `Destination ${quoted(state.name)} is failing`,
      text: `${what} ${inTrigger(state)}.${lastError(error)}`,
      path: pathOf(state),
      resource: resourceFor(state),
      count: rate?.failed ?? state.failures,
      last_error: shortened(error),
      details: { ...ofTrigger(state), ...(rate ? { attempts: rate.attempts, failure_rate: share } : {}) },
    },
  };
}

function disabledFinding(state: State, error: string | null): Finding {
  const since = state.disabled_at ?? state.failing_since ?? '';
  const why =
    state.reason === 'GONE'
      ? 'The endpoint returned 410'
      : `Every attempt failed for ${durationSince(state.failing_since ?? since, Date.parse(since))}`;
  return {
    key: `destination:${state.destination_id}`,
    since,
    state: 'opened',
    isWorse: true,
    notice: {
      type: 'destination.disabled',
      severity: 'critical',
      title: `Destination ${quoted(state.name)} was disabled`,
      text: `${why} ${inTrigger(state)}. New deliveries to it are skipped until you enable it.${lastError(error)}`,
      path: pathOf(state),
      resource: resourceFor(state),
      last_error: shortened(error),
      details: { ...ofTrigger(state), reason: state.reason },
    },
  };
}

function recovered(
  row: { key: string; since: string },
  resource: Notice['resource'],
  state: State | undefined,
  what: string,
): Calm {
  const text = what === 'recovered' ? 'accepts deliveries again' : what;
  return {
    key: row.key,
    atOnce: true,
    notice: {
      type: 'destination.recovered',
      severity: 'info',
      title: `Destination ${quoted(resource.name)} ${what}`,
      text: `It ${text} after ${durationSince(row.since)}${state ? ` ${inTrigger(state)}` : ''}.`,
      path: state ? pathOf(state) : '/triggers',
      resource,
      details: state ? ofTrigger(state) : {},
    },
  };
}
