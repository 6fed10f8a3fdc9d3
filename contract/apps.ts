/** Apps, their methods of authorization and their event types. */
import { z } from 'zod';
import { AppEvents } from './app-events.ts';
import { AppPaths } from './connections/app-paths.ts';
import { Name, StringMap, Timestamp, WebUrl } from './fields.ts';
import { AppGateway } from './gateway/app-gateway.ts';
import { Source } from './ingress.ts';
import { APP_CATEGORIES, AUTH_METHODS, CLIENT_METHODS, OAUTH_GRANTS, WEBHOOK_SIGNATURES } from './states.ts';

export const AppId = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, 'expected 1 to 64 lower-case letters, digits and hyphens');

/** One input of the connect form. `pattern` is a RE2 expression that the value must match. */
export const AppField = z.object({
  name: z.string(),
  label: z.string(),
  type: z.enum(['text', 'password', 'url', 'multiline']),
  secret: z.boolean(),
  required: z.boolean(),
  pattern: z.string().nullable(),
  help: z.string().nullable(),
  /** Used if nothing is entered. */
  default: z.string().optional(),
});
export const AppMethod = z.object({
  method: z.enum(AUTH_METHODS),
  fields: z.array(AppField),
  /** Requested scopes: those of the account (see app credentials), else the app's defaults. */
  scopes: z.array(z.string()),
  /**
   * Authorization at the provider (`authorization_code`, `device_code`), with the user's own client, or with a token that
   * is exchanged. Null for other methods.
   */
  grant: z.enum(OAUTH_GRANTS).nullable(),
  /** Whether it needs a client that the account registers with the app (app credentials), and whether one is stored. */
  needs_client: z.boolean(),
  has_client: z.boolean(),
});
export const EventType = z.object({
  event_type: z.string().meta({ description: "Dotted name: the app's own if it has a dot, otherwise <app>.<name>." }),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of the parameters of a trigger.' }),
  sample: z.unknown(),
});
const Template = z
  .string()
  .max(500)
  .regex(/^[\x20-\x7e]+$/, 'expected printable characters');
/** Where a credential is sent. `template` has fields as `{api_key}`, and tokens as `{access_token}` or `{token}`. */
const Place = z.strictObject({
  in: z.enum(['header', 'query']),
  name: z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'expected a header or query parameter name'),
  template: Template.regex(/\{\w+\}/, 'expected a placeholder such as {token}'),
});
const placeOf = (needed: string) =>
  Place.extend({
    template: Template.refine((text) => text.includes(needed), `expected the placeholder ${needed}`).default(needed),
  });
export const KeyPlace = placeOf('{api_key}');
/** In addition to the key. Each placeholder of a template becomes a secret field of the connect form. */
const MorePlaces = z.array(Place).max(5, 'expected at most 5 further places');
const TokenPlace = placeOf('{access_token}').default({
  in: 'header',
  name: 'Authorization',
  template: 'Bearer {access_token}',
});
/** A URL. `{placeholders}` in its host become fields of the connect form. */
const TemplateUrl = WebUrl;
const Scopes = z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'expected a scope')).max(100);
const Params = StringMap.refine((map) => Object.keys(map).length <= 20, 'expected at most 20 parameters');

const awsName = (example: string) =>
  z.string().regex(/^(?:[a-z0-9-]{1,60}|\{\w{1,60}\})$/, `expected a name such as ${example}, or a placeholder`);
const AwsScope = z.strictObject({ region: awsName('eu-central-1'), service: awsName('sqs') });
/** A POST with the entered values, whose response has the token that `place` inserts as `{access_token}`. */
const Login = z.strictObject({
  url: TemplateUrl,
  body: z.enum(['json', 'form']).default('json'),
  /** Members of the JSON object, or fields of the form. */
  params: Params.default({}),
  headers: Params.default({}),
  /** Path of the token in the JSON response, or `header:` and the name of a response header. */
  token_path: z
    .string()
    .max(200)
    .regex(
      /^(?:header:[A-Za-z0-9-]+|[^.\s]+(?:\.[^.\s]+){0,9})$/,
      'expected a path such as data.token, or header:X-Token',
    ),
  /** Path of the expiry: seconds from now, seconds or milliseconds since 1970, or a timestamp. */
  expires_path: z
    .string()
    .max(200)
    .regex(/^[^.\s]+(?:\.[^.\s]+){0,9}$/, 'expected a path such as data.expires_in')
    .nullable()
    .default(null),
  /** Lifetime of a token if the response does not contain it. */
  lives_seconds: z.int().min(60).max(31_536_000).nullable().default(null),
});

const CustomMethod = z.discriminatedUnion('method', [
  z.strictObject({
    method: z.literal('API_KEY'),
    /** Optional if the path of `base_url` or one of `more_places` has `{api_key}`. */
    place: KeyPlace.optional(),
    more_places: MorePlaces.optional(),
    /** Signs each request with AWS Signature Version 4. Users enter the keys; no place is used then. */
    aws: AwsScope.optional(),
  }),
  z.strictObject({
    method: z.literal('BASIC'),
    username_label: Name.optional(),
    password_label: Name.optional(),
    /** Exchanges `{username}` and `{password}` for an access token. */
    login: Login.extend({ place: TokenPlace }).optional(),
  }),
  z.strictObject({
    method: z.literal('JWT'),
    algorithm: z.enum(['RS256', 'ES256', 'HS256']),
    key_encoding: z.enum(['pem', 'utf8', 'hex', 'base64']).optional(),
    header: Params.optional(),
    claims: Params.optional(),
    lives_seconds: z.int().min(60).max(86_400).optional(),
    exchange: z
      .strictObject({ url: TemplateUrl, style: z.enum(['rfc7523', 'bearer']).optional(), scopes: Scopes.optional() })
      .nullable()
      .optional(),
    place: Place.optional(),
  }),
  z.strictObject({
    method: z.literal('OAUTH1'),
    request_url: TemplateUrl,
    authorize_url: TemplateUrl,
    access_url: TemplateUrl,
    signature: z.enum(['HMAC-SHA1', 'HMAC-SHA256', 'PLAINTEXT']).optional(),
  }),
  z.strictObject({
    method: z.literal('OAUTH2'),
    grant: z.enum(OAUTH_GRANTS).optional(),
    authorize_url: TemplateUrl.optional(),
    /** The device authorization URL (RFC 8628), for the grant `device_code`. */
    device_url: TemplateUrl.optional(),
    /** The type of the token that is exchanged (RFC 8693, section 3), for the grant `token_exchange`. */
    subject_token_type: z
      .string()
      .max(200)
      .regex(/^[\x21-\x7e]+$/, 'expected a URI, such as urn:ietf:params:oauth:token-type:jwt')
      .optional(),
    token_url: TemplateUrl,
    refresh_url: TemplateUrl.nullable().optional(),
    /** `basic_raw` is `basic` without form encoding. `basic` falls back to it after `invalid_client`. */
    client_auth: z.enum(['basic', 'basic_raw', 'post', 'json']).optional(),
    pkce: z.boolean().optional(),
    scopes: Scopes.optional(),
    scope_separator: z.enum([' ', ',']).optional(),
    authorize_params: Params.optional(),
    token_params: Params.optional(),
    place: TokenPlace.optional(),
  }),
  z.strictObject({
    method: z.literal('MCP'),
    server_url: TemplateUrl,
    /** `oauth` (default): discovery and client registration. `client`: a registered client. `token`: a static token. */
    auth: z.enum(['oauth', 'client', 'token']).optional(),
  }),
]);
/** A cheap request that tests credentials. `path` is relative to `base_url`. */
const Probe = z.strictObject({
  method: z.enum(['GET', 'POST']).default('GET'),
  path: z
    .string()
    .max(2048)
    .regex(/^\/[\x21-\x7e]*$/, 'expected a path that starts with /, without spaces'),
  body: z.string().max(4096).nullable().default(null),
});
const DefaultHeaders = StringMap.refine((map) => Object.keys(map).length <= 20, 'expected at most 20 headers');
export const AppCreate = z.strictObject({
  app: AppId,
  name: Name,
  /** Optional if every method has its own URL (MCP). */
  base_url: TemplateUrl.nullable().optional(),
  docs_url: WebUrl.nullable().optional(),
  default_headers: DefaultHeaders.optional(),
  probe: Probe.nullable().optional(),
  methods: z.array(CustomMethod).min(1, 'expected at least one method').max(AUTH_METHODS.length),
  /** Events that the app sends to webhook endpoints of triggers. */
  events: AppEvents.nullable().optional(),
  /** Further hosts, links to rewrite and timeout of calls through the gateway. */
  gateway: AppGateway.optional(),
  /** Requests to suggest. Listed by `GET /apps/{app}/paths`. */
  paths: AppPaths.optional(),
});
/** Replaces the fields that are present, `methods` as a whole. Connections keep their credentials. */
export const AppUpdate = z.strictObject({
  name: Name.optional(),
  base_url: TemplateUrl.nullable().optional(),
  docs_url: WebUrl.nullable().optional(),
  default_headers: DefaultHeaders.optional(),
  probe: Probe.nullable().optional(),
  methods: AppCreate.shape.methods.optional(),
  events: AppEvents.nullable().optional(),
  gateway: AppGateway.optional(),
  paths: AppPaths.optional(),
});

export const App = z.object({
  app: z.string(),
  name: z.string(),
  description: z.string(),
  category: z.enum(APP_CATEGORIES),
  base_url: z.string().nullable(),
  icon: z.string().nullable(),
  docs_url: z.string().nullable(),
  custom: z.boolean(),
  /** Headers the gateway sends when the caller sends none of that name. */
  default_headers: StringMap,
  /** How the app signs requests to our webhook endpoints. */
  webhook: z
    .object({ kind: z.enum(WEBHOOK_SIGNATURES), header: z.string().nullable(), docs_url: z.string() })
    .nullable(),
  methods: z.array(AppMethod),
  event_types: z.array(EventType),
  /** How its events arrive; null for an app without events. */
  source: Source.nullable(),
  /** Further hosts, links and timeout of calls through the gateway. */
  gateway: AppGateway,
  /** The definition of a custom app without `paths`, in the form that an update accepts; null for a built-in app. */
  definition: AppCreate.nullable(),
});

/**
 * The client that the account registered with an app, for methods that authorize at the provider. Reads never contain
 * the secret.
 */
export const AppCredential = z.object({
  method: z.enum(CLIENT_METHODS),
  /** The redirect URL to register at the provider, character by character. */
  redirect_url: z.string(),
  /** Null until one is set. */
  client_id: z.string().nullable(),
  /** A public client has none. */
  has_secret: z.boolean(),
  /** Null requests `default_scopes`. */
  scopes: z.array(z.string()).nullable(),
  default_scopes: z.array(z.string()),
  updated_at: Timestamp.nullable(),
});
export const AppCredentialPut = z.strictObject({
  client_id: z
    .string()
    .trim()
    .regex(/^[\x20-\x7e]{1,1000}$/, 'expected 1 to 1000 printable characters'),
  /** Unchanged if omitted; null for a public client, which has none. */
  client_secret: z
    .string()
    .trim()
    .regex(/^[\x20-\x7e]{1,4000}$/, 'expected 1 to 4000 printable characters')
    .nullable()
    .optional(),
  scopes: Scopes.nullable().optional(),
});
export const ClientMethod = z.enum(CLIENT_METHODS);
