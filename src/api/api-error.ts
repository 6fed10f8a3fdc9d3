import type { ErrorBody, Problem, Required } from '../../contract/errors.ts';
import type { Factor } from '../../contract/states.ts';

/** A failed API call, with the service's error message. `status` 0: no response was received. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly requestId: string | undefined;
  readonly problems: readonly Problem[];
  /** What has to be done before the request is sent again. */
  readonly required: Required | undefined;
  /** The second factors that the person can use, if one is required. */
  readonly factors: readonly Factor[];
  /** From the Retry-After header, if present. */
  readonly retryAfterMs: number | undefined;

  constructor(given: {
    status: number;
    message: string;
    type: string;
    requestId?: string | undefined;
    problems?: readonly Problem[] | undefined;
    required?: Required | undefined;
    factors?: readonly Factor[] | undefined;
    retryAfterMs?: number | undefined;
  }) {
    super(given.message);
    this.name = 'ApiError';
    this.status = given.status;
    this.type = given.type;
    this.requestId = given.requestId;
    this.problems = given.problems ?? [];
    this.required = given.required;
    this.factors = given.factors ?? [];
    this.retryAfterMs = given.retryAfterMs;
  }
}

export function isErrorBody(value: unknown): value is ErrorBody {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}

/** Reads an error response. A proxy may have sent it, so its body can have any shape. */
export async function errorOf(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const body: unknown = await response.json().catch(() => undefined);
  const said = isErrorBody(body) ? body : undefined;
  return new ApiError({
    status: response.status,
    message: said?.message ?? `The service responded with ${response.status} ${response.statusText}`.trim(),
    type: said?.type ?? response.statusText,
    requestId,
    problems: said?.problems,
    required: said?.required,
    factors: said?.factors,
    retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1000 : undefined,
  });
}

/** Converts any thrown value into an error that can be displayed. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new ApiError({ status: -1, type: 'Error', message });
}
