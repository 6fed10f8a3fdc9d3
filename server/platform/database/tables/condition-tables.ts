import type { JsonText, Timestamp } from './column-types.ts';
import type { ProblemTables } from './problem-tables.ts';

/** A condition that a trigger of the source `sluice` has reported. One row for each key, for its latest occurrence. */
export type ConditionsTable = {
  account_id: string;
  trigger_id: string;
  /** The kind of condition and the id of its resource: `destination:<id>`. */
  key: string;
  condition_id: string;
  /** The type of the last event about it. */
  type: string;
  since: Timestamp;
  opened_at: Timestamp;
  /** Null while it is open. */
  closed_at: Timestamp | null;
  /** Since when the condition no longer holds; it closes after a while. */
  calm_since: Timestamp | null;
  /** How often it opened again soon after it had closed. */
  reopened: number;
  resource: JsonText;
};

/** Tables by name, with those of problems. */
export type ConditionTables = ProblemTables & { conditions: ConditionsTable };
