/**
 * Errors of an outage in the log. While the database is away every request and every worker fails for the same reason:
 * their lines name the cause, and one stack in a while is enough to see where it comes from.
 */

const STACK_EVERY_MS = 10_000;
let lastStackMs = Number.NEGATIVE_INFINITY;

/** Fields for a log line: the whole error, or only its cause in an outage whose stack was logged recently. */
export function errorFields(error: unknown): { err: unknown } | { cause: string } {
  if (!isOutage(error)) return { err: error };
  const nowMs = performance.now();
  const fields = { cause: causeOf(error) };
  if (nowMs - lastStackMs < STACK_EVERY_MS) return fields;
  lastStackMs = nowMs;
  return { err: error, ...fields };
}

/**
 * Whether this is a database error that passes and that no caller made: a login is refused or a session ended (FATAL);
 * disk, memory or connections run short (class 53); a connection breaks (08, 57P and the socket's own codes); a
 * statement or a lock takes too long (57014, 55P03); transactions conflict (40001, 40P01); the server is read-only, as
 * a standby is (25006). Codes: PostgreSQL manual, appendix A.
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
