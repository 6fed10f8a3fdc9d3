/** Error responses of each operation, and their descriptions in the OpenAPI document. */
import { type ErrorStatus, STATUS_TEXT } from '../../../contract/errors.ts';
import { type Operation, routes } from '../../../contract/routes.ts';
import type { JsonSchema } from './openapi-schema.ts';

const MEANINGS: Record<ErrorStatus, string> = {
  400: 'The request is invalid: `message` names the field and what was expected.',
  401: 'No API key or session, or one that is invalid, expired or revoked.',
  403: 'The member’s role or the API key’s limits do not allow this, or a session’s request came from another site.',
  404: 'The resource does not exist or belongs to another account.',
  405: 'The path does not support this method: `Allow` lists the supported ones.',
  408: 'The request did not arrive in time.',
  409: 'The change conflicts with the stored state, or the Idempotency-Key belongs to another request.',
  413: 'The body is too large.',
  415: 'The body is not `application/json`, or is encoded.',
  421: 'The host does not belong to this service: use the configured URL.',
  429: 'Too many requests: wait for the time in `Retry-After`, then back off exponentially.',
  431: 'The headers are larger than 64 KiB.',
  500: 'Internal error: quote the X-Request-Id when reporting it.',
  502: 'The app could not be reached, or returned an invalid response.',
  503: 'The service is temporarily unavailable: retry after `Retry-After`.',
  504: 'The app did not respond in time.',
};
const HEADERS: Partial<Record<ErrorStatus, string[]>> = {
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Errors of every operation. */
const ALWAYS = [400, 405, 408, 413, 421, 429, 431, 500, 503] as const;
/** Errors of operations that send requests to an app. */
const BY_APP: ErrorStatus[] = [502, 504];
/** In addition to those that follow from the route. */
const ALSO: Partial<Record<Operation, readonly ErrorStatus[]>> = {
  sessionCreate: [401],
  sessionList: [401],
  sessionRevoke: [401, 404],
  sessionSwitch: [401, 404],
  accountCreate: [401, 403],
  passwordChange: [401],
  passwordConfirm: [401, 409],
  sessionFactor: [401],
  sessionPasskey: [401, 409],
  passkeyRequest: [401, 409],
  factorList: [401],
  passkeyOptions: [401, 409],
  passkeyCreate: [401, 409],
  passkeyUpdate: [401],
  passkeyDelete: [401, 409],
  authenticatorCreate: [401, 409],
  authenticatorConfirm: [401, 409],
  authenticatorDelete: [401, 404, 409],
  recoveryCodeCreate: [401, 409],
  invitationRead: [404],
  invitationAccept: [404, 409],
  signInStart: [401, 404, 502],
  signInFinish: [401, 502],
  signInLink: [401, 409],
  identityProviderUpdate: [409],
  identityProviderDelete: [409],
  accountUpdate: [409],
  impactGet: [404],
  savedSearchDelete: [409],
  runListAll: [404],
  runStats: [404],
  connectionTest: BY_APP,
  connectionRequest: BY_APP,
  connectionToolList: BY_APP,
  connectionToolCall: BY_APP,
};

/** The error statuses of an operation in ascending order. */
export function errorStatuses(name: Operation): ErrorStatus[] {
  const { method, path, auth } = routes[name];
  const statuses = new Set<ErrorStatus>([...ALWAYS, ...(ALSO[name] ?? [])]);
  if (auth !== 'public') statuses.add(401).add(403);
  if (path.includes('{')) statuses.add(404);
  if (method !== 'GET') statuses.add(403).add(415);
  if (method === 'POST' && auth === 'account') statuses.add(409);
  return [...statuses].sort((a, b) => a - b);
}

const nameOf = (status: ErrorStatus) => STATUS_TEXT[status].replaceAll(' ', '');

/** `responses` of an operation: a reference for each error. */
export const errorResponses = (name: Operation): JsonSchema =>
  Object.fromEntries(
    errorStatuses(name).map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
  );

/** What `errorResponses` refers to. */
export const errorComponents = (): JsonSchema =>
  Object.fromEntries(
    (Object.keys(STATUS_TEXT).map(Number) as ErrorStatus[]).map((status) => [
      nameOf(status),
      {
        description: MEANINGS[status],
        headers: Object.fromEntries(
          ['X-Request-Id', ...(HEADERS[status] ?? [])].map((header) => [header, { schema: { type: 'string' } }]),
        ),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
