import type { ErrorStatus, Problem, Required } from '../../contract/errors.ts';
import type { Factor } from '../../contract/states.ts';

/** An error response: thrown by verbs, converted into the documented error body by the HTTP layer. */
export class Failure extends Error {
  override name = 'Failure';
  readonly status: ErrorStatus;
  readonly headers: Record<string, string>;
  readonly problems: Problem[] | undefined;
  readonly required: Required | undefined;
  readonly factors: Factor[] | undefined;

  constructor(
    status: ErrorStatus,
    message: string,
    more: { headers?: Record<string, string>; problems?: Problem[]; required?: Required; factors?: Factor[] } = {},
  ) {
    super(message);
    this.status = status;
    this.headers = more.headers ?? {};
    this.problems = more.problems;
    this.required = more.required;
    this.factors = more.factors;
  }
}

/** The request is invalid: name the field and the expected value. */
export const badRequest = (message: string) => new Failure(400, message);
/** The resource does not exist or belongs to another account; the response is the same. */
export const notFound = (what: string) => new Failure(404, `${what} not found`);
export const conflict = (message: string) => new Failure(409, message);
export const forbidden = (message: string) => new Failure(403, message);
