/** Pause, limits and order of a destination, from its row. */
import { IN_FLIGHT, PERIOD_SECONDS } from '../../../contract/limits.ts';
import type { OrderEnd, OrderScope } from '../../../contract/states.ts';
import type { DestinationsTable } from '../../platform/database/schema.ts';
import type { OrderColumns } from '../intake/order-keys.ts';
import type { LaneLimit } from '../intake/pacer.ts';

export type LimitColumns = Pick<DestinationsTable, 'rate_requests' | 'rate_per' | 'max_in_flight'>;
export type PaceColumns = LimitColumns & OrderColumns & Pick<DestinationsTable, 'paused_at' | 'timeout_seconds'>;
type SharedColumns = Pick<PaceColumns, 'rate_requests' | 'max_in_flight' | 'order_by'>;

/** The columns of a destination without limits. */
export const NO_PACE: PaceColumns = {
  paused_at: null,
  rate_requests: null,
  rate_per: null,
  max_in_flight: null,
  timeout_seconds: null,
  order_by: null,
  order_path: null,
  order_end: null,
};

/** Whether one node at a time sends to the destination, so that its limits or its order hold for all nodes together. */
export const hasOneSender = ({ rate_requests, max_in_flight, order_by }: SharedColumns): boolean =>
  rate_requests !== null || max_in_flight !== null || order_by !== null;

/** Whether a delivery must wait in the table, and may not be leased as it is stored or replayed. */
export const waitsInTable = (row: SharedColumns & Pick<PaceColumns, 'paused_at'>): boolean =>
  row.paused_at !== null || hasOneSender(row);

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
  ordering?: { by: OrderScope; key: string | null; after_last_attempt: OrderEnd } | null | undefined;
};

/** The columns that a change names. */
export const limitChanges = ({
  rate_limit,
  max_in_flight,
  timeout_seconds,
  ordering,
}: Given): Partial<PaceColumns> => ({
  ...(rate_limit === undefined
    ? {}
    : { rate_requests: rate_limit?.requests ?? null, rate_per: rate_limit?.per ?? null }),
  ...(max_in_flight === undefined ? {} : { max_in_flight }),
  ...(timeout_seconds === undefined ? {} : { timeout_seconds }),
  ...(ordering === undefined
    ? {}
    : {
        order_by: ordering?.by ?? null,
        order_path: ordering?.key ?? null,
        order_end: ordering?.after_last_attempt ?? null,
      }),
});

/** The fields of a destination in the API. */
export const describePace = ({ rate_requests, rate_per, order_by, order_path, order_end, ...row }: PaceColumns) => ({
  paused_at: row.paused_at,
  rate_limit: rate_requests === null || rate_per === null ? null : { requests: rate_requests, per: rate_per },
  max_in_flight: row.max_in_flight,
  timeout_seconds: row.timeout_seconds,
  ordering:
    order_by === null || order_end === null ? null : { by: order_by, key: order_path, after_last_attempt: order_end },
});
