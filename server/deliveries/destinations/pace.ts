/** Pause and limits of a destination, from its row. */
import { IN_FLIGHT, PERIOD_SECONDS } from '../../../contract/limits.ts';
import type { DestinationsTable } from '../../platform/database/schema.ts';
import type { LaneLimit } from '../intake/pacer.ts';

export type LimitColumns = Pick<DestinationsTable, 'rate_requests' | 'rate_per' | 'max_in_flight'>;
export type PaceColumns = LimitColumns & Pick<DestinationsTable, 'paused_at' | 'timeout_seconds'>;

/** The columns of a destination without limits. */
export const NO_PACE: PaceColumns = {
  paused_at: null,
  rate_requests: null,
  rate_per: null,
  max_in_flight: null,
  timeout_seconds: null,
};

/** Whether one node at a time sends to the destination, so that all nodes together stay within its limits. */
export const hasLimits = ({ rate_requests, max_in_flight }: LimitColumns): boolean =>
  rate_requests !== null || max_in_flight !== null;

/** Whether a delivery must wait in the table, and may not be leased as it is stored or replayed. */
export const waitsInTable = (row: LimitColumns & Pick<PaceColumns, 'paused_at'>): boolean =>
  row.paused_at !== null || hasLimits(row);

/** The limits of the lane of a destination. */
export const laneLimitOf = ({ rate_requests, rate_per, max_in_flight }: LimitColumns): LaneLimit => ({
  inFlight: max_in_flight ?? IN_FLIGHT.default,
  rate:
    rate_requests === null || rate_per === null
      ? null
      : { requests: rate_requests, ms: PERIOD_SECONDS[rate_per] * 1000 },
});

type Given = {
  rate_limit?: { requests: number; per: 'second' | 'minute' | 'hour' } | null | undefined;
  max_in_flight?: number | null | undefined;
  timeout_seconds?: number | null | undefined;
};

/** The columns that a change names. */
export const limitChanges = ({ rate_limit, max_in_flight, timeout_seconds }: Given): Partial<PaceColumns> => ({
  ...(rate_limit === undefined
    ? {}
    : { rate_requests: rate_limit?.requests ?? null, rate_per: rate_limit?.per ?? null }),
  ...(max_in_flight === undefined ? {} : { max_in_flight }),
  ...(timeout_seconds === undefined ? {} : { timeout_seconds }),
});

/** The fields of a destination in the API. */
export const describePace = ({ paused_at, rate_requests, rate_per, max_in_flight, timeout_seconds }: PaceColumns) => ({
  paused_at,
  rate_limit: rate_requests === null || rate_per === null ? null : { requests: rate_requests, per: rate_per },
  max_in_flight,
  timeout_seconds,
});
