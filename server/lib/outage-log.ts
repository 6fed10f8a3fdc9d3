/**
 * Log fields for errors during an outage. While the database is down, every request and worker fails for the same
 * reason: their log lines contain the cause, and a stack is logged once in 10 s.
 */

const STACK_EVERY_MS = 10_000;
let lastStackMs = Number.NEGATIVE_INFINITY;

/** Fields for a log line: the error, or only its cause during an outage whose stack was logged recently. */
export function errorFields(error: unknown): { err: unknown } | { cause: string } {
  if (!isOutage(error)) return { err: error };
  const nowMs = performance.now();
  const fields = { cause: causeOf(error) };
  if (nowMs - lastStackMs < STACK_EVERY_MS) return fields;
  lastStackMs = nowMs;
  return { err: error, ...fields };
}

/**
 * Whether this is a temporary database error that no caller caused: a login is refused or a session ended (FATAL);
 * disk, memory or connections are exhausted (class 53); a connection breaks (08, 57P and the socket's codes); a
 * statement or a lock times out (57014, 55P03); transactions conflict (40001, 40P01); the server is read-only, like a
 * standby (25006). Codes: PostgreSQL manual, appendix A.
 */
export function isOutage(thrown: unknown): thrown is Error {
  if (!(thrown instanceof Error)) return false;
  const { code = '', severity } = thrown as { code?: unknown; severity?: unknown };
  return (
    severity === 'FATAL' ||
    /^(08|53|57P|57014$|55P03$|40001$|40P01$|25006$)/.test(String(code)) ||
    /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/.test(String(code)) ||
    /Connection terminated|timeout exceeded when trying to connect/.test(thrown.message)
  );
}

function causeOf(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? `${error.message} (${code})` : error.message;
}
