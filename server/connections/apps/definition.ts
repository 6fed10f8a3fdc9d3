/**
 * Apps.
 *
 * An app is one declarative file: its base URL, its authorization methods and the events it sends. It contains no code,
 * so the connect form, the console's lists and the gateway's requests are derived from the same data. Accounts add
 * custom apps with `POST /apps`; those have the same form and are stored in the table `apps`.
 *
 * `{name}` in a base URL or in the template of a placement is replaced by the entered value of that field.
 * `compile.ts` validates a definition once and returns what the gateway needs to call the app with a connection.
 * A source without an API (schedule) has no base URL and no methods.
 */
import type { z } from 'zod';
import type { AppField } from '../../../contract/apps.ts';
import type { AppGateway } from '../../../contract/gateway/app-gateway.ts';
import type { AppCategory } from '../../../contract/states.ts';
import type { HookApi } from './hook-api.ts';
import type { EventTypeDefinition, Reference, SourceDefinition } from './source.ts';

export type FieldDefinition = z.output<typeof AppField>;

/** A place in the request where a credential is inserted. It replaces a value that the caller sent under that name. */
export type Placement = { in: 'header' | 'query'; name: string; template: string };

/**
 * A login: a POST with the entered values, whose response has the access token. Placements insert it as
 * `{access_token}`.
 */
export type Login = {
  /** Template over the fields. */
  url: string;
  body: 'json' | 'form';
  /** Members of the JSON object, or fields of the form: templates over the fields. */
  params: Record<string, string>;
  /** Templates over the fields. */
  headers: Record<string, string>;
  /** Dotted path of the token in the JSON response, or `header:` and the name of a response header. */
  token_path: string;
  /** Dotted path of the expiry: seconds from now, seconds or milliseconds since 1970, or a timestamp. */
  expires_path: string | null;
  /** Lifetime of a token if the response does not contain it; null if it is used until the app rejects it. */
  lives_seconds: number | null;
};

/** The entered values are sent with each request, unchanged, sign it (`aws`), or are exchanged for a token (`login`). */
export type ApiKeyMethod = {
  method: 'API_KEY';
  fields: FieldDefinition[];
  put: Placement[];
  aws?: AwsSignature;
  login?: Login;
};

/** AWS Signature Version 4 of each request. Templates over the fields. */
export type AwsSignature = {
  access_key_id: string;
  secret_access_key: string;
  /** Its field may be empty. */
  session_token: string;
  region: string;
  service: string;
};

/** `Authorization: Basic base64(username:password)`. Both are templates over the fields; either may be constant. */
export type BasicMethod = {
  method: 'BASIC';
  fields: FieldDefinition[];
  username: string;
  password: string;
  /** Exchanges user name and password for an access token, which `put` inserts in place of them. */
  login?: Login & { put: Placement[] };
};

/**
 * A JSON Web Token (RFC 7519) signed with the entered key. Without `exchange`, `put` inserts the token itself as
 * `{token}`. With `exchange`, the token is exchanged for an access token, which `put` inserts as `{access_token}`.
 */
export type JwtMethod = {
  method: 'JWT';
  fields: FieldDefinition[];
  token: {
    algorithm: 'RS256' | 'ES256' | 'HS256';
    /** Template over the fields. RS256 and ES256: a PEM in PKCS#1, SEC1 or PKCS#8. HS256: text in `key_encoding`. */
    key: string;
    key_encoding: 'pem' | 'utf8' | 'hex' | 'base64';
    /** Templates over the fields, beside `alg` and `typ`. */
    header: Record<string, string>;
    /** Templates over the fields, beside `iat` and `exp`. */
    claims: Record<string, string>;
    lives_seconds: number;
  };
  exchange: JwtExchange | null;
  put: Placement[];
};
export type JwtExchange = {
  /** Template over the fields. */
  url: string;
  /** `rfc7523`: a form with grant_type and assertion. `bearer`: an empty POST with a bearer token (GitHub Apps). */
  style: 'rfc7523' | 'bearer';
  /** Requested in the form and, for providers that require it, as the claim `scope`. */
  scopes: string[];
  /** Names of the access token and its expiry: `token`/`expires_at` or `access_token`/`expires_in`. */
  token_name: string;
  /** Values of the response to store, by their new name; `base_url` and `put` may use them as placeholders. */
  capture: Record<string, string>;
};

/** RFC 5849, three-legged. The client is the account's (see app credentials); every request is signed. */
export type OAuth1Method = {
  method: 'OAUTH1';
  fields: FieldDefinition[];
  request_url: string;
  authorize_url: string;
  access_url: string;
  signature: 'HMAC-SHA1' | 'HMAC-SHA256' | 'PLAINTEXT';
  /** Added to the authorization URL, such as `expiration` and `scope`. */
  authorize_params: Record<string, string>;
};

/**
 * RFC 6749, RFC 8628, RFC 8693. The client is the account's (see app credentials), except with `client_credentials`: it is
 * entered in the fields `client_id` and `client_secret`. URLs are templates over the fields.
 */
export type OAuth2Method = {
  method: 'OAUTH2';
  fields: FieldDefinition[];
  grant: 'authorization_code' | 'client_credentials' | 'device_code' | 'token_exchange';
  /** Empty for other grants than the authorization code. */
  authorize_url: string;
  /** The device authorization URL (RFC 8628), for the grant `device_code`. */
  device_url: string | null;
  subject_token_type: string | null; // of the token that is exchanged (RFC 8693, section 3)
  token_url: string;
  /** The refresh URL, if it differs from `token_url`. */
  refresh_url: string | null;
  /** Client authentication at the token URL. `json` is HTTP Basic with a JSON body. */
  client_auth: 'basic' | 'basic_raw' | 'post' | 'json';
  /** PKCE (RFC 7636, S256). Enabled in the catalogue if the vendor or a public client documents it (docs/reference/apps.md). */
  pkce: boolean;
  scopes: string[];
  scope_separator: ' ' | ',';
  /** Added to the authorization URL, such as `access_type=offline`. */
  authorize_params: Record<string, string>;
  /** Added to the body of the token request. */
  token_params: Record<string, string>;
  /** Dotted path of the tokens in the response, if not at the top level, such as `authed_user`. */
  token_path: string | null;
  /** Values of the token response to store, by their new name; `base_url` and `put` may use them as placeholders. */
  capture: Record<string, string>;
  /** Lifetime of a token if the response does not contain it and the vendor documents it. */
  lives_seconds: number | null;
  put: Placement[];
};

/**
 * Model Context Protocol over Streamable HTTP. `server_url` is a template over the fields. Authorization is discovered
 * (RFC 9728, RFC 8414) and the client is registered dynamically (RFC 7591), unless the user enters a `token`, or the
 * `client_id` (and `client_secret`) of an existing client.
 */
export type McpMethod = {
  method: 'MCP';
  fields: FieldDefinition[];
  server_url: string;
};

/** A method by its `method`. `base_url` overrides the app's base URL for calls with this method. */
export type MethodDefinition = (ApiKeyMethod | BasicMethod | JwtMethod | OAuth1Method | OAuth2Method | McpMethod) & {
  base_url?: string;
};

/**
 * A cheap request that shows whether credentials work. The path is native, below `base_url`. `ok` is for an app that
 * always returns 200: the member of the JSON response that is true for valid credentials.
 */
export type Probe = {
  method: 'GET' | 'POST';
  path: string;
  body: string | null;
  ok?: string;
  /** A 403 counts like a 401 for this request, because it needs no permission beyond a valid key. */
  refusal_status?: 403;
};

/**
 * How an app signs its webhook requests. `signed` is a template over `{body}` (raw bytes), `{timestamp}`, `{url}`,
 * `{decoded_url}` (punctuation of the query not percent-encoded), `{method}` and `{header:Name}`. Used by ingress and
 * shown on the app's page.
 */
export type WebhookSignature =
  | {
      kind: 'hmac';
      header: string;
      algorithm: 'sha1' | 'sha256' | 'sha512';
      encoding: 'hex' | 'base64';
      /** Prefix of each signature in the header, such as `sha256=`. Several signatures are separated by commas. */
      prefix: string;
      /** For a header of pairs such as `t=1,v1=ab`: the names of timestamp and signature, and the separator. */
      pairs: { timestamp: string; signature: string; separator?: string } | null;
      /** The header with the timestamp, if it is separate. */
      timestamp_header: string | null;
      /** Path of the timestamp in the JSON body, for an app that sends it only there. */
      timestamp_path: string | null;
      timestamp_unit: 's' | 'ms' | 'rfc3339' | null;
      tolerance_seconds: number | null;
      signed: string;
    }
  | { kind: 'standard'; prefix: 'webhook-' | 'svix-' }
  /** The secret itself; with `also`, a sender may sign in addition or instead. */
  | { kind: 'token'; header: string; also?: 'standard' }
  | { kind: 'ed25519'; header: string; timestamp_header: string }
  | { kind: 'other'; header: string | null; how: string };
export type WebhookDefinition = { signature: WebhookSignature; docs_url: string };

/** How the gateway calls an app beyond its base URL. URLs have no placeholders. */
export type GatewayDefinition = z.output<typeof AppGateway>;

export type AppDefinition = {
  app: string;
  name: string;
  /** A one-line summary. */
  description: string;
  category: AppCategory;
  /**
   * The root of the native API. Null for an app that only sends events, and for an MCP server (`server_url`).
   * Placeholders name fields or values captured from a token response (`capture`).
   */
  base_url: string | null;
  docs_url: string | null;
  /** The name of an icon of simple-icons (`siGithub`); null shows a letter tile. */
  icon: string | null;
  /** Headers that the API requires, sent only if the caller does not send them. */
  default_headers: Record<string, string>;
  methods: MethodDefinition[];
  probe: Probe | null;
  webhook: WebhookDefinition | null;
  /** How its events are received; null for an app without events. */
  source: SourceDefinition | null;
  /** How a webhook is registered through the app's API; empty if a user has to paste the URL there. */
  hooks: readonly HookApi[];
  event_types: EventTypeDefinition[];
  gateway: GatewayDefinition;
  /** Only apps of the catalogue have it. */
  evidence?: Evidence;
};

/**
 * At least two independent references for an app's facts, and when they were compared: the vendor's, if they were read,
 * and working clients. For docs/reference/apps.md only.
 */
export type Evidence = { verified: string; vendor: readonly Reference[]; others: readonly [Reference, ...Reference[]] };

/** Fills in the defaults of a definition. */
export function defineApp(
  given: Pick<AppDefinition, 'app' | 'name' | 'description' | 'category' | 'base_url' | 'docs_url'> &
    Partial<Omit<AppDefinition, 'gateway'>> & { gateway?: Partial<GatewayDefinition> },
): AppDefinition {
  const rest = { icon: null, default_headers: {}, methods: [], probe: null, webhook: null, source: null };
  return { ...rest, hooks: [], event_types: [], ...given, gateway: { ...GATEWAY, ...given.gateway } };
}

/** Without further hosts and links. */
export const GATEWAY: GatewayDefinition = {
  hosts: {},
  link_header: false,
  json_links: [],
  rewrite_links: false,
  answer_seconds: null,
  failure: null,
};

/** A secret field: masked in the connect window and never returned. */
export function secret(
  name: string,
  label: string,
  help: string | null,
  pattern: string | null = null,
): FieldDefinition {
  return { name, label, type: 'password', secret: true, required: true, pattern, help };
}

/** A secret of several lines, such as a private key in PEM. */
export function secretFile(name: string, label: string, help: string | null): FieldDefinition {
  return { name, label, type: 'multiline', secret: true, required: true, pattern: null, help };
}

/** A field that is not secret, such as the name of a shop. */
export function text(name: string, label: string, help: string | null, pattern: string | null = null): FieldDefinition {
  return { name, label, type: 'text', secret: false, required: true, pattern, help };
}

/** A probe by method and path, as for most identity requests. */
export function get(path: string): Probe {
  return { method: 'GET', path, body: null };
}

/** A GraphQL query as a probe. */
export function query(path: string, graphql: string): Probe {
  return { method: 'POST', path, body: JSON.stringify({ query: graphql }) };
}

/** One key, sent as `Authorization: Bearer …`. */
export function bearerKey(field: FieldDefinition): ApiKeyMethod {
  return headerKey(field, 'Authorization', `Bearer {${field.name}}`);
}

/** One key, sent in a dedicated header. */
export function headerKey(field: FieldDefinition, name: string, template = `{${field.name}}`): ApiKeyMethod {
  return { method: 'API_KEY', fields: [field], put: [{ in: 'header', name, template }] };
}

/** The keys of an AWS user or role, which sign each request. `more`: fields of the URL, with a pattern. */
export function awsKeys(service: string, region = '{region}', more: FieldDefinition[] = []): ApiKeyMethod {
  const names = ['access_key_id', 'secret_access_key', 'session_token'] as const;
  const [access_key_id, secret_access_key, session_token] = names.map((name) => `{${name}}`) as [
    string,
    string,
    string,
  ];
  return {
    method: 'API_KEY',
    fields: [
      ...more,
      text('access_key_id', 'Access key ID', 'IAM → Users → your user → Security credentials.', '[A-Za-z0-9]+'),
      secret('secret_access_key', 'Secret access key', null),
      { ...secret('session_token', 'Session token', 'Only for temporary credentials.'), required: false },
    ],
    put: [],
    aws: { access_key_id, secret_access_key, session_token, region, service },
  };
}

/** HTTP Basic with two fields, under the names that the app uses. */
export function basic(username: FieldDefinition, password: FieldDefinition): BasicMethod {
  const [user, word] = [username.name, password.name];
  return { method: 'BASIC', fields: [username, password], username: `{${user}}`, password: `{${word}}` };
}

type HmacGiven = { docs_url: string; header: string } & Partial<Extract<WebhookSignature, { kind: 'hmac' }>>;

/** HMAC-SHA256 over the body, in hex: the most common signature. */
export function hmac({ docs_url, ...given }: HmacGiven): WebhookDefinition {
  return { signature: { ...HMAC, ...given }, docs_url };
}

const HMAC = {
  kind: 'hmac',
  algorithm: 'sha256',
  encoding: 'hex',
  prefix: '',
  pairs: null,
  timestamp_header: null,
  timestamp_path: null,
  timestamp_unit: null,
  tolerance_seconds: null,
  signed: '{body}',
} as const satisfies Partial<WebhookSignature>;

type OAuth2Given = Pick<OAuth2Method, 'authorize_url' | 'token_url'> & Partial<Omit<OAuth2Method, 'method' | 'grant'>>;

/** Authorization code with PKCE, client in the body, the token as `Authorization: Bearer …`: the most common form. */
export function oauth2(given: OAuth2Given): OAuth2Method {
  return { ...OAUTH2, grant: 'authorization_code', ...given };
}

type OAuth1Given = Pick<OAuth1Method, 'request_url' | 'authorize_url' | 'access_url'> & Partial<OAuth1Method>;

/** OAuth 1.0a in its most common form. */
export function oauth1(given: OAuth1Given): OAuth1Method {
  return { method: 'OAUTH1', fields: [], signature: 'HMAC-SHA1', authorize_params: {}, ...given };
}

/** Client credentials: the user enters a client ID and secret. */
export function clientCredentials(given: Omit<OAuth2Given, 'authorize_url'>): OAuth2Method {
  const own = [text('client_id', 'Client ID', null), secret('client_secret', 'Client secret', null)];
  const fields = [...(given.fields ?? []), ...own];
  return { ...OAUTH2, pkce: false, grant: 'client_credentials', authorize_url: '', ...given, fields };
}

/** A code that the user enters on the provider's page in any browser (RFC 8628). */
export function deviceCode(given: Omit<OAuth2Given, 'authorize_url'> & { device_url: string }): OAuth2Method {
  return { ...OAUTH2, pkce: false, grant: 'device_code', authorize_url: '', ...given };
}

const OAUTH2 = {
  method: 'OAUTH2',
  fields: [] as FieldDefinition[],
  device_url: null,
  subject_token_type: null,
  refresh_url: null,
  client_auth: 'post',
  pkce: true,
  scopes: [] as string[],
  scope_separator: ' ',
  authorize_params: {},
  token_params: {},
  token_path: null,
  capture: {},
  lives_seconds: null,
  put: [{ in: 'header', name: 'Authorization', template: 'Bearer {access_token}' }] as Placement[],
} as const satisfies Partial<OAuth2Method>;
