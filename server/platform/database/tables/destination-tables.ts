/** The tables of destinations, in the schema of schema.ts. */
import type { DestinationStatus, OrderEnd, OrderScope, RatePeriod } from '../../../../contract/states.ts';
import type { JsonText, Sealed, Timestamp } from './column-types.ts';

export type DestinationsTable = {
  account_id: string;
  destination_id: string;
  trigger_id: string;
  url: string;
  method: string;
  name: string;
  headers: Sealed | null;
  signing_secret: Sealed;
  body_template: string | null;
  body_source: 'EVENT' | 'ORIGINAL';
  body_format: 'JSON' | 'FORM' | 'TEXT';
  /** JSON array of names in lower case. */
  forward_headers: JsonText | null;
  status: DestinationStatus;
  reason: 'MANUAL' | 'GONE' | 'FAILING' | null;
  filter: JsonText | null;
  /** Seconds until the next attempt, by attempts made; null: the service's schedule. */
  retry_schedule: JsonText | null;
  /** Since when it is paused: its deliveries wait. */
  paused_at: Timestamp | null;
  /** The rate limit: requests per second, minute or hour. Both are null without one. */
  rate_requests: number | null;
  rate_per: RatePeriod | null;
  max_in_flight: number | null;
  timeout_seconds: number | null;
  /**
   * The order of its deliveries: all of them, or those with the same value at a path of the payload. Null without one.
   * `order_end`: whether a delivery that failed for good stops those behind it. Null without an order.
   */
  order_by: OrderScope | null;
  order_path: string | null;
  order_end: OrderEnd | null;
  /** The function that turns an event into the request, and its version; null: the live one. */
  transform_function_id: string | null;
  transform_version: number | null;
  /** The previous secret also signs until then. */
  previous_secret: Sealed | null;
  previous_secret_until: Timestamp | null;
  /** Since when every attempt has failed, and when the first delivery since then exhausted its retries. */
  failing_since: Timestamp | null;
  exhausted_at: Timestamp | null;
  /** Failed attempts since `failing_since`, and when a delivery last exhausted its retries. */
  failures: number;
  last_exhausted_at: Timestamp | null;
  /** The breaker of some node is open until then, or was just now. Null if all are closed. */
  circuit_open_until: Timestamp | null;
  /** Since when it is disabled; null while it is enabled. */
  disabled_at: Timestamp | null;
  /** The last warning: 0, 50, 70 or 90 per cent. */
  warned: number;
  created_at: Timestamp;
  updated_at: Timestamp;
};
/** A place in the order of a destination; see store/queue/ordered-deliveries.ts. */
export type OrderedDeliveriesTable = {
  account_id: string;
  event_id: string;
  delivery_id: string;
  destination_id: string;
  order_key: string;
};
/**
 * The node that sends to a destination with limits or an order. `reserved_at`: the latest time for which that node has
 * reserved a request, under the rate limit of the destination.
 */
export type DestinationLeasesTable = {
  account_id: string;
  destination_id: string;
  node_id: string | null;
  reserved_at: Timestamp | null;
};
