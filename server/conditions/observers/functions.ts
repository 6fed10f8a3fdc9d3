import { timestampAt } from '../../lib/clock.ts';
import { msOf } from '../../lib/ids.ts';
import { type Calm, type Finding, idOf, type Look, type Notice, type Observe, resourceOf } from '../condition.ts';
import * as store from '../store/functions.ts';
import { durationSince, inARow, lastError, plural, quoted, shortened, spelled } from '../wording.ts';

const AFTER_FAILURES = 5;
const WINDOW_MINUTES = 60;
const DAY_MINUTES = 1440;
/** The rate is that of this number of the newest runs. */
const RATE_RUNS = 200;

/** The last runs of a function failed. It recovers when its last run succeeded, or its rate is below the limit. */
export const observeFunctions: Observe = async (look) => {
  const { tx, account_id, parameters, open, limit } = look;
  const { failure_rate, after_failures = AFTER_FAILURES, window_minutes = WINDOW_MINUTES } = parameters;
  const hasRate = failure_rate !== undefined;
  const minutes = hasRate ? window_minutes : DAY_MINUTES;
  const ids = open.map(idOf);
  const states = await store.lastRuns(tx, account_id, {
    fromMs: Date.now() - minutes * 60_000,
    limit: hasRate ? RATE_RUNS : after_failures,
    onlyFailing: !hasRate,
    ids,
  });
  const findings = states
    .filter((state) => fails(look, state) && !ids.includes(state.function_id))
    .slice(0, Math.max(0, limit))
    .map((state) => found(state, hasRate));
  const stateOf = new Map(states.map((each) => [each.function_id, each]));
  const existing = await store.existing(tx, account_id, ids);
  const calm = open.flatMap((row): Calm[] => {
    const resource = resourceOf(row);
    if (!existing.has(resource.id)) return [recovered(row, resource, 'was deleted')];
    const state = stateOf.get(resource.id);
    // Without a run since, it is unknown.
    if (!state) return [];
    const isFailing = hasRate ? fails(look, state) : state.in_a_row > 0;
    return isFailing ? [] : [{ ...recovered(row, resource, 'recovered'), atOnce: false }];
  });
  return { findings, calm };
};

function fails({ parameters }: Look, { runs, failed, in_a_row }: store.FunctionRuns): boolean {
  const { failure_rate, after_failures = AFTER_FAILURES } = parameters;
  if (failure_rate === undefined) return in_a_row >= after_failures;
  return failed >= after_failures && failed * 100 >= failure_rate * runs;
}

function found(state: store.FunctionRuns, hasRate: boolean): Finding {
  const { function_id, name, runs, failed, in_a_row, first_id, last_id, version, error } = state;
  const since = timestampAt(msOf(first_id ?? last_id ?? ''));
  const what = hasRate
    ? `${failed} of the last ${plural(runs, 'run')} failed.`
    : `${plural(in_a_row, 'run')}${inARow(in_a_row)} failed since ${spelled(since)}.`;
  return {
    key: `function:${function_id}`,
    since,
    state: 'opened',
    notice: {
      type: 'function.failing',
      severity: 'error',
      title: `Function ${quoted(name)} is failing`,
      text: `${what}${lastError(error)}`,
      path: `/functions/${function_id}/runs`,
      resource: { kind: 'function', id: function_id, name },
      count: hasRate ? failed : in_a_row,
      last_error: shortened(error),
      details: { run_id: last_id, version },
    },
  };
}

function recovered(row: { key: string; since: string }, resource: Notice['resource'], what: string): Calm {
  const isBack = what === 'recovered';
  const after = durationSince(row.since);
  return {
    key: row.key,
    atOnce: true,
    notice: {
      type: 'function.recovered',
      severity: 'info',
      title: `Function ${quoted(resource.name)} ${what}`,
      text: isBack ? `Its runs succeed again after ${after}.` : `It was deleted ${after} after it had begun to fail.`,
      path: isBack ? `/functions/${resource.id}/runs` : '/functions',
      resource,
    },
  };
}
