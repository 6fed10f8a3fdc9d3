/** The tables of problems; see server/problems/grouping.ts. */
import type { ProblemEnd, ProblemKind, ProblemPartKind, ProblemState } from '../../../../contract/states.ts';
import type { JsonText, Timestamp } from './column-types.ts';

/** One row: how far failures have been read. */
export type ProblemReaderTable = {
  one: boolean;
  /** The last row that was read, by kind of failure. */
  positions: JsonText;
  /** Failures of before are not grouped. */
  since: Timestamp;
  /** When connections, schedules and the ends of problems were checked last. */
  checked_at: Timestamp;
};
export type ProblemsTable = {
  account_id: string;
  problem_id: string;
  fingerprint: string;
  base: string;
  /** It has all other failures of its base, or of its kind. */
  is_base: boolean;
  kind: ProblemKind;
  title: string;
  signature: string;
  code: string | null;
  status: number | null;
  frame: JsonText | null;
  app: string | null;
  state: ProblemState;
  state_by: string | null;
  state_note: string | null;
  state_at: Timestamp | null;
  /** IGNORED until this time, or until it has had this number of failures. */
  ignored_until: Timestamp | null;
  ignored_above: number | null;
  resolved_as: ProblemEnd | null;
  first_seen_at: Timestamp;
  last_seen_at: Timestamp;
  /** When it was opened last. */
  opened_at: Timestamp;
  regressed_at: Timestamp | null;
  regressions: number;
  first_version: number | null;
  last_version: number | null;
  failures: number;
  /** The number of deliveries, runs, … that failed, by kind. */
  counts: JsonText;
  /** When to check next whether its cause is gone; null once it is RESOLVED. */
  check_at: Timestamp | null;
  /** The last audited change of its resources before it was opened. */
  preceded_by: JsonText | null;
};
/** A delivery, run, call, … of a problem, with the number of its failures. */
export type ProblemFailuresTable = {
  account_id: string;
  problem_id: string;
  subject_id: string;
  kind: ProblemKind;
  at: Timestamp;
  last_at: Timestamp;
  failures: number;
  event_id: string | null;
  trigger_id: string | null;
  delivery_id: string | null;
  destination_id: string | null;
  run_id: string | null;
  function_id: string | null;
  version: number | null;
  call_id: string | null;
  connection_id: string | null;
};
export type ProblemHoursTable = { account_id: string; problem_id: string; at_ms: number; failures: number };
/** A resource that fails with a problem. */
export type ProblemPartsTable = {
  account_id: string;
  problem_id: string;
  kind: ProblemPartKind;
  resource_id: string;
  name: string;
  failures: number;
  last_at: Timestamp;
};

/** Tables by name. */
export type ProblemTables = {
  problem_reader: ProblemReaderTable;
  problems: ProblemsTable;
  problem_failures: ProblemFailuresTable;
  problem_hours: ProblemHoursTable;
  problem_parts: ProblemPartsTable;
};
