/** Statuses of the service's own errors, and the `type` text of each. Zod-free. */
import type { Factor } from './states.ts';

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
 * What a person has to do first. CONFIRM_PASSWORD and SET_UP_SECOND_FACTOR: then the request can be sent again.
 * SECOND_FACTOR: the password is right, and `POST /session:factor` completes the sign-in. RELOAD: the page shows an
 * account that the browser is no longer signed in to.
 */
export type Required = 'CONFIRM_PASSWORD' | 'SECOND_FACTOR' | 'SET_UP_SECOND_FACTOR' | 'RELOAD';

/**
 * The body of every error of the service. `problems` is present only if a function's code was rejected, `required` only
 * if a person has to do something first, `factors` only with SECOND_FACTOR: those that the person can use.
 */
export type ErrorBody = {
  message: string;
  type: string;
  code: number;
  problems?: Problem[];
  required?: Required;
  factors?: Factor[];
};
