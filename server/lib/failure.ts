import type { ErrorStatus, Problem } from '../../contract/errors.ts';

/** An answer that isn't a success: thrown by verbs, turned into the described error body at the edge. */
export class Failure extends Error {
  override name = 'Failure';
  readonly status: ErrorStatus;
  readonly headers: Record<string, string>;
  readonly problems: Problem[] | undefined;

  constructor(
    status: ErrorStatus,
    message: string,
    more: { headers?: Record<string, string>; problems?: Problem[] } = {},
  ) {
    super(message);
    this.status = status;
    this.headers = more.headers ?? {};
    this.problems = more.problems;
  }
}

/** What the caller sent is wrong: name the field and what was expected. */
export const badRequest = (message: string) => new Failure(400, message);
/** It doesn't exist, or belongs to somebody else: the two are never distinguished. */
export const notFound = (what: string) => new Failure(404, `${what} not found`);
export const conflict = (message: string) => new Failure(409, message);
export const forbidden = (message: string) => new Failure(403, message);
