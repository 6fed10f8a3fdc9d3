/** Error responses of each operation, and their descriptions in the OpenAPI document. */
import { type ErrorStatus, type Required, STATUS_TEXT } from '../../../contract/errors.ts';
import { type Operation, routes } from '../../../contract/routes.ts';
import { FACTORS } from '../../../contract/states.ts';
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
/** Errors of every operation, which the document describes once: as the `default` response. */
export const ALWAYS = [401, 403, 405, 408, 413, 415, 421, 429, 431, 500, 503] as const satisfies ErrorStatus[];
/** Errors of operations that send requests to an app. */
const BY_APP: ErrorStatus[] = [502, 504];
/** In addition to those that follow from the route. */
const ALSO: Partial<Record<Operation, readonly ErrorStatus[]>> = {
  sessionCreate: [401],
  callList: [404],
  captureCreate: [404],
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
  connectionBulk: [404],
  connectionTest: BY_APP,
  connectionRequest: BY_APP,
  connectionToolList: BY_APP,
  connectionToolCall: BY_APP,
};

/** The error statuses of an operation in ascending order, without those of every operation. */
export function errorStatuses(name: Operation): ErrorStatus[] {
  const { method, path, auth } = routes[name];
  const statuses = new Set<ErrorStatus>([400, ...(ALSO[name] ?? [])]);
  if (path.includes('{')) statuses.add(404);
  if (method === 'POST' && auth === 'account') statuses.add(409);
  return [...statuses].sort((a, b) => a - b);
}

/** `responses` of an operation: a reference for each error, and `default` for those of every operation. */
export const errorResponses = (name: Operation): JsonSchema => ({
  ...Object.fromEntries(errorStatuses(name).map((status) => [status, { $ref: `#/components/responses/${status}` }])),
  default: { $ref: '#/components/responses/default' },
});

const isAlways = (status: ErrorStatus): boolean => (ALWAYS as readonly number[]).includes(status);
const ofStatus = (status: ErrorStatus) => ({ message: EXAMPLES[status], type: STATUS_TEXT[status], code: status });
const header = (name: string) => [name, { $ref: `#/components/headers/${name}` }];

/** What `errorResponses` refers to. */
export function errorComponents(): JsonSchema {
  const statuses = Object.keys(STATUS_TEXT).map(Number) as ErrorStatus[];
  const schema = { $ref: '#/components/schemas/Error' };
  const headers = Object.fromEntries([header('X-Request-Id')]);
  // Operations without an API key list 401 and 403 if they return them.
  const isListed = (status: ErrorStatus) => !isAlways(status) || status === 401 || status === 403;
  const lines = ALWAYS.map((status) => `- **${status} ${STATUS_TEXT[status]}**: ${MEANINGS[status]}`);
  const examples = Object.fromEntries(
    ALWAYS.map((status) => [status, { summary: STATUS_TEXT[status], value: ofStatus(status) }]),
  );
  return {
    ...Object.fromEntries(
      statuses.filter(isListed).map((status) => [
        status,
        {
          description: MEANINGS[status],
          headers,
          content: { 'application/json': { schema, example: ofStatus(status) } },
        },
      ]),
    ),
    default: {
      description: `Any operation can return these errors:\n${lines.join('\n')}`,
      headers: Object.fromEntries(['X-Request-Id', 'Allow', 'Retry-After'].map(header)),
      content: { 'application/json': { schema, examples } },
    },
  };
}

const EXAMPLES: Record<ErrorStatus, string> = {
  400: 'name: expected at least one character',
  401: 'The API key is invalid or revoked.',
  403: 'Your role is VIEWER; this needs ADMIN.',
  404: 'Trigger not found',
  405: 'Expected one of GET, PATCH, DELETE.',
  408: 'The request did not arrive in time.',
  409: 'version: version 4 is live by now',
  413: 'The body is larger than 1 MiB.',
  415: 'Content-Type: expected application/json',
  421: 'Host: this service is at https://sluice.example.com',
  429: 'Too many requests: at most 50 per second',
  431: 'The headers are larger than 64 KiB.',
  500: 'Internal error. Quote the X-Request-Id when reporting it.',
  502: 'The app could not be reached: connection refused',
  503: 'The service is shutting down.',
  504: 'The app did not respond in time.',
};

/** The body of every error. */
export const errorSchemas = (): Record<string, JsonSchema> => ({
  Error: {
    description: 'The body of every error.',
    type: 'object',
    required: ['message', 'type', 'code'],
    properties: {
      message: {
        description: 'What is wrong. It begins with the field, if one is wrong.',
        type: 'string',
        examples: ['name: expected at least one character'],
      },
      type: { description: 'The status in words.', type: 'string', examples: ['Bad Request'] },
      code: { description: 'The status.', type: 'integer', examples: [400] },
      problems: {
        description: 'Errors in a function’s code, with their locations.',
        type: 'array',
        items: { $ref: '#/components/schemas/CodeProblem' },
      },
      required: {
        description: 'What a person has to do first.',
        enum: ['CONFIRM_PASSWORD', 'SECOND_FACTOR', 'SET_UP_SECOND_FACTOR', 'RELOAD'] satisfies Required[],
        examples: ['CONFIRM_PASSWORD'],
      },
      factors: {
        description: 'With SECOND_FACTOR: the factors that the person can use.',
        type: 'array',
        items: { enum: FACTORS },
        examples: [['PASSKEY']],
      },
    },
  },
  CodeProblem: {
    description: 'An error in a function’s code.',
    type: 'object',
    required: ['file', 'line', 'column', 'text'],
    properties: {
      file: { description: 'The path of the file.', type: 'string', examples: ['index.ts'] },
      line: { description: 'The line, from 1.', type: 'integer', examples: [3] },
      column: { description: 'The column, from 1.', type: 'integer', examples: [14] },
      text: { description: 'What is wrong.', type: 'string', examples: ['Expected ";" but found "return"'] },
    },
  },
});
