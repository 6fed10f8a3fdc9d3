import type { AttemptOrigin } from '../../../contract/states.ts';

/** One delivery that a node has leased: `number` is the attempt it may make, and with `generation` its fence. */
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
  /** What receivers know the message by; null is the event's id. */
  webhook_id: string | null;
  received_at: string;
  payload: string;
  /** How long the circuit breaker has held it past its due time, in milliseconds. */
  held_ms?: number;
};
