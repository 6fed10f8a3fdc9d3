/** Converts rows of failures to evidence of their causes. Rows that are no failure of the account give none. */

import { timestampAt } from '../../lib/clock.ts';
import { msOf } from '../../lib/ids.ts';
import type * as rows from '../store/failures.ts';
import type { Evidence, Failure, FailureLinks } from './failures.ts';

type Found = Failure & { names: Partial<Record<'TRIGGER' | 'DESTINATION' | 'FUNCTION' | 'CONNECTION', string>> };

const NO_LINKS = {
  event_id: null,
  trigger_id: null,
  delivery_id: null,
  destination_id: null,
  run_id: null,
  function_id: null,
  version: null,
  call_id: null,
  connection_id: null,
} satisfies Omit<FailureLinks, 'account_id' | 'subject_id' | 'at'>;

/** Runs that a member started, not a source. */
const BY_HAND = ['CONSOLE', 'TEST', 'BISECT'];
/** Errors of the service and of the caller, not of the function. */
const NOT_OF_CODE = ['ServiceStopped', 'CallerGone'];
/** With these statuses an app answers a question, such as whether something exists. */
const ANSWERS = [404, 409, 410, 412, 416];

export function fromAttempt(row: rows.FailedAttempt): Found | null {
  const { account_id, at, delivery_id, event_id, trigger_id, destination_id, run_id, function_id, version } = row;
  if (row.reason === 'CANCELED') return null;
  const { call_id, connection_id } = row;
  return {
    links: {
      ...{ account_id, subject_id: delivery_id, at, event_id, trigger_id, delivery_id, destination_id },
      ...{ run_id, function_id, version, call_id, connection_id },
    },
    evidence: {
      kind: 'DELIVERY',
      destination: { id: destination_id, name: row.destination_name },
      url: row.url,
      reason: row.reason,
      status: row.status,
      body: row.body,
      message: row.message,
    },
    root: callOf(row) ?? (run_id === null ? null : runOf({ ...row, error: row.run_error, status: row.run_status })),
    names: withoutEmpty({
      DESTINATION: row.destination_name,
      FUNCTION: row.function_name,
      CONNECTION: row.connection_name,
    }),
  };
}

export function fromRun(row: rows.FailedRun): Found | null {
  const evidence = runOf(row);
  if (!evidence || BY_HAND.includes(row.caller ?? '')) return null;
  const { account_id, at, run_id, function_id, version, event_id, trigger_id, delivery_id, call_id, connection_id } =
    row;
  return {
    links: {
      ...{ ...NO_LINKS, account_id, subject_id: run_id, at, run_id, function_id, version },
      ...{ event_id, trigger_id, delivery_id, call_id, connection_id },
    },
    evidence,
    root: callOf(row),
    names: withoutEmpty({ FUNCTION: row.function_name, CONNECTION: row.connection_name }),
  };
}

export function fromCall(row: Omit<rows.FailedCall, 'at'>): Found | null {
  const { account_id, call_id, connection_id, run_id, status, error } = row;
  if (status === null ? error === null : ANSWERS.includes(status)) return null;
  const connection = { id: connection_id, name: row.connection_name ?? row.app };
  return {
    links: { ...NO_LINKS, account_id, subject_id: call_id, at: timeOf(call_id), call_id, connection_id, run_id },
    evidence: { kind: 'CALL', connection, app: row.app, method: row.method, path: row.path, status, error },
    root: null,
    names: { CONNECTION: connection.name },
  };
}

export function fromRejection(row: Omit<rows.Rejected, 'at'>): Found | null {
  const { account_id, rejection_id, trigger_id, trigger_name, cause, message } = row;
  if (trigger_name === null) return null;
  return {
    links: { ...NO_LINKS, account_id, subject_id: rejection_id, at: timeOf(rejection_id), trigger_id },
    evidence: { kind: 'REJECTION', trigger: { id: trigger_id, name: trigger_name }, cause, message },
    root: null,
    names: { TRIGGER: trigger_name },
  };
}

export function fromConnection(row: rows.FailingConnection): Found {
  const { account_id, connection_id, app, since, is_final, message } = row;
  const connection = { id: connection_id, name: row.name ?? app };
  return {
    links: { ...NO_LINKS, account_id, subject_id: connection_id, at: since, connection_id },
    evidence: { kind: 'RENEWAL', connection, app, isFinal: is_final, message },
    root: null,
    names: { CONNECTION: connection.name },
  };
}

export function fromTrigger({ account_id, trigger_id, name, kind, since }: rows.FailingTrigger): Found {
  return {
    links: { ...NO_LINKS, account_id, subject_id: trigger_id, at: since, trigger_id },
    evidence: { kind, trigger: { id: trigger_id, name } },
    root: null,
    names: { TRIGGER: name },
  };
}

type OfRun = Pick<rows.FailedRun, 'error'> & {
  function_id: string | null;
  function_name: string | null;
  status: string | null;
};

/** The failure of a run; null if it succeeded, or if its code is not the cause. */
function runOf({ function_id, function_name, error, status }: OfRun): Evidence | null {
  if (function_id === null || (status !== 'ERROR' && status !== 'TIMEOUT')) return null;
  const thrown = errorOf(error);
  if (NOT_OF_CODE.includes(thrown?.name ?? '')) return null;
  return {
    kind: 'RUN',
    fn: { id: function_id, name: function_name ?? 'deleted function' },
    isTimeout: status === 'TIMEOUT',
    error: thrown,
  };
}

type Thrown = { name: string; message: string; stack: string | null };

/** The error as it is stored; a long one was cut, and has only its beginning. */
function errorOf(text: string | null): Thrown | null {
  if (text === null) return null;
  try {
    return JSON.parse(text) as Thrown;
  } catch {
    return { name: /"name":"([^"\\]{1,200})"/.exec(text)?.[1] ?? 'Error', message: text.slice(0, 4096), stack: null };
  }
}

/** The gateway call that made a run fail. */
function callOf(
  row: Pick<
    rows.FailedRun,
    'call_id' | 'connection_id' | 'connection_name' | 'app' | 'call_method' | 'call_path' | 'call_status' | 'call_error'
  >,
): Evidence | null {
  const { call_id, connection_id, app } = row;
  if (call_id === null || connection_id === null || app === null) return null;
  return {
    kind: 'CALL',
    connection: { id: connection_id, name: row.connection_name ?? app },
    app,
    method: row.call_method ?? '',
    path: row.call_path ?? '',
    status: row.call_status,
    error: row.call_error,
  };
}

const timeOf = (id: string): string => timestampAt(msOf(id));

const withoutEmpty = (names: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).flatMap(([kind, name]) => (name === null ? [] : [[kind, name]])));
