/** Checks of a custom app before it is sent. The service checks the rest. */
import * as z from 'zod/mini';
import { type AuthMethod, OAUTH_GRANTS } from '../../../../contract/states.ts';
import { eventProblems, eventsSchema } from './event-check.ts';
import { type Gateway, gatewayProblems } from './gateway-values.ts';
import { pairsProblem } from './pairs.ts';
import { type AppValues, type PlaceValues, placesProblem, usedOf } from './values.ts';

type Problem = readonly [path: string, message: string];

const ADDRESS = 'Enter a URL that starts with https:// or http://.';
const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text);
const address = (path: string, text: string): Problem[] => (isAddress(text) ? [] : [[path, ADDRESS]]);
const addressOrNothing = (path: string, text: string): Problem[] => (text === '' ? [] : address(path, text));
const problemAt = (path: string, problem: string | undefined): Problem[] =>
  problem === undefined ? [] : [[path, problem]];

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
function place(path: string, { name, template }: Omit<PlaceValues, 'in'>, needed: string): Problem[] {
  return [
    ...problemAt(`${path}.name`, NAME.test(name) ? undefined : 'Use letters, digits and hyphens only.'),
    ...problemAt(`${path}.template`, template.includes(needed) ? undefined : `Include ${needed}.`),
  ];
}

/** The service checks the members. */
function loginProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    const login: unknown = JSON.parse(text);
    if (typeof login === 'object' && login !== null && !Array.isArray(login)) return undefined;
  } catch {
    // reported below
  }
  return 'Enter a JSON object with url, params and token_path.';
}

const METHOD_PROBLEMS: Record<AuthMethod, (values: AppValues) => Problem[]> = {
  API_KEY: ({ base_url, API_KEY: { place: put, more_places } }) => [
    ...(put.in !== 'address'
      ? place('API_KEY.place', put, '{api_key}')
      : base_url.includes('{api_key}') || more_places.includes('{api_key}')
        ? []
        : problemAt('base_url', 'Include {api_key} at the place of the key.')),
    ...problemAt('API_KEY.more_places', placesProblem(more_places)),
  ],
  BASIC: ({ BASIC: { login } }) => problemAt('BASIC.login', loginProblem(login)),
  JWT: ({ JWT: { header, claims, lives_seconds, exchange, place: put } }) => [
    ...problemAt('JWT.header', pairsProblem(header, 'kid: {key_id}')),
    ...problemAt('JWT.claims', pairsProblem(claims, 'iss: {issuer}')),
    ...problemAt('JWT.lives_seconds', /^\d{2,5}$/.test(lives_seconds) ? undefined : 'Enter 60 to 86400 seconds.'),
    ...(exchange.style === 'none' ? [] : address('JWT.exchange.url', exchange.url)),
    ...place('JWT.place', put, exchange.style === 'none' ? '{token}' : '{access_token}'),
  ],
  OAUTH1: ({ OAUTH1 }) => [
    ...address('OAUTH1.request_url', OAUTH1.request_url),
    ...address('OAUTH1.authorize_url', OAUTH1.authorize_url),
    ...address('OAUTH1.access_url', OAUTH1.access_url),
  ],
  OAUTH2: ({ OAUTH2 }) => [
    ...(OAUTH2.grant === 'authorization_code' ? address('OAUTH2.authorize_url', OAUTH2.authorize_url) : []),
    ...(OAUTH2.grant === 'device_code' ? address('OAUTH2.device_url', OAUTH2.device_url) : []),
    ...address('OAUTH2.token_url', OAUTH2.token_url),
    ...addressOrNothing('OAUTH2.refresh_url', OAUTH2.refresh_url),
    ...problemAt('OAUTH2.authorize_params', pairsProblem(OAUTH2.authorize_params, 'access_type: offline')),
    ...problemAt('OAUTH2.token_params', pairsProblem(OAUTH2.token_params, 'audience: api')),
    ...place('OAUTH2.place', OAUTH2.place, '{access_token}'),
  ],
  MCP: ({ MCP }) => address('MCP.server_url', MCP.server_url),
};

/** The first problem of each field; those of unused methods are ignored. */
export function problemsOf(values: AppValues): Problem[] {
  const used = usedOf(values);
  const onlyMcp = used.length === 1 && used[0] === 'MCP';
  return [
    ...problemAt('uses', used.length > 0 ? undefined : 'Choose at least one method.'),
    ...(onlyMcp ? addressOrNothing('base_url', values.base_url) : address('base_url', values.base_url)),
    ...addressOrNothing('docs_url', values.docs_url),
    ...problemAt('default_headers', pairsProblem(values.default_headers, 'X-Api-Version: 2026-01-01')),
    ...problemAt('probe', /^(?:\/[\x21-\x7e]*)?$/.test(values.probe) ? undefined : 'Enter a path that starts with /.'),
    ...used.flatMap((method) => METHOD_PROBLEMS[method](values)),
    ...eventProblems(values.events),
    ...gatewayProblems(values.gateway),
  ];
}

const text = z.string().check(z.trim());
const where = <const T extends readonly string[]>(places: T) =>
  z.object({ in: z.enum(places), name: text, template: text });

export const appSchema = z
  .object({
    name: text.check(z.minLength(1, 'Enter a name.'), z.maxLength(100, 'Enter at most 100 characters.')),
    app: text.check(
      z.regex(
        /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
        'Use 1 to 64 lower-case letters, digits and hyphens. It can’t start or end with a hyphen.',
      ),
    ),
    base_url: text,
    docs_url: text,
    default_headers: z.string(),
    probe: text,
    uses: z.array(z.enum(['API_KEY', 'BASIC', 'JWT', 'OAUTH1', 'OAUTH2', 'MCP'])),
    API_KEY: z.object({ place: where(['header', 'query', 'address']), more_places: z.string() }),
    BASIC: z.object({ username_label: text, password_label: text, login: z.string() }),
    JWT: z.object({
      algorithm: z.enum(['RS256', 'ES256', 'HS256']),
      key_encoding: z.enum(['utf8', 'hex', 'base64']),
      header: z.string(),
      claims: z.string(),
      lives_seconds: text,
      exchange: z.object({ style: z.enum(['none', 'rfc7523', 'bearer']), url: text, scopes: z.string() }),
      place: where(['header', 'query']),
    }),
    OAUTH1: z.object({
      request_url: text,
      authorize_url: text,
      access_url: text,
      signature: z.enum(['HMAC-SHA1', 'HMAC-SHA256', 'PLAINTEXT']),
    }),
    OAUTH2: z.object({
      grant: z.enum(OAUTH_GRANTS),
      authorize_url: text,
      device_url: text,
      subject_token_type: text,
      token_url: text,
      refresh_url: text,
      client_auth: z.enum(['basic', 'basic_raw', 'post', 'json']),
      pkce: z.boolean(),
      scopes: z.string(),
      scope_separator: z.enum([' ', ',']),
      authorize_params: z.string(),
      token_params: z.string(),
      place: where(['header', 'query']),
    }),
    MCP: z.object({ server_url: text, auth: z.enum(['oauth', 'client', 'token']) }),
    events: eventsSchema,
    gateway: z.object({
      hosts: z.string(),
      link_header: z.boolean(),
      json_links: z.string(),
      rewrite_links: z.boolean(),
      answer_seconds: text,
      failure: z.custom<Gateway['failure']>(),
    }),
    paths: z.string(),
  })
  .check((context) => {
    for (const [path, message] of problemsOf(context.value))
      context.issues.push({ code: 'custom', path: path.split('.'), message, input: context.value });
  });
