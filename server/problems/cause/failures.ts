/** Failures as they are read from the tables, one for each row that failed. */
import type { ProblemKind } from '../../../contract/states.ts';

/** The row that failed, and what it is linked to. */
export type FailureLinks = {
  account_id: string;
  /** The delivery, run, call, rejected request, connection or trigger. */
  subject_id: string;
  /** When it failed. */
  at: string;
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

/** What a failure says about its cause. */
export type Evidence =
  | {
      kind: 'DELIVERY';
      destination: Named;
      url: string;
      reason: string;
      status: number | null;
      body: string | null;
      message: string | null;
    }
  | {
      kind: 'RUN';
      fn: Named;
      isTimeout: boolean;
      error: { name: string; message: string; stack: string | null } | null;
    }
  | {
      kind: 'CALL';
      connection: Named;
      app: string;
      method: string;
      path: string;
      status: number | null;
      error: string | null;
    }
  | { kind: 'RENEWAL'; connection: Named; app: string; isFinal: boolean; message: string | null }
  | { kind: 'REJECTION'; trigger: Named; cause: string; message: string }
  | { kind: 'SCHEDULE'; trigger: Named }
  | { kind: 'POLL'; trigger: Named };

export type Named = { id: string; name: string };
export type FailureKind = ProblemKind;

/** `root`: the failure that caused it, such as the run of a failed delivery. */
export type Failure = { links: FailureLinks; evidence: Evidence; root: Evidence | null };
