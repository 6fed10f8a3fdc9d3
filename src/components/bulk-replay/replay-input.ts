/** The input of a bulk replay: events, deliveries, rate. */
import { REPLAY_RATE_PER_SECOND } from '../../../contract/limits.ts';
import type { Body } from '../../../contract/operations.ts';

type ReplayBody = Body<'replayCreate'>;
/** Selected events, or a filter. */
export type ReplayScope = ReplayBody['filter'];

export const WHICH = [
  { value: 'failed', label: 'Failed' },
  { value: 'undelivered', label: 'Not delivered' },
  { value: 'held', label: 'Held' },
  { value: 'skipped', label: 'Skipped' },
  { value: 'all', label: 'All' },
] as const;
export type Which = (typeof WHICH)[number]['value'];

export interface ReplayChoice {
  readonly which: Which;
  /** Include deliveries held by a circuit breaker with the failed ones. */
  readonly withHeld: boolean;
  /** Empty means all. */
  readonly destinations: readonly string[];
  readonly asNew: boolean;
  /** Transformed as in the last attempt of each delivery. */
  readonly asThen: boolean;
  /** The body template and the function version of the replay; empty: those of the destination. */
  readonly template: string;
  readonly version: string;
}

/** Rate and canary as text input. */
export interface ReplayPace {
  readonly rate: string;
  readonly canary: string;
}
export const USUAL_PACE: ReplayPace = { rate: String(REPLAY_RATE_PER_SECOND), canary: '' };

export function rateProblem({ rate }: ReplayPace): string | undefined {
  const value = Number(rate);
  return rate !== '' && value >= 0.1 && value <= 1000 ? undefined : 'Enter a number from 0.1 to 1000.';
}

export function canaryProblem({ canary }: ReplayPace): string | undefined {
  if (canary === '') return undefined;
  const value = Number(canary);
  return Number.isInteger(value) && value >= 1 && value <= 100 ? undefined : 'Enter a whole number up to 100.';
}

/** The request body without rate and canary, for a dry run. */
export function choiceBody(scope: ReplayScope, choice: ReplayChoice): ReplayBody {
  const { which, withHeld, destinations, asNew, asThen, template, version } = choice;
  const isOne = destinations.length === 1;
  return {
    filter: scope,
    ...(destinations.length > 0 ? { destination_ids: [...destinations] } : {}),
    ...(which === 'failed' ? { only_failed: true } : {}),
    ...(which === 'held' || (which === 'failed' && withHeld) ? { only_held: true } : {}),
    ...(which === 'undelivered' ? { only_undelivered: true } : {}),
    ...(which === 'skipped' ? { only_skipped: true } : {}),
    ...(asNew ? { as_new: true } : {}),
    ...(asThen ? { transform: 'THEN' } : {}),
    ...(isOne && template !== '' ? { body_template: template } : {}),
    ...(isOne && version !== '' ? { function_version: Number(version) } : {}),
  };
}

export function wholeBody(scope: ReplayScope, choice: ReplayChoice, { rate, canary }: ReplayPace): ReplayBody {
  return {
    ...choiceBody(scope, choice),
    rate_per_second: Number(rate),
    ...(canary === '' ? {} : { canary: Number(canary) }),
  };
}
