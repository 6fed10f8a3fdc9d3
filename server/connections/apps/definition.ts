/**
 * Apps.
 *
 * An app is one declarative file: its address, how a connection to it is made, and which events it sends. Nothing in it
 * is code, so the connect window's form, the console's lists and the gateway's requests all come from the same words.
 * An account adds its own apps with `POST /apps`; those have the same form and are stored in the table `apps`.
 *
 * `{name}` in a base address or a placement's template stands for the field of that name, as the person typed it.
 * `compile.ts` reads a definition once, refuses what can't work, and answers what the gateway needs for a connection.
 * A source that is no app to call (schedule) has no base address and no methods.
 */
import type { z } from 'zod';
import type { AppField } from '../../../contract/apps.ts';
import type { AppCategory } from '../../../contract/states.ts';
import type { HookApi } from './hook-api.ts';
import type { EventTypeDefinition, Reference, SourceDefinition } from './source.ts';

export type FieldDefinition = z.output<typeof AppField>;

/** One place of a request where a credential is inserted. What the caller sent under that name gives way to it. */
export type Placement = { in: 'header' | 'query'; name: string; template: string };

/** What a person types is sent with each request, as it is. */
export type ApiKeyMethod = {
  method: 'API_KEY';
  fields: FieldDefinition[];
  put: Placement[];
};

/** `Authorization: Basic base64(username:password)`; both are templates over the fields, either may be a fixed text. */
export type BasicMethod = {
  method: 'BASIC';
  fields: FieldDefinition[];
  username: string;
  password: string;
};

/**
 * A JSON Web Token signed with a key that the person gave (RFC 7519). Without `exchange` the token itself goes into
 * `put` as `{token}`; with it, the token buys an access token, which goes there as `{access_token}`.
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
  /** Asked for in the form and, as some want it, as the claim `scope`. */
  scopes: string[];
  /** Where the reply has the access token and its end: `token`/`expires_at` or `access_token`/`expires_in`. */
  token_name: string;
  /** Values of the reply to keep, by the name they get: placeholders of `base_url` and `put` may name them. */
  capture: Record<string, string>;
};

/** RFC 5849, three-legged. The client is the account's own (see app credentials); every request is signed. */
export type OAuth1Method = {
  method: 'OAUTH1';
  fields: FieldDefinition[];
  request_url: string;
  authorize_url: string;
  access_url: string;
  signature: 'HMAC-SHA1' | 'HMAC-SHA256' | 'PLAINTEXT';
  /** Added to the authorize address, such as `expiration` and `scope`. */
  authorize_params: Record<string, string>;
};

/**
 * RFC 6749. With `authorization_code` the client is the account's own (see app credentials); with `client_credentials`
 * it is what the person types, as the fields `client_id` and `client_secret`. Addresses are templates over the fields.
 */
export type OAuth2Method = {
  method: 'OAUTH2';
  fields: FieldDefinition[];
  grant: 'authorization_code' | 'client_credentials';
  /** Empty for client credentials. */
  authorize_url: string;
  token_url: string;
  /** Where tokens are refreshed, when not at `token_url`. */
  refresh_url: string | null;
  /** How the client proves itself at the token address. `json` is HTTP Basic with a JSON body. */
  client_auth: 'basic' | 'basic_raw' | 'post' | 'json';
  /** RFC 7636, S256. In the catalogue on where the vendor or a public client says that it takes part (docs/apps.md). */
  pkce: boolean;
  scopes: string[];
  scope_separator: ' ' | ',';
  /** Added to the authorize address, such as `access_type=offline`. */
  authorize_params: Record<string, string>;
  /** Added to the body of the token request. */
  token_params: Record<string, string>;
  /** Where the token reply has the access token when not at the top: a dotted path such as `authed_user`. */
  token_path: string | null;
  /** Values of the token reply to keep, by the name they get: placeholders of `base_url` and `put` may name them. */
  capture: Record<string, string>;
  /** Of a token whose reply doesn't say when it ends, when its end is known. */
  lives_seconds: number | null;
  put: Placement[];
};

/**
 * Model Context Protocol over Streamable HTTP. `server_url` is a template over the fields. Its authorization is
 * discovered (RFC 9728, RFC 8414) and the client registers itself (RFC 7591), unless the person gives the field
 * `token`, or `client_id` (and `client_secret`) of a client that was registered before.
 */
export type McpMethod = {
  method: 'MCP';
  fields: FieldDefinition[];
  server_url: string;
};

/** By `method`. `base_url` is for a method whose calls go to another address than the app's. */
export type MethodDefinition = (ApiKeyMethod | BasicMethod | JwtMethod | OAuth1Method | OAuth2Method | McpMethod) & {
  base_url?: string;
};

/**
 * A cheap request that shows whether credentials work. The path is native, below `base_url`. `ok` is for an app that
 * answers 200 either way: the member of its JSON reply that is true when they do.
 */
export type Probe = {
  method: 'GET' | 'POST';
  path: string;
  body: string | null;
  ok?: string;
  /** A 403 on this request counts like a 401: it needs no permission beyond a valid key. */
  refusal_status?: 403;
};

/**
 * How an app signs what it sends to an address of ours. `signed` is a template over `{body}` (raw bytes),
 * `{timestamp}`, `{url}`, `{decoded_url}` (with the marks of its query as themselves, not percent-encoded), `{method}`
 * and `{header:Name}`. Used by ingress and shown on the app's page.
 */
export type WebhookSignature =
  | {
      kind: 'hmac';
      header: string;
      algorithm: 'sha1' | 'sha256' | 'sha512';
      encoding: 'hex' | 'base64';
      /** Before each signature in the header, such as `sha256=`; several are separated by commas. */
      prefix: string;
      /** For a header of pairs such as `t=1,v1=ab`: the names of timestamp and signature, and what separates pairs. */
      pairs: { timestamp: string; signature: string; separator?: string } | null;
      /** The header with the time, where it has a separate one. */
      timestamp_header: string | null;
      /** Path of the time in the JSON of the body, for an app that sends it nowhere else. */
      timestamp_path: string | null;
      timestamp_unit: 's' | 'ms' | 'rfc3339' | null;
      tolerance_seconds: number | null;
      signed: string;
    }
  | { kind: 'standard'; prefix: 'webhook-' | 'svix-' }
  /** The secret itself; `also` where a sender may sign with it besides, or instead. */
  | { kind: 'token'; header: string; also?: 'standard' }
  | { kind: 'ed25519'; header: string; timestamp_header: string }
  | { kind: 'other'; header: string | null; how: string };
export type WebhookDefinition = { signature: WebhookSignature; docs_url: string };

export type AppDefinition = {
  app: string;
  name: string;
  /** One line of what it is. */
  description: string;
  category: AppCategory;
  /**
   * The root of the native API. Null for what only sends events, and for an MCP server, which is its own address.
   * Placeholders name fields, or what a token reply had (`capture`).
   */
  base_url: string | null;
  docs_url: string | null;
  /** The name of a picture of simple-icons (`siGithub`), or null: the console draws a letter tile. */
  icon: string | null;
  /** Headers the API insists on, sent only when the caller sends none of that name. */
  default_headers: Record<string, string>;
  methods: MethodDefinition[];
  probe: Probe | null;
  webhook: WebhookDefinition | null;
  /** How its events come in; null for an app that sends none. */
  source: SourceDefinition | null;
  /** How a webhook is registered through its API; empty where a person pastes it. */
  hooks: readonly HookApi[];
  event_types: EventTypeDefinition[];
  /** Only apps of the catalogue have it. */
  evidence?: Evidence;
};

/** Two independent sources of an app's facts: the vendor, and clients that work with it. For docs/apps.md only. */
export type Evidence = { vendor: [Reference, ...Reference[]]; others: [Reference, ...Reference[]] };

/** A definition with what most apps don't have left out. */
export function defineApp(
  given: Pick<AppDefinition, 'app' | 'name' | 'description' | 'category' | 'base_url' | 'docs_url'> &
    Partial<AppDefinition>,
): AppDefinition {
  const rest = { icon: null, default_headers: {}, methods: [], probe: null, webhook: null, source: null };
  return { ...rest, hooks: [], event_types: [], ...given };
}

/** A secret field; the connect window hides it, and no read ever shows it. */
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

/** A field that may be seen, such as the name of a shop. */
export function text(name: string, label: string, help: string | null, pattern: string | null = null): FieldDefinition {
  return { name, label, type: 'text', secret: false, required: true, pattern, help };
}

/** A request of one line, as most identity requests are. */
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

/** One key, sent in its own header. */
export function headerKey(field: FieldDefinition, name: string, template = `{${field.name}}`): ApiKeyMethod {
  return { method: 'API_KEY', fields: [field], put: [{ in: 'header', name, template }] };
}

/** A method that asks for a user name and a password, whatever the app calls them. */
export function basic(username: FieldDefinition, password: FieldDefinition): BasicMethod {
  const [user, word] = [username.name, password.name];
  return { method: 'BASIC', fields: [username, password], username: `{${user}}`, password: `{${word}}` };
}

type HmacGiven = { docs_url: string; header: string } & Partial<Extract<WebhookSignature, { kind: 'hmac' }>>;

/** HMAC-SHA256 over the body, in hex: what most apps sign with. */
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

/** Authorization code with PKCE, client in the body, the token as `Authorization: Bearer …`: what most apps do. */
export function oauth2(given: OAuth2Given): OAuth2Method {
  return { ...OAUTH2, grant: 'authorization_code', ...given };
}

type OAuth1Given = Pick<OAuth1Method, 'request_url' | 'authorize_url' | 'access_url'> & Partial<OAuth1Method>;

/** OAuth 1.0a as nearly everyone who still has it does it. */
export function oauth1(given: OAuth1Given): OAuth1Method {
  return { method: 'OAUTH1', fields: [], signature: 'HMAC-SHA1', authorize_params: {}, ...given };
}

/** Client credentials: the person types their own client id and secret. */
export function clientCredentials(given: Omit<OAuth2Given, 'authorize_url'>): OAuth2Method {
  const own = [text('client_id', 'Client id', null), secret('client_secret', 'Client secret', null)];
  const fields = [...(given.fields ?? []), ...own];
  return { ...OAUTH2, pkce: false, grant: 'client_credentials', authorize_url: '', ...given, fields };
}

const OAUTH2 = {
  method: 'OAUTH2',
  fields: [] as FieldDefinition[],
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
