/** Statuses of the service's own errors, and the `type` text of each. Zod-free. */
export const STATUS_TEXT = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
} as const;

export type ErrorStatus = keyof typeof STATUS_TEXT;

/** A location in a function's code: 1-based line and column. */
export type Problem = { file: string; line: number; column: number; text: string };

/**
 * What a person has to do before the request is sent again: confirm the password, or reload a page of the account that
 * the browser was signed in to before.
 */
export type Required = 'CONFIRM_PASSWORD' | 'RELOAD';

/**
 * The body of every error of the service. `problems` is present only if a function's code was rejected, `required` only
 * if the request can be sent again after it.
 */
export type ErrorBody = { message: string; type: string; code: number; problems?: Problem[]; required?: Required };
