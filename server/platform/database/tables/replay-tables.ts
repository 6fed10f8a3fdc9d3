/** The tables of bulk replays; see server/deliveries/replays/replayer.ts. */
import type { DeliveryStatus, ReplayItemState, ReplayStatus } from '../../../../contract/states.ts';
import type { JsonText, Timestamp } from './column-types.ts';

export type ReplaysTable = {
  account_id: string;
  replay_id: string;
  status: ReplayStatus;
  reason: string | null;
  /** The request body. */
  request: JsonText;
  rate_per_second: number;
  canary: number | null;
  total: number;
  done: number;
  succeeded: number;
  failed: number;
  skipped: number;
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
  finished_at: Timestamp | null;
  /** The node that works on it; `next_at`: when any node may continue it. */
  node_id: string | null;
  next_at: Timestamp | null;
  /** Gathering continues with events before this one; null once it is complete. */
  gather_before: string | null;
  /** Deliveries done per second, at the last step. */
  current_rate: number | null;
  /** The function and version that it calls instead of the live one. */
  function_id: string | null;
  function_version: number | null;
  body_template: string | null;
  /** The problem whose deliveries it sends. */
  problem_id: string | null;
  /** Its canary succeeded and it was paused then: when it is resumed, the canary is not judged again. */
  canary_passed: boolean;
  /** Of a problem: deliveries that are not sent, by reason. Complete when `gather_before` is null. */
  left_out: JsonText | null;
  /** The receipt, once none of its deliveries is open. */
  receipt: JsonText | null;
  /** Its requests are transformed as in the last attempt of each delivery. */
  transform_then: boolean;
};
export type ReplayItemsTable = {
  account_id: string;
  replay_id: string;
  event_id: string;
  delivery_id: string;
  destination_id: string;
  trigger_id: string;
  before_status: DeliveryStatus;
  before_response_status: number | null;
  after_status: DeliveryStatus | null;
  after_response_status: number | null;
  state: ReplayItemState;
  /** The delivery's generation that this replay created: its outcome belongs to the replay. */
  generation: number | null;
  finished_at: Timestamp | null;
};
