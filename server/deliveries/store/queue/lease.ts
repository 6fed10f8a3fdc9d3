import type { AttemptOrigin } from '../../../../contract/states.ts';
import type { RequestValues } from '../../../../contract/text/request-values.ts';

/** A delivery leased by a node. `number` is the attempt that the node may make; with `generation` it is the fence. */
export type Lease = {
  account_id: string;
  event_id: string;
  delivery_id: string;
  trigger_id: string;
  destination_id: string;
  number: number;
  step: number;
  generation: number;
  origin: AttemptOrigin;
  replay_id: string | null;
  /** The `webhook-id`; null: the event's id. */
  webhook_id: string | null;
  received_at: string;
  payload: string;
  /** The trace context of its event. */
  traceparent?: string | null;
  tracestate?: string | null;
  /** The request of the source: undefined if it was not read yet, null if there is none. */
  request?: RequestValues | null;
  /** The exact body of that request: undefined if it was not read, null if it is not stored. */
  original?: Buffer | null;
  /** Milliseconds that the circuit breaker has held it past its due time. */
  held_ms?: number;
  /** It was leased under the limits of its destination. */
  isLimited?: boolean;
  /** It was leased as the head of its key, in the order of its destination. */
  isOrdered?: boolean;
};
