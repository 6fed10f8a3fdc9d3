// Generated from the OpenAPI document by `npm run client`. Do not edit.
export declare namespace Schemas {
/** The account of the API key or session. */ export type Account = {
  /** ID of the account. */ account_id: Schemas.Id;
  /** Name of the account. */ name: string;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** Whether members need a second factor. API keys are not affected. */ require_second_factor: boolean;
  /** Limits of the account. */ limits: Schemas.AccountLimits;
  /** URLs and domains of the installation. */ addresses: Schemas.AccountAddresses;
  /** Why the gateway can’t call the service at its base URL, such as a private address; null if it can. */ base_url_blocked: string | null;
  /** Version of the service. */ version: string;
  /** The database. */ database: Schemas.AccountDatabase;
  /** False: members sign in through an identity provider. */ password_sign_in: boolean;
  /** How hosted functions are isolated on this machine. */ sandbox: Schemas.AccountSandbox;
};
export type AccountAddresses = {
  /** URL of the console. */ console_url: string;
  /** Base URL of the API. */ base_url: string;
  /** Base URL of connect links. */ connect_url: string;
  /** Base URL of webhook endpoints. */ hooks_url: string;
  /** Domain of functions. */ functions_domain: string;
  /** Domain of the gateway, where each app has a host. */ gateway_domain: string;
};
export type AccountCreate = {
  /** Name, one line. */ name: string;
};
export type AccountDatabase = {
  /** Version of PostgreSQL. */ version: string;
  /** Name of the newest migration. */ schema: string;
  /** Whether it is the embedded PostgreSQL. */ embedded: boolean;
};
export type AccountLimits = {
  /** Requests per second of an API key. */ requests_per_second: number;
};
export type AccountReply = {
  /** The account of the API key or session. */ account: Schemas.Account;
};
export type AccountSandbox = {
  /** Mode of isolation. */ mode: string;
  /** Whether code is isolated from the machine. */ is_strong: boolean;
  /** What isolates the code. */ explanation: string;
};
export type AccountUpdate = {
  /** Name, one line. */ name?: string;
  /** Whether members need a second factor. API keys are not affected. */ require_second_factor?: boolean;
  /** False: members sign in through an identity provider. */ password_sign_in?: boolean;
};
/** Who or what acted; CONNECT_LINK: the holder of a connect link. */ export type ActorType = "USER" | "API_KEY" | "SYSTEM" | "CONNECT_LINK";
/** An API key, without the key itself. */ export type ApiKey = {
  /** Scopes; null for all. */ scopes: Array<Schemas.Scope> | null;
  /** Calls of apps that the key may make; null for all. */ gateway: Array<Schemas.ApiKeyGateway> | null;
  /** Functions that it may use; null for all. */ functions: Array<Schemas.Id> | null;
  /** IP addresses that may use it; null for all. */ ip_ranges: Array<string> | null;
  /** ID of the API key. */ key_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** The first characters of the key. */ prefix: string;
  /** FULL, or LIMITED to scopes. */ access: "FULL" | "LIMITED";
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** Name of the member or key that created it, at that time. */ created_by: string;
  /** The member who created it; null if a key or the service did. */ created_by_user_id: Schemas.Id | null;
  /** Whether this member was removed since, and may still know the key. */ creator_removed: boolean;
  /** When it was used last. */ last_used_at: Schemas.Timestamp | null;
  /** IP address of the last use. */ last_used_ip: string | null;
  /** When it expires; null: never. */ expires_at: Schemas.Timestamp | null;
  /** After a rotation: the old key, while it works. */ old: Schemas.ApiKeyOld | null;
};
export type ApiKeyCreate = {
  /** Name, one line. */ name: string;
  /** When it expires; null: never. */ expires_at?: string | null;
  /** FULL, or LIMITED to scopes. */ access?: "FULL" | "LIMITED";
  /** Scopes; null for all. */ scopes?: Array<Schemas.Scope> | null;
  /** Calls of apps that the key may make; null for all. */ gateway?: Array<Schemas.GatewayRuleInput> | null;
  /** Functions that it may use; null for all. */ functions?: Array<Schemas.Id> | null;
  /** IP addresses that may use it; null for all. */ ip_ranges?: Array<string> | null;
};
export type ApiKeyCreateReply = {
  /** An API key, without the key itself. */ api_key: Schemas.ApiKey;
  /** The API key. It is not returned again. */ key: string;
};
export type ApiKeyGateway = {
  /** ID of the app. */ app: string;
  /** IDs of connections. */ connection_ids: Array<Schemas.Id> | null;
  /** Methods. */ methods: Array<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"> | null;
  /** Paths, where `*` is one segment and `**` at the end any rest; null for all. */ paths: Array<string> | null;
};
export type ApiKeyOld = {
  /** The first characters of the key. */ prefix: string;
  /** When it expires; null: never. */ expires_at: Schemas.Timestamp;
};
export type ApiKeyReply = {
  /** An API key, without the key itself. */ api_key: Schemas.ApiKey;
};
export type ApiKeyRotate = {
  /** Hours during which the old secret works, too. */ overlap_hours?: number;
};
export type ApiKeyUpdate = {
  /** Name, one line. */ name?: string;
  /** When it expires; null: never. */ expires_at?: string | null;
  /** FULL, or LIMITED to scopes. */ access?: "FULL" | "LIMITED";
  /** Scopes; null for all. */ scopes?: Array<Schemas.Scope> | null;
  /** Calls of apps that the key may make; null for all. */ gateway?: Array<Schemas.GatewayRuleInput> | null;
  /** Functions that it may use; null for all. */ functions?: Array<Schemas.Id> | null;
  /** IP addresses that may use it; null for all. */ ip_ranges?: Array<string> | null;
};
/** An app that connections are made to. */ export type App = {
  /** ID of the app. */ app: string;
  /** Name of the app. */ name: string;
  /** What it is for. */ description: string;
  /** Category. */ category: Schemas.AppCategory;
  /** Base URL of its API. */ base_url: string | null;
  /** URL of the icon. */ icon: string | null;
  /** URL of the documentation. */ docs_url: string | null;
  /** Whether the account defined it. */ custom: boolean;
  /** Headers that the gateway sends if a call has none of that name. */ default_headers: Record<string, string>;
  /** How the app signs requests to webhook endpoints; null if it sends none. */ webhook: Schemas.AppWebhook | null;
  /** Methods. */ methods: Array<Schemas.AppMethod>;
  /** Types of events. */ event_types: Array<Schemas.EventType>;
  /** How its events arrive; null for an app without events. */ source: Schemas.Source | null;
  /** Calls of apps that the key may make; null for all. */ gateway: Schemas.AppGateway;
  /** Definition of a custom app, as an update accepts it. */ definition: Schemas.AppCreate | null;
};
export type AppCallStats = {
  /** From this time on. */ since: Schemas.Timestamp;
  /** Seconds of one bucket. */ bucket_seconds: number;
  /** Apps. */ apps: Array<Schemas.AppCallStatsApp>;
};
export type AppCallStatsApp = {
  /** ID of the app. */ app: string;
  /** Number of calls. */ calls: number;
  /** Calls with a status of 400 or above, or without a response. */ errors: number;
  /** 95th percentile of the durations in milliseconds. */ p95_ms: number | null;
  /** Numbers per bucket, oldest first, without gaps. */ buckets: Array<number>;
};
export type AppCategory = "ai" | "analytics" | "commerce" | "communication" | "crm" | "design" | "developer" | "files" | "finance" | "marketing" | "media" | "productivity" | "support" | "built-in" | "custom";
export type AppCheckPut = {
  /** Minutes between two checks; 0 for never. */ every_minutes: number;
};
export type AppCheckReply = {
  /** The checks. */ check: Schemas.AppCheckReplyCheck;
};
export type AppCheckReplyCheck = {
  /** Minutes between two checks; 0 for never. */ every_minutes: number;
  /** Whether the app has a request that checks credentials. */ available: boolean;
};
export type AppCreate = {
  /** ID of the app, in its URLs. */ app: string;
  /** Name, one line. */ name: string;
  /** Base URL of its API. Optional if every method has its own URL. */ base_url?: string | null;
  /** URL of the documentation. */ docs_url?: string | null;
  /** Headers that the gateway sends if a call has none of that name. */ default_headers?: Record<string, string>;
  /** A cheap request that tests credentials. */ probe?: Schemas.AppCreateProbe | null;
  /** Methods. */ methods: Array<Schemas.AppCreateMethodApiKey | Schemas.AppCreateMethodBasic | Schemas.AppCreateMethodJwt | Schemas.AppCreateMethodOauth1 | Schemas.AppCreateMethodOauth2 | Schemas.AppCreateMethodMcp>;
  /** Events that the app sends to webhook endpoints. */ events?: Schemas.AppEvents | null;
  /** Calls of apps that the key may make; null for all. */ gateway?: Schemas.AppGateway;
  /** Paths, where `*` is one segment and `**` at the end any rest; null for all. */ paths?: Array<Schemas.AppPath>;
};
export type AppCreateMethodApiKey = {
  /** HTTP method. */ method: "API_KEY";
  /** Where the credential is sent. */ place?: Schemas.KeyPlace;
  /** Further places of credentials. */ more_places?: Array<Schemas.AppCreateMethodApiKeyMorePlace>;
  /** Signs each request with AWS Signature Version 4. */ aws?: Schemas.AppCreateMethodApiKeyAws;
};
export type AppCreateMethodApiKeyAws = {
  /** Region. */ region: string;
  /** Service. */ service: string;
};
export type AppCreateMethodApiKeyMorePlace = {
  /** In a header or in the query. */ in: "header" | "query";
  /** Name of the header or query parameter. */ name: string;
  /** Value with placeholders. */ template: string;
};
export type AppCreateMethodBasic = {
  /** HTTP method. */ method: "BASIC";
  /** Label of the user name. */ username_label?: string;
  /** Label of the password. */ password_label?: string;
  /** Exchanges `{username}` and `{password}` for an access token. */ login?: Schemas.AppCreateMethodBasicLogin;
};
export type AppCreateMethodBasicLogin = {
  /** The URL. */ url: string;
  /** The body. */ body?: "json" | "form";
  /** Members of the JSON object, or fields of the form. */ params?: Record<string, string>;
  /** Headers by name. */ headers?: Record<string, string>;
  /** Path of the token in the response, or `header:` and a header name. */ token_path: string;
  /** Path of the expiry in the response. */ expires_path?: string | null;
  /** Lifetime of a token in seconds. */ lives_seconds?: number | null;
  /** Where the credential is sent. */ place?: Schemas.AppCreateMethodBasicLoginPlace;
};
export type AppCreateMethodBasicLoginPlace = {
  /** In a header or in the query. */ in: "header" | "query";
  /** Name of the header or query parameter. */ name: string;
  /** Value with placeholders. */ template?: string;
};
export type AppCreateMethodJwt = {
  /** HTTP method. */ method: "JWT";
  /** Algorithm of the signature. */ algorithm: "RS256" | "ES256" | "HS256";
  /** Encoding of the key. */ key_encoding?: "pem" | "utf8" | "hex" | "base64";
  /** Members of the JWT header. */ header?: Record<string, string>;
  /** Claims of the JWT. */ claims?: Record<string, string>;
  /** Lifetime of a token in seconds. */ lives_seconds?: number;
  /** Exchanges the JWT for an access token. */ exchange?: Schemas.AppCreateMethodJwtExchange | null;
  /** Where the credential is sent. */ place?: Schemas.AppCreateMethodApiKeyMorePlace;
};
export type AppCreateMethodJwtExchange = {
  /** The URL. */ url: string;
  /** Form of the exchange. */ style?: "rfc7523" | "bearer";
  /** Scopes; null for all. */ scopes?: Array<string>;
};
export type AppCreateMethodMcp = {
  /** HTTP method. */ method: "MCP";
  /** URL of the MCP server. */ server_url: string;
  /** `oauth`: discovery. `client`: a registered client. `token`: a static token. */ auth?: "oauth" | "client" | "token";
};
export type AppCreateMethodOauth1 = {
  /** HTTP method. */ method: "OAUTH1";
  /** URL for request tokens. */ request_url: string;
  /** URL where the user authorizes. */ authorize_url: string;
  /** URL for access tokens. */ access_url: string;
  /** Signature method. */ signature?: "HMAC-SHA1" | "HMAC-SHA256" | "PLAINTEXT";
};
export type AppCreateMethodOauth2 = {
  /** HTTP method. */ method: "OAUTH2";
  /** OAuth grant. */ grant?: Schemas.OauthGrant;
  /** URL where the user authorizes. */ authorize_url?: string;
  /** Device authorization URL, for the grant `device_code`. */ device_url?: string;
  /** Type of the token that users enter, for the grant `token_exchange`. */ subject_token_type?: string;
  /** URL for tokens. */ token_url: string;
  /** URL for refreshes, if it differs. */ refresh_url?: string | null;
  /** How the client authenticates. */ client_auth?: "basic" | "basic_raw" | "post" | "json";
  /** Whether PKCE is used. */ pkce?: boolean;
  /** Scopes; null for all. */ scopes?: Array<string>;
  /** Separator of scopes. */ scope_separator?: " " | ",";
  /** Further parameters of the authorization. */ authorize_params?: Record<string, string>;
  /** Further parameters of the token request. */ token_params?: Record<string, string>;
  /** Where the credential is sent. */ place?: Schemas.AppCreateMethodBasicLoginPlace;
};
export type AppCreateProbe = {
  /** HTTP method. */ method?: "GET" | "POST";
  /** The path. */ path: string;
  /** The body; null for none. */ body?: string | null;
};
/** The client that the account registered with an app. */ export type AppCredential = {
  /** HTTP method. */ method: "OAUTH1" | "OAUTH2";
  /** Redirect URL to register. */ redirect_url: string;
  /** Client ID. */ client_id: string | null;
  /** Whether a client secret is stored. */ has_secret: boolean;
  /** Scopes; null for all. */ scopes: Array<string> | null;
  /** Scopes of the app’s definition. */ default_scopes: Array<string>;
  /** When it was last changed. */ updated_at: Schemas.Timestamp | null;
};
export type AppCredentialPut = {
  /** Client ID. */ client_id: string;
  /** Client secret; null for a public client. */ client_secret?: string | null;
  /** Scopes; null for all. */ scopes?: Array<string> | null;
};
export type AppDraft = {
  /** Format of the document. */ format: string;
  /** ID of the app. */ app: Schemas.AppDraftApp;
  /** Base URLs that the document lists. */ servers: Array<Schemas.AppDraftServer>;
  /** Operations in the document. */ operations: number;
  /** What was left out or assumed. */ notes: Array<Schemas.AppDraftNote>;
};
export type AppDraftApp = {
  /** Name, one line. */ name: string;
  /** Base URL of the API. */ base_url: string | null;
  /** URL of the documentation. */ docs_url: string | null;
  /** A cheap request that tests credentials. */ probe: Schemas.AppDraftAppProbe | null;
  /** Methods. */ methods: Array<Schemas.AppDraftAppMethodApiKey | Schemas.AppDraftAppMethodBasic | Schemas.AppDraftAppMethodJwt | Schemas.AppDraftAppMethodOauth1 | Schemas.AppDraftAppMethodOauth2 | Schemas.AppDraftAppMethodMcp>;
  /** Paths, where `*` is one segment and `**` at the end any rest; null for all. */ paths: Array<Schemas.AppPath>;
};
export type AppDraftAppMethodApiKey = {
  /** HTTP method. */ method: "API_KEY";
  /** Where the credential is sent. */ place?: Schemas.KeyPlace;
  /** Further places of credentials. */ more_places?: Array<Schemas.AppDraftAppMethodApiKeyMorePlace>;
  /** Signs each request with AWS Signature Version 4. */ aws?: Schemas.AppDraftAppMethodApiKeyAws;
};
export type AppDraftAppMethodApiKeyAws = {
  /** Region. */ region: string;
  /** Service. */ service: string;
};
export type AppDraftAppMethodApiKeyMorePlace = {
  /** In a header or in the query. */ in: "header" | "query";
  /** Name of the header or query parameter. */ name: string;
  /** Value with placeholders. */ template: string;
};
export type AppDraftAppMethodBasic = {
  /** HTTP method. */ method: "BASIC";
  /** Label of the user name. */ username_label?: string;
  /** Label of the password. */ password_label?: string;
  /** Exchanges `{username}` and `{password}` for an access token. */ login?: Schemas.AppDraftAppMethodBasicLogin;
};
export type AppDraftAppMethodBasicLogin = {
  /** The URL. */ url: string;
  /** The body. */ body: "json" | "form";
  /** Members of the JSON object, or fields of the form. */ params: Record<string, string>;
  /** Headers by name. */ headers: Record<string, string>;
  /** Path of the token in the response, or `header:` and a header name. */ token_path: string;
  /** Path of the expiry in the response. */ expires_path: string | null;
  /** Lifetime of a token in seconds. */ lives_seconds: number | null;
  /** Where the credential is sent. */ place: Schemas.AppDraftAppMethodBasicLoginPlace;
};
export type AppDraftAppMethodBasicLoginPlace = {
  /** In a header or in the query. */ in: "header" | "query";
  /** Name of the header or query parameter. */ name: string;
  /** Value with placeholders. */ template: string;
};
export type AppDraftAppMethodJwt = {
  /** HTTP method. */ method: "JWT";
  /** Algorithm of the signature. */ algorithm: "RS256" | "ES256" | "HS256";
  /** Encoding of the key. */ key_encoding?: "pem" | "utf8" | "hex" | "base64";
  /** Name of the header. */ header?: Record<string, string>;
  /** Claims of the JWT. */ claims?: Record<string, string>;
  /** Lifetime of a token in seconds. */ lives_seconds?: number;
  /** Exchanges the JWT for an access token. */ exchange?: Schemas.AppDraftAppMethodJwtExchange | null;
  /** Where the credential is sent. */ place?: Schemas.AppDraftAppMethodApiKeyMorePlace;
};
export type AppDraftAppMethodJwtExchange = {
  /** The URL. */ url: string;
  /** Form of the exchange. */ style?: "rfc7523" | "bearer";
  /** Scopes; null for all. */ scopes?: Array<string>;
};
export type AppDraftAppMethodMcp = {
  /** HTTP method. */ method: "MCP";
  /** URL of the MCP server. */ server_url: string;
  /** `oauth`: discovery. `client`: a registered client. `token`: a static token. */ auth?: "oauth" | "client" | "token";
};
export type AppDraftAppMethodOauth1 = {
  /** HTTP method. */ method: "OAUTH1";
  /** URL for request tokens. */ request_url: string;
  /** URL where the user authorizes. */ authorize_url: string;
  /** URL for access tokens. */ access_url: string;
  /** Signature in base64url. */ signature?: "HMAC-SHA1" | "HMAC-SHA256" | "PLAINTEXT";
};
export type AppDraftAppMethodOauth2 = {
  /** HTTP method. */ method: "OAUTH2";
  /** OAuth grant. */ grant?: Schemas.OauthGrant;
  /** URL where the user authorizes. */ authorize_url?: string;
  /** Device authorization URL, for the grant `device_code`. */ device_url?: string;
  /** Type of the token that users enter, for the grant `token_exchange`. */ subject_token_type?: string;
  /** URL for tokens. */ token_url: string;
  /** URL for refreshes, if it differs. */ refresh_url?: string | null;
  /** How the client authenticates. */ client_auth?: "basic" | "basic_raw" | "post" | "json";
  /** Whether PKCE is used. */ pkce?: boolean;
  /** Scopes; null for all. */ scopes?: Array<string>;
  /** Separator of scopes. */ scope_separator?: " " | ",";
  /** Further parameters of the authorization. */ authorize_params?: Record<string, string>;
  /** Further parameters of the token request. */ token_params?: Record<string, string>;
  /** Where the credential is sent. */ place?: Schemas.AppDraftAppMethodBasicLoginPlace;
};
export type AppDraftAppProbe = {
  /** HTTP method. */ method: "GET" | "POST";
  /** The path. */ path: string;
  /** The body. */ body: string | null;
};
/** The URL of the document, or its text. */ export type AppDraftCreate = {
  /** The URL. */ url?: string;
  /** Text of the document, JSON or YAML. */ document?: string;
};
export type AppDraftNote = {
  /** Position in the document. */ at: string;
  /** What happened, in words. */ message: string;
};
export type AppDraftServer = {
  /** The URL. */ url: string;
  /** What it is for. */ description: string | null;
};
export type AppEvents = {
  /** How requests are signed. */ signature: Schemas.AppEventsSignatureHmac | Schemas.AppEventsSignatureStandard | Schemas.AppEventsSignatureToken;
  /** `ours`: generated here. `theirs`: shown by the app. */ secret?: "ours" | "theirs";
  /** Location of the event’s name. */ name?: Schemas.AppEventsNameHeader | Schemas.AppEventsNameBody | null;
  /** Location of the app’s id of the event. */ id?: Schemas.AppEventsNameHeader | Schemas.AppEventsNameBody | null;
  /** How the app verifies the webhook URL. */ handshake?: Schemas.AppEventsHandshakeChallenge | Schemas.AppEventsHandshakeQuery | null;
  /** Registration of the webhook at the app; null if a user pastes the URL. */ registration?: Schemas.AppRegistration | null;
  /** Event types. */ types: Array<Schemas.AppEventsType>;
};
export type AppEventsHandshakeChallenge = {
  /** The kind. */ kind: "challenge";
  /** Which bodies it answers. */ when: Schemas.AppEventsHandshakeChallengeWhen;
  /** Path of the text to reply with. */ reply: string;
};
export type AppEventsHandshakeChallengeWhen = {
  /** The path. */ path: string;
  /** The value at the path. */ equals: string;
};
export type AppEventsHandshakeQuery = {
  /** The kind. */ kind: "query";
  /** Name of the query parameter. */ name: string;
};
export type AppEventsNameBody = {
  /** The body. */ body: string;
};
export type AppEventsNameHeader = {
  /** Name of the header. */ header: string;
};
export type AppEventsSignatureHmac = {
  /** The kind. */ kind: "hmac";
  /** Name of the header. */ header: string;
  /** Algorithm of the signature. */ algorithm?: "sha1" | "sha256" | "sha512";
  /** Encoding of the signature. */ encoding?: "hex" | "base64";
  /** Text before the signature. */ prefix?: string;
  /** Header with the Unix time in seconds. */ timestamp_header?: string | null;
  /** The signed text. */ signed?: string;
};
export type AppEventsSignatureStandard = {
  /** The kind. */ kind: "standard";
};
export type AppEventsSignatureToken = {
  /** The kind. */ kind: "token";
  /** Name of the header. */ header: string;
};
export type AppEventsType = {
  /** Type of the events, dotted. */ event_type: string;
  /** What it is for. */ description?: string;
  /** Example payload. */ sample: Record<string, unknown>;
  /** Names of the event type in the app’s API. */ api_names?: Array<string>;
};
/** One input of the connect form. */ export type AppField = {
  /** Name of the field. */ name: string;
  /** Label of the input. */ label: string;
  /** Type of the input. */ type: "text" | "password" | "url" | "multiline";
  /** Whether it is not shown again. */ secret: boolean;
  /** Whether a value is needed. */ required: boolean;
  /** RE2 expression that the value must match. */ pattern: string | null;
  /** Where to find the value. */ help: string | null;
  /** Used if nothing is entered. */ default?: string;
};
export type AppGateway = {
  /** Further hosts by name. */ hosts?: Record<string, string>;
  /** Whether pages of lists are linked in the header `Link`. */ link_header?: boolean;
  /** Paths of URLs in JSON responses that are rewritten. */ json_links?: Array<string>;
  /** Whether links are rewritten unless a call says otherwise. */ rewrite_links?: boolean;
  /** Time limit for the response headers; null for the usual one. */ answer_seconds?: number | null;
  /** How a 2xx response says that it failed. */ failure?: Schemas.AppGatewayFailure | null;
};
export type AppGatewayFailure = {
  /** Path of the value in the body. */ path: string;
  /** Value of a success. */ success: boolean | number | string;
  /** Path of the error in the body. */ error?: string | null;
};
/** A method of authorization. */ export type AppMethod = {
  /** Method of authorization. */ method: Schemas.AuthMethod;
  /** Values by field. */ fields: Array<Schemas.AppField>;
  /** Scopes; null for all. */ scopes: Array<string>;
  /** OAuth grant. */ grant: Schemas.OauthGrant | null;
  /** Whether it needs a client that the account registers with the app. */ needs_client: boolean;
  /** Whether this client is stored. */ has_client: boolean;
};
/** One request of an app’s API. */ export type AppPath = {
  /** HTTP method. */ method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";
  /** The path. */ path: string;
  /** Name of the operation in the document. */ operation_id?: string | null;
  /** In one line. */ summary?: string | null;
};
export type AppRegistration = {
  /** Registers the webhook. */ add: Schemas.AppRegistrationAdd;
  /** The ID. */ id: string;
  /** Path of the secret in the response; null for none. */ secret?: string | null;
  /** Lists the webhooks. */ list: Schemas.AppRegistrationList;
  /** Removes the webhook. */ remove: Schemas.AppRegistrationRemove;
};
export type AppRegistrationAdd = {
  /** The path. */ path: string;
  /** The body, with placeholders. */ body: Record<string, unknown>;
  /** Whether it is sent as a form. */ form?: boolean;
};
export type AppRegistrationList = {
  /** The path. */ path: string;
  /** Path of the list in the response; null if it is the response. */ items?: string | null;
  /** The ID. */ id: string;
  /** The URL. */ url: string;
};
export type AppRegistrationRemove = {
  /** The path. */ path: string;
};
export type AppReply = {
  /** An app that connections are made to. */ app: Schemas.App;
};
export type AppUpdate = {
  /** Name, one line. */ name?: string;
  /** Base URL of the API. */ base_url?: string | null;
  /** URL of the documentation. */ docs_url?: string | null;
  /** Headers that the gateway sends if a call has none of that name. */ default_headers?: Record<string, string>;
  /** A cheap request that tests credentials. */ probe?: Schemas.AppCreateProbe | null;
  /** Methods. */ methods?: Array<Schemas.AppCreateMethodApiKey | Schemas.AppCreateMethodBasic | Schemas.AppCreateMethodJwt | Schemas.AppCreateMethodOauth1 | Schemas.AppCreateMethodOauth2 | Schemas.AppCreateMethodMcp>;
  /** Events that the app sends to webhook endpoints. */ events?: Schemas.AppEvents | null;
  /** Calls of apps that the key may make; null for all. */ gateway?: Schemas.AppGateway;
  /** Paths, where `*` is one segment and `**` at the end any rest; null for all. */ paths?: Array<Schemas.AppPath>;
};
export type AppWebhook = {
  /** How the app signs requests. */ kind: Schemas.WebhookSignature;
  /** Name of the header. */ header: string | null;
  /** URL of the documentation. */ docs_url: string;
};
export type AppsReply = {
  /** Apps. */ apps: Array<Schemas.App>;
};
export type Assertion = {
  /** ID of the credential in base64url. */ id: string;
  /** The type. */ type: "public-key";
  /** The response. */ response: Schemas.AssertionResponse;
};
export type AssertionResponse = {
  /** Client data in base64url. */ clientDataJSON: string;
  /** Authenticator data in base64url. */ authenticatorData: string;
  /** Signature in base64url. */ signature: string;
  /** ID of the person in base64url. */ userHandle?: string | null;
};
/** One request of a delivery, with its response. */ export type Attempt = {
  /** Number of the attempt, from 1. */ number: number;
  /** Why the attempt was made. */ origin: Schemas.AttemptOrigin;
  /** When it started. */ started_at: Schemas.Timestamp;
  /** Milliseconds it took. */ duration_ms: number;
  /** The request. */ request: Schemas.ProblemDetailSampleRequest;
  /** The response. */ response: Schemas.TrialResultResponse | null;
  /** Why. */ reason: Schemas.DeliveryReason | null;
  /** What went wrong. */ error_message: string | null;
  /** ID of the run. */ run_id: Schemas.Id | null;
  /** ID of the function. */ function_id: Schemas.Id | null;
  /** The function that turns an event into the request; null for none. */ transform: Schemas.TransformRun | null;
  /** ID of the replay. */ replay_id: Schemas.Id | null;
  /** The `webhook-id` header of the request. */ webhook_id: string;
};
/** Why the attempt was made. */ export type AttemptOrigin = "EVENT" | "RETRY" | "REPLAY";
export type AttemptPage = {
  /** Number of attempts. */ attempts: Array<Schemas.Attempt>;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
export type Attention = {
  /** The code. */ code: Schemas.AttentionCode;
  /** What happened, in words. */ message: string;
};
export type AttentionCode = "FAILED" | "CONNECT_FAILED" | "UNCONFIRMED" | "REFRESH_FAILING" | "TOKEN_EXPIRED" | "TOKEN_EXPIRES" | "CREDENTIALS_EXPIRED" | "CREDENTIALS_EXPIRE" | "SCOPE_MISSING" | "CHECK_FAILED" | "CALLS_DENIED" | "WEBHOOK_FAILED";
/** A change in the account. */ export type AuditEntry = {
  /** ID of the audit log entry. */ audit_id: Schemas.Id;
  /** When it happened. */ at: Schemas.Timestamp;
  /** Who or what acted; CONNECT_LINK: the holder of a connect link. */ actor_type: Schemas.ActorType;
  /** ID of the member or API key that acted. */ actor_id: string | null;
  /** Name of the member or API key at that time. */ actor_name: string;
  /** ID of the API key. */ key_id: string | null;
  /** Name of the operation, as in this document. */ operation: string;
  /** ID or name of the resource. */ resource_id: string | null;
  /** The `X-Request-Id` of the request. */ request_id: string;
  /** IP address. */ ip: string | null;
  /** How it ended. */ outcome: "SUCCEEDED" | "FAILED";
  /** What an update changed. */ changes: Array<Schemas.AuditEntryChange>;
  /** Path of the console’s page on which a user made the change. */ page: string | null;
};
export type AuditEntryChange = {
  /** The field. */ field: string;
  /** Its value before. */ before: unknown;
  /** Its value after. */ after: unknown;
  /** Whether secrets in the values are masked. */ masked: boolean;
  /** Whether the values are left out, because they are long. */ cut: boolean;
};
export type AuditPage = {
  /** Entries, newest first. */ entries: Array<Schemas.AuditEntry>;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
/** Method of authorization. */ export type AuthMethod = "API_KEY" | "BASIC" | "JWT" | "OAUTH1" | "OAUTH2" | "MCP";
export type AuthenticatorCode = {
  /** The 6 digits of the authenticator app. */ code: string;
};
export type AuthenticatorReply = {
  /** The authenticator app. */ authenticator: Schemas.NewAuthenticator;
};
export type Bisect = {
  /** The oldest version to test. */ from?: number;
  /** The newest version known to pass. */ passing?: number;
  /** A version known to fail. */ failing?: number;
  /** NONE: no network and no gateway. POLICY: the access of the function. */ egress?: "NONE" | "POLICY";
  /** Maximum number of versions to test. */ max_steps?: number;
};
/** SAME: failed like the original run. OTHER: failed in another way. PASSES: did not fail. */ export type BisectOutcome = "SAME" | "OTHER" | "PASSES";
export type BisectReply = {
  /** The result. */ bisect: Schemas.BisectReplyBisect;
};
export type BisectReplyBisect = {
  /** ALWAYS: the oldest tested version fails, too. UNFINISHED: continue with `passing` and `failing`. */ status: Schemas.BisectStatus;
  /** The newest version known to pass. */ passing: number | null;
  /** The oldest version known to fail. */ failing: number | null;
  /** How many are left. */ remaining: number | null;
  /** The steps, in order. */ steps: Array<Schemas.BisectReplyBisectStep>;
};
export type BisectReplyBisectStep = {
  /** Number of the version. */ version: number;
  /** ID of the run. */ run_id: Schemas.Id;
  /** Status of a run. */ status: Schemas.RunStatus;
  /** Status of the response. */ response_status: number | null;
  /** SAME: failed like the original run. OTHER: failed in another way. PASSES: did not fail. */ outcome: Schemas.BisectOutcome;
};
/** ALWAYS: the oldest tested version fails, too. UNFINISHED: continue with `passing` and `failing`. */ export type BisectStatus = "FOUND" | "ALWAYS" | "NOT_REPRODUCED" | "UNFINISHED";
/** Format of the rendered body. */ export type BodyFormat = "JSON" | "FORM" | "TEXT";
export type CallPage = {
  /** Number of calls. */ calls: Array<Schemas.GatewayCall>;
  /** Token of the next page; null on the last. */ next_token: string | null;
  /** Calls that this node could not store since it started. */ dropped: number;
};
/** The time range up to now. */ export type CallRange = "1h" | "24h" | "7d" | "30d";
/** Calls over time. */ export type CallStats = {
  /** From this time on. */ since: Schemas.Timestamp;
  /** Seconds of one bucket. */ bucket_seconds: number;
  /** Numbers per bucket, oldest first, without gaps. */ buckets: Array<Schemas.CallStatsBucket>;
  /** Calls that this node could not store since it started. */ dropped: number;
};
export type CallStatsBucket = {
  /** When it happened. */ at: Schemas.Timestamp;
  /** How many. */ count: number;
  /** Calls with a status below 400. */ ok: number;
  /** Calls with a status of 4xx. */ client_errors: number;
  /** Calls with a status of 5xx. */ server_errors: number;
  /** Calls without a response. */ unanswered: number;
  /** Median duration in milliseconds. */ p50_ms: number | null;
  /** 95th percentile of the durations in milliseconds. */ p95_ms: number | null;
  /** 99th percentile of the durations in milliseconds. */ p99_ms: number | null;
};
export type CallsReply = {
  /** Number of calls. */ calls: Array<Schemas.GatewayCall>;
};
export type Capture = {
  /** ID of the capture. */ capture_id: Schemas.Id;
  /** ID of the connection. */ connection_id: Schemas.Id | null;
  /** ID of the app. */ app: string | null;
  /** Share of the calls in percent. */ percent: number;
  /** Name of the member or key that created it, at that time. */ created_by: string;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** Up to this time. */ until: Schemas.Timestamp;
};
/** A connection or an app, the time and the share of calls. */ export type CaptureCreate = {
  /** ID of the connection. */ connection_id?: Schemas.Id;
  /** ID of the app. */ app?: string;
  /** Minutes until it ends. */ minutes?: number;
  /** Share of the calls in percent. */ percent?: number;
};
export type CaptureList = {
  /** The captures. */ captures: Array<Schemas.Capture>;
};
export type CaptureReply = {
  /** The capture. */ capture: Schemas.Capture;
};
export type CapturedCall = {
  /** The request. */ request: Schemas.CapturedCallRequest;
  /** The response. */ response: Schemas.CapturedCallResponse | null;
};
export type CapturedCallRequest = {
  /** HTTP method. */ method: string;
  /** The path. */ path: string;
  /** Headers as pairs. */ headers: Array<[string, string]>;
  /** The body. */ body: Schemas.CapturedCallRequestBody;
};
export type CapturedCallRequestBody = {
  /** How much of the body was kept. */ kept: "NONE" | "WHOLE" | "TRUNCATED" | "BINARY";
  /** The text. */ text: string | null;
  /** Size in bytes. */ bytes: number;
};
export type CapturedCallResponse = {
  /** The status. */ status: number;
  /** Why. */ reason: string;
  /** Headers as pairs. */ headers: Array<[string, string]>;
  /** The body. */ body: Schemas.CapturedCallRequestBody;
};
/** Result of a check; `ok` is null if it is unknown. */ export type CheckResult = {
  /** When it happened. */ at: Schemas.Timestamp;
  /** Whether it succeeded. */ ok: boolean | null;
  /** The status. */ status: number | null;
  /** What happened, in words. */ message: string;
};
/** Method that needs a client of the account. */ export type ClientMethod = "OAUTH1" | "OAUTH2";
/** A URL of the code. */ export type CodeDownload = {
  /** URL of the code as a file. */ download_url: string;
  /** SHA-256 of the file. */ sha256: string;
  /** Size in bytes. */ size: number;
};
/** Definitions in the code of a version. */ export type CodeSymbols = {
  /** Number of the version. */ version: number;
  /** Definitions by file and line. */ symbols: Array<Schemas.CodeSymbolsSymbol>;
  /** Whether something is cut. */ truncated: boolean;
  /** Definitions and uses of the name. */ named: Schemas.CodeSymbolsNamed | null;
};
export type CodeSymbolsNamed = {
  /** Name, one line. */ name: string;
  /** Lines that have the name. */ references: Array<Schemas.TrustEnvPlace>;
  /** Versions that define it. */ defined_in: Array<Schemas.CodeSymbolsNamedDefinedIn>;
};
export type CodeSymbolsNamedDefinedIn = {
  /** The first version. */ first_version: number;
  /** The last version. */ last_version: number;
};
export type CodeSymbolsSymbol = {
  /** Name, one line. */ name: string;
  /** Kind of definition. */ kind: Schemas.SymbolKind;
  /** The path. */ path: string;
  /** Line, from 1. */ line: number;
  /** The last line, if there are several. */ end_line: number;
  /** What contains it. */ container: string | null;
  /** Whether it is exported. */ exported: boolean;
};
export type ConnectSessionCreate = {
  /** Apps to choose from. */ apps: Array<string>;
  /** Values of fields by app. */ parameters?: Record<string, Record<string, string>>;
  /** The end user of your product whose access it is. */ end_user?: Schemas.EndUserInput | null;
  /** Tags. */ tags?: Array<string>;
  /** URL to which the browser returns. */ redirect_url?: string | null;
  /** Your text, returned with the browser. */ state?: string | null;
  /** Origins of pages that may open the window. */ allowed_origins?: Array<string>;
  /** Minutes until the link expires. */ expires_in_minutes?: number;
  /** How many connections can be completed. */ max_uses?: number;
  /** Colour of buttons and links. */ accent?: string | null;
};
export type ConnectSessionCreated = {
  /** A link with which an end user connects. */ session: Schemas.EndUserSession;
  /** The URL. */ url: string;
  /** The token. */ token: string;
};
export type ConnectSessionReply = {
  /** A link with which an end user connects. */ session: Schemas.EndUserSession;
};
/** Looks of the connect window. */ export type ConnectSettings = {
  /** Origins of pages that may open the window. */ allowed_origins: Array<string>;
  /** Colour of buttons and links. */ accent: string | null;
  /** Data URL of a PNG or JPEG image. */ logo: string | null;
  /** When it was last changed. */ updated_at: Schemas.Timestamp | null;
};
export type ConnectSettingsReply = {
  /** Looks of the connect window. */ settings: Schemas.ConnectSettings;
};
export type ConnectSettingsUpdate = {
  /** Origins of pages that may open the window. */ allowed_origins?: Array<string>;
  /** Colour of buttons and links. */ accent?: string | null;
  /** Data URL of a PNG or JPEG image. */ logo?: string | null;
};
/** Access of the account to an app. */ export type Connection = {
  /** ID of the connection. */ connection_id: Schemas.Id;
  /** PENDING until a person completes it; FAILED until a person reconnects. */ status: Schemas.ConnectionStatus;
  /** When it was created. */ creation_time: Schemas.Timestamp;
  /** When it was last changed. */ last_updated_time: Schemas.Timestamp;
  /** Link to complete the connection. */ url: string;
  /** ID of the app. */ app: string;
  /** Method of authorization; absent until it is chosen. */ method?: Schemas.AuthMethod;
  /** Your own data, and `failure`, `last_error` and `unconfirmed` of the service. */ metadata: Record<string, unknown>;
  /** Name of the connection; null without one. */ name: string | null;
  /** Whether calls without `Service-Connection` use it. */ is_default: boolean;
  /** When it was used last. */ last_used_time: Schemas.Timestamp | null;
  /** When the access token expires. */ token_expires_at: Schemas.Timestamp | null;
  /** When the access token was last refreshed. */ refreshed_at: Schemas.Timestamp | null;
  /** When the access token will be refreshed. */ refresh_at: Schemas.Timestamp | null;
  /** Number of triggers that use it. */ trigger_count: number;
  /** Tags. */ tags: Array<string>;
  /** The end user of your product whose access it is. */ end_user: Schemas.EndUser | null;
  /** Only those that fail or need a look. */ attention: Array<Schemas.Attention>;
  /** Minutes between two checks; null for the setting of the app. */ check_every_minutes: number | null;
  /** The last scheduled check. */ check: Schemas.CheckResult | null;
  /** When the next check is due. */ next_check_at: Schemas.Timestamp | null;
  /** When the credentials expire, as it was set. */ credentials_expire_at: Schemas.Timestamp | null;
};
/** DISCONNECT deletes the credentials and keeps the connection. */ export type ConnectionAction = "DISCONNECT" | "DELETE" | "ADD_TAGS" | "REMOVE_TAGS";
/** Connections by ID or by filter. */ export type ConnectionBulk = {
  /** DISCONNECT deletes the credentials and keeps the connection. */ action: Schemas.ConnectionAction;
  /** IDs of connections. */ connection_ids?: Array<Schemas.Id>;
  /** Conditions on the event; see docs/reference/deliveries.md. */ filter?: Schemas.ConnectionFilter;
  /** Tags. */ tags?: Array<string>;
  /** Only counts: nothing is changed or sent. */ dry_run?: boolean;
  /** `matched` of a dry run. If another number matches: 409. */ expected_count?: number;
};
export type ConnectionBulkReply = {
  /** How many match. */ matched: number;
  /** Connections that were changed, at most 1,000. */ changed: number;
  /** How many are left. */ remaining: number;
};
export type ConnectionCreate = {
  /** ID of the app. */ app: string;
  /** Method of authorization. */ method?: Schemas.AuthMethod;
  /** Name, one line. */ name?: string | null;
  /** Your own data, and `failure`, `last_error` and `unconfirmed` of the service. */ metadata?: Record<string, unknown>;
  /** Tags. */ tags?: Array<string>;
  /** The end user of your product whose access it is. */ end_user?: Schemas.EndUserInput | null;
};
export type ConnectionFilter = {
  /** ID of the app. */ app?: string;
  /** PENDING until a person completes it; FAILED until a person reconnects. */ status?: Schemas.ConnectionStatus;
  /** Method of authorization. */ method?: Schemas.AuthMethod;
  /** Only those with this tag. */ tag?: string;
  /** The end user of your product whose access it is. */ end_user?: string;
  /** Text to search for. */ q?: string;
  /** Only those that fail or need a look. */ attention?: boolean;
};
/** From the log of gateway calls. */ export type ConnectionHealth = {
  /** The last call with a status below 400. */ last_success: Schemas.ConnectionHealthLastSuccess | null;
  /** The last call that failed. */ last_error: Schemas.ConnectionHealthLastError | null;
  /** When the access token expires. */ token_expires_at: Schemas.Timestamp | null;
  /** Since when refreshes fail. */ refresh_failing_since: Schemas.Timestamp | null;
  /** The last 50 refreshes of the tokens. */ refreshes: Array<Schemas.ConnectionHealthRefreshe>;
};
export type ConnectionHealthLastError = {
  /** ID of the gateway call. */ call_id: Schemas.Id;
  /** When it happened. */ at: Schemas.Timestamp;
  /** HTTP method. */ method: string;
  /** The path. */ path: string;
  /** The status. */ status: number | null;
  /** What happened, in words. */ message: string;
};
export type ConnectionHealthLastSuccess = {
  /** ID of the gateway call. */ call_id: Schemas.Id;
  /** When it happened. */ at: Schemas.Timestamp;
  /** HTTP method. */ method: string;
  /** The path. */ path: string;
  /** The status. */ status: number | null;
};
export type ConnectionHealthRefreshe = {
  /** When it happened. */ at: Schemas.Timestamp;
  /** REJECTED is final. */ outcome: Schemas.RefreshOutcome;
  /** What happened, in words. */ message: string | null;
};
export type ConnectionIdReply = {
  /** ID of the connection. */ connection_id: Schemas.Id;
};
export type ConnectionPage = {
  /** Connections. */ connections: Array<Schemas.Connection>;
  /** Token of the next page; null on the last. */ next_token?: string | null;
};
export type ConnectionReplace = {
  /** ID of the connection. */ connection_id: Schemas.Id;
};
export type ConnectionReplaceReply = {
  /** At most 1000: with more, the request is rejected. */ triggers: number;
  /** Destinations. */ destinations: number;
  /** Functions. */ functions: number;
  /** API keys. */ api_keys: number;
  /** Whether the other connection became the default. */ became_default: boolean;
};
export type ConnectionReply = {
  /** Access of the account to an app. */ connection: Schemas.Connection;
};
export type ConnectionRequest = {
  /** HTTP method. */ method: string;
  /** The path. */ path: string;
  /** Headers as pairs. */ headers?: Array<[string, string]>;
  /** The body. */ body?: string | null;
  /** `base64` if the body is not UTF-8 text. */ body_encoding?: "utf8" | "base64";
  /** The event of which this one is an edited copy. */ replay_of?: Schemas.Id;
};
export type ConnectionResponse = {
  /** The response. */ response: Schemas.ConnectionResponseResponse | null;
  /** What went wrong. */ error: Schemas.ConnectionResponseError | null;
  /** Milliseconds from the start to each step. */ timing: Schemas.ConnectionResponseTiming;
};
export type ConnectionResponseError = {
  /** Status of the error. */ code: number;
  /** What happened, in words. */ message: string;
};
export type ConnectionResponseResponse = {
  /** The status. */ status: number;
  /** Text of the status. */ reason: string;
  /** Headers as pairs, as the app sent them. */ headers: Array<[string, string]>;
  /** The body. */ body: string;
  /** `base64` if the body is not UTF-8 text. */ body_encoding: "utf8" | "base64";
  /** Size in bytes. */ bytes: number;
  /** Whether something is cut. */ truncated: boolean;
};
export type ConnectionResponseTiming = {
  /** Milliseconds until connected. */ connected_ms: number | null;
  /** Milliseconds until the first byte. */ first_byte_ms: number | null;
  /** Milliseconds until the last byte. */ total_ms: number;
};
/** PENDING until a person completes it; FAILED until a person reconnects. */ export type ConnectionStatus = "PENDING" | "ACTIVE" | "FAILED";
/** Result of a cheap request; `ok` is null if the app defines none. */ export type ConnectionTest = {
  /** Whether it succeeded. */ ok: boolean | null;
  /** The status. */ status: number | null;
  /** Milliseconds it took. */ duration_ms: number | null;
  /** What happened, in words. */ message: string;
};
export type ConnectionTestReply = {
  /** Access of the account to an app. */ connection: Schemas.Connection;
  /** Result of a cheap request; `ok` is null if the app defines none. */ test: Schemas.ConnectionTest;
};
export type ConnectionUpdate = {
  /** Name, one line. */ name?: string | null;
  /** Your own data, and `failure`, `last_error` and `unconfirmed` of the service. */ metadata?: Record<string, unknown>;
  /** Tags. */ tags?: Array<string>;
  /** The end user of your product whose access it is. */ end_user?: Schemas.EndUserInput | null;
  /** Minutes between two checks; null for the setting of the app. */ check_every_minutes?: number | null;
  /** When the credentials expire, as it was set. */ credentials_expire_at?: string | null;
  /** Whether calls without `Service-Connection` use it. */ is_default?: true;
};
export type ConnectionUses = {
  /** From this time on. */ since: Schemas.Timestamp;
  /** Number of triggers. */ triggers: Array<Schemas.ConnectionUsesTrigger>;
  /** Number of triggers that use it. */ trigger_count: number;
  /** Destinations. */ destinations: Array<Schemas.NamedDestination>;
  /** Functions. */ functions: Array<Schemas.ConnectionUsesFunction>;
  /** API keys. */ api_keys: Array<Schemas.ConnectionUsesApiKey>;
  /** Whether calls without `Service-Connection` use it. */ is_used_by_default: boolean;
  /** The connection that such calls use after its deletion. */ next_default: Schemas.ConnectionUsesNextDefault | null;
};
export type ConnectionUsesApiKey = {
  /** ID of the API key. */ key_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** Whether the key is limited to it. */ is_limited: boolean;
  /** Number of calls. */ calls: number;
};
export type ConnectionUsesFunction = {
  /** ID of the function. */ function_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** Whether the function is granted it. */ is_granted: boolean;
  /** Number of calls. */ calls: number;
};
export type ConnectionUsesNextDefault = {
  /** ID of the connection. */ connection_id: Schemas.Id;
  /** Name, one line. */ name: string | null;
};
export type ConnectionUsesTrigger = {
  /** ID of the trigger. */ trigger_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** App or built-in source of the events. */ source: string;
  /** Type of the events, dotted. */ event_type: string;
  /** The status. */ status: "ENABLED" | "DISABLED";
  /** Why. */ reason: Schemas.TriggerReason | null;
};
export type CreationOptions = {
  /** Challenge of WebAuthn. */ challenge: string;
  /** The relying party. */ rp: Schemas.CreationOptionsRp;
  /** The person. */ user: Schemas.CreationOptionsUser;
  /** Accepted algorithms. */ pubKeyCredParams: Array<Schemas.CreationOptionsPubKeyCredParam>;
  /** Milliseconds until it times out. */ timeout: number;
  /** Attestation. */ attestation: "none";
  /** Passkeys that the person has. */ excludeCredentials: Array<Schemas.RequestOptionsAllowCredential>;
  /** Requirements for the authenticator. */ authenticatorSelection: Schemas.CreationOptionsAuthenticatorSelection;
};
export type CreationOptionsAuthenticatorSelection = {
  /** Passkeys are discoverable. */ residentKey: "required";
  /** Passkeys are discoverable. */ requireResidentKey: true;
  /** Whether the person is verified. */ userVerification: "required";
};
export type CreationOptionsPubKeyCredParam = {
  /** COSE number of the algorithm. */ alg: number;
  /** The type. */ type: "public-key";
};
export type CreationOptionsRp = {
  /** The ID. */ id: string;
  /** Name, one line. */ name: string;
};
export type CreationOptionsUser = {
  /** The ID. */ id: string;
  /** Name, one line. */ name: string;
  /** Name to display. */ displayName: string;
};
export type CredentialReply = {
  /** The client that the account registered with an app. */ credential: Schemas.AppCredential;
};
export type CredentialsReply = {
  /** Clients registered with the app. */ credentials: Array<Schemas.AppCredential>;
};
/** The delivery of an event to one destination. */ export type Delivery = {
  /** ID of the delivery. */ delivery_id: Schemas.Id;
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** PENDING and RETRYING are open; the others are final. */ status: Schemas.DeliveryStatus;
  /** Why. */ reason: Schemas.DeliveryReason | null;
  /** Number of attempts. */ attempts: number;
  /** Status of the last response. */ last_response_status: number | null;
  /** Body of the last response. */ last_response_body: string | null;
  /** Milliseconds of the last attempt. */ last_response_duration: number | null;
  /** Error of the last attempt. */ last_error_message: string | null;
  /** URL of the destination at the last attempt. */ destination_url: string;
  /** Method of the last attempt. */ destination_method: string;
  /** When the last attempt was made. */ last_attempt_at: Schemas.Timestamp | null;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it ended; null until then. */ finished_at: Schemas.Timestamp | null;
  /** Name of the destination. */ destination_name: string;
  /** When the next attempt is made. */ next_attempt_at: Schemas.Timestamp | null;
  /** The event whose delivery must end first. */ waits_for_event_id: Schemas.Id | null;
  /** Whether it stops the deliveries behind it. */ blocks_others: boolean;
  /** The run that the last attempt started. */ last_run_id: Schemas.Id | null;
  /** The function of that run. */ last_function_id: Schemas.Id | null;
};
export type DeliveryCancel = {
  /** Conditions on the event; see docs/reference/deliveries.md. */ filter: Schemas.DeliveryCancelFilter;
  /** Only deliveries to these destinations. */ destination_ids?: Array<Schemas.Id>;
  /** Only counts: nothing is changed or sent. */ dry_run?: boolean;
  /** Token of the next page; null on the last. */ next_token?: string;
};
export type DeliveryCancelFilter = {
  /** IDs of events. */ event_ids?: Array<Schemas.Id>;
  /** ID of the trigger. */ trigger_id?: Schemas.Id;
  /** PENDING and RETRYING are open; the others are final. */ status?: Schemas.DeliveryStatus;
  /** Due deliveries that the open circuit breaker holds. */ held?: true;
  /** Why. */ reason?: "HTTP_STATUS" | "TIMEOUT" | "DNS_ERROR" | "CONNECTION_REFUSED" | "CONNECTION_RESET" | "TLS_ERROR" | "BLOCKED_ADDRESS" | "REDIRECT" | "TEMPLATE_ERROR" | "TRANSFORM_ERROR" | "MESSAGE_REJECTED" | "APP_ERROR" | "CONNECTION_FAILED" | "CONNECTION_DELETED" | "DESTINATION_DISABLED" | "TRIGGER_DISABLED" | "FILTERED" | "TRANSFORM_SKIPPED" | "GONE" | "CANCELED";
  /** Received at this time or later. */ received_after?: string;
  /** Received before this time. */ received_before?: string;
  /** Text to search for. */ q?: string;
  /** ID of the destination. */ destination_id?: Schemas.Id;
  /** App or built-in source of the events. */ source?: string;
  /** Status of the last response, a class such as `5xx`, or `none`. */ response_status?: string;
  /** ID of the replay. */ replay_id?: Schemas.Id;
  /** The event of which this one is an edited copy. */ replay_of?: Schemas.Id;
  /** Only pinned events. */ pinned?: true;
};
export type DeliveryCancelReply = {
  /** Number of deliveries. */ deliveries: number;
  /** Number of events. */ events: number;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
export type DeliveryCounts = {
  /** How many in total. */ total: number;
  /** How many succeeded. */ succeeded: number;
  /** How many failed. */ failed: number;
};
/** Why a delivery or an attempt failed, waits or was skipped. */ export type DeliveryReason = "HTTP_STATUS" | "TIMEOUT" | "DNS_ERROR" | "CONNECTION_REFUSED" | "CONNECTION_RESET" | "TLS_ERROR" | "BLOCKED_ADDRESS" | "REDIRECT" | "TEMPLATE_ERROR" | "TRANSFORM_ERROR" | "MESSAGE_REJECTED" | "APP_ERROR" | "CONNECTION_FAILED" | "CONNECTION_DELETED" | "DESTINATION_DISABLED" | "TRIGGER_DISABLED" | "FILTERED" | "TRANSFORM_SKIPPED" | "GONE" | "CANCELED" | "CIRCUIT_OPEN" | "DESTINATION_PAUSED" | "WAITS_IN_ORDER";
/** PENDING and RETRYING are open; the others are final. */ export type DeliveryStatus = "PENDING" | "RETRYING" | "SUCCEEDED" | "FAILED" | "SKIPPED" | "CANCELED";
/** Where events of a trigger are delivered. */ export type Destination = {
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** The URL. */ url: string;
  /** Name, one line. */ name: string;
  /** The status. */ status: "ENABLED" | "DISABLED";
  /** Why. */ reason: Schemas.DestinationReason | null;
  /** Method of the requests. */ method: Schemas.DestinationMethod;
  /** Headers by name. */ headers: Record<string, string>;
  /** Signing secret, masked unless just created. */ signing_secret: string;
  /** Template of the body; null for the event itself. */ body_template: string | null;
  /** EVENT: the event or the template. ORIGINAL: the bytes that the source sent. */ body_source: "EVENT" | "ORIGINAL";
  /** Format of the rendered body. */ body_format: Schemas.BodyFormat;
  /** Headers of the source’s request that are sent on. */ forward_headers: Array<string>;
  /** Conditions on the event; see docs/reference/deliveries.md. */ filter: Record<string, unknown> | null;
  /** Seconds until each next attempt; null for the usual schedule. */ retry_schedule: Array<number> | null;
  /** Since when it is paused: its deliveries wait. */ paused_at: Schemas.Timestamp | null;
  /** Maximum rate of requests; null for none. */ rate_limit: Schemas.DestinationRateLimit | null;
  /** Maximum number of concurrent requests; null for the usual 8. */ max_in_flight: number | null;
  /** Time limit in seconds. */ timeout_seconds: number | null;
  /** Order of its deliveries; null for none. */ ordering: Schemas.DestinationOrdering | null;
  /** The function that turns an event into the request; null for none. */ transform: Schemas.Transform | null;
  /** Until when the previous secret works, too. */ previous_secret_until: Schemas.Timestamp | null;
  /** Since when every attempt has failed. */ failing_since: Schemas.Timestamp | null;
  /** When it will be disabled. */ disable_at: Schemas.Timestamp | null;
  /** Progress towards being disabled, in percent. */ warning: Schemas.DestinationWarning;
  /** Queue and health of a destination. */ queue: Schemas.DestinationQueue;
  /** Since when it is disabled. */ disabled_at: Schemas.Timestamp | null;
  /** Deliveries missed since then, counted up to 10,000. */ missed: number;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it was last changed. */ updated_at: Schemas.Timestamp;
};
export type DestinationCreate = {
  /** The URL. */ url: string;
  /** Method of the requests. */ method?: Schemas.DestinationMethod;
  /** Name, one line. */ name?: string;
  /** Headers by name. */ headers?: Record<string, string>;
  /** Template of the body; null for the event itself. */ body_template?: string | null;
  /** EVENT: the event or the template. ORIGINAL: the bytes that the source sent. */ body_source?: "EVENT" | "ORIGINAL";
  /** Format of the rendered body. */ body_format?: Schemas.BodyFormat;
  /** Headers of the source’s request that are sent on. */ forward_headers?: Array<string>;
  /** Conditions on the event; see docs/reference/deliveries.md. */ filter?: Record<string, unknown> | null;
  /** Seconds until each next attempt; null for the usual schedule. */ retry_schedule?: Array<number> | null;
  /** The function that turns an event into the request; null for none. */ transform?: Schemas.TransformInput | null;
  /** Maximum rate of requests; null for none. */ rate_limit?: Schemas.DestinationCreateRateLimit | null;
  /** Maximum number of concurrent requests; null for the usual 8. */ max_in_flight?: number | null;
  /** Time limit in seconds. */ timeout_seconds?: number | null;
  /** Order of its deliveries; null for none. */ ordering?: Schemas.DestinationCreateOrdering | null;
};
export type DestinationCreateOrdering = {
  /** KEY: deliveries with the same key in order. ALL: all in order. */ by: "KEY" | "ALL";
  /** Path of the key. */ key?: string | null;
  /** What a failed delivery does to those behind it. */ after_last_attempt?: "BLOCK" | "SKIP";
};
export type DestinationCreateRateLimit = {
  /** Number of requests. */ requests: number;
  /** Period of a rate limit. */ per: Schemas.RatePeriod;
};
/** Health of a destination. */ export type DestinationHealth = "DISABLED" | "PAUSED" | "FAILING" | "HELD" | "BEHIND" | "RETRYING" | "HEALTHY";
/** Method of the requests. */ export type DestinationMethod = "POST" | "PUT" | "PATCH" | "GET" | "DELETE";
export type DestinationOrdering = {
  /** KEY: deliveries with the same key in order. ALL: all in order. */ by: "KEY" | "ALL";
  /** Path of the key. */ key: string | null;
  /** What a failed delivery does to those behind it. */ after_last_attempt: "BLOCK" | "SKIP";
};
/** Queue and health of a destination. */ export type DestinationQueue = {
  /** Deliveries that are PENDING or RETRYING. */ waiting: number;
  /** Whether counting stopped early: there may be more. */ at_least: boolean;
  /** Deliveries that are due now. */ due: number;
  /** Due deliveries that the open circuit breaker holds. */ held: number;
  /** When the event of the oldest waiting delivery was received. */ oldest_waiting_at: Schemas.Timestamp | null;
  /** Since when the oldest due delivery has been due. */ oldest_due_at: Schemas.Timestamp | null;
  /** Seconds until the queue is empty at the current pace. */ drain_seconds: number | null;
  /** Health of a destination. */ health: Schemas.DestinationHealth;
};
export type DestinationRateLimit = {
  /** Number of requests. */ requests: number;
  /** Period of a rate limit. */ per: Schemas.RatePeriod;
};
/** GONE: the endpoint returned 410. FAILING: all attempts failed for days. */ export type DestinationReason = "MANUAL" | "GONE" | "FAILING";
export type DestinationReply = {
  /** Where events of a trigger are delivered. */ destination: Schemas.Destination;
};
/** A destination in a list. */ export type DestinationSummary = {
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** The URL. */ url: string;
  /** Name, one line. */ name: string;
  /** The status. */ status: "ENABLED" | "DISABLED";
  /** Why. */ reason: Schemas.DestinationReason | null;
};
export type DestinationUpdate = {
  /** The URL. */ url?: string;
  /** Method of the requests. */ method?: Schemas.DestinationMethod;
  /** Name, one line. */ name?: string;
  /** Headers by name. */ headers?: Record<string, string>;
  /** Template of the body; null for the event itself. */ body_template?: string | null;
  /** EVENT: the event or the template. ORIGINAL: the bytes that the source sent. */ body_source?: "EVENT" | "ORIGINAL";
  /** Format of the rendered body. */ body_format?: Schemas.BodyFormat;
  /** Headers of the source’s request that are sent on. */ forward_headers?: Array<string>;
  /** Conditions on the event; see docs/reference/deliveries.md. */ filter?: Record<string, unknown> | null;
  /** Seconds until each next attempt; null for the usual schedule. */ retry_schedule?: Array<number> | null;
  /** The function that turns an event into the request; null for none. */ transform?: Schemas.TransformInput | null;
  /** The status. */ status?: "ENABLED" | "DISABLED";
  /** Whether it is paused. */ paused?: boolean;
  /** Maximum rate of requests; null for none. */ rate_limit?: Schemas.DestinationCreateRateLimit | null;
  /** Maximum number of concurrent requests; null for the usual 8. */ max_in_flight?: number | null;
  /** Time limit in seconds. */ timeout_seconds?: number | null;
  /** Order of its deliveries; null for none. */ ordering?: Schemas.DestinationCreateOrdering | null;
};
export type DestinationWarning = 0 | 50 | 70 | 90;
export type DestinationsReply = {
  /** Destinations. */ destinations: Array<Schemas.DestinationSummary>;
};
export type DisconnectedReply = {
  /** Connections that were disconnected. */ disconnected: number;
};
/** An empty object: the request succeeded. */ export type Done = Record<string, never>;
/** A request that would be sent, and the last one. */ export type DryRunItem = {
  /** ID of the event. */ event_id: Schemas.Id;
  /** ID of the trigger. */ trigger_id: Schemas.Id;
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** Name of the destination. */ destination_name: string;
  /** Status of the delivery now. */ before_status: Schemas.DeliveryStatus | null;
  /** The last request. */ last: Schemas.ProblemDetailSampleRequest | null;
  /** The request that would be sent. */ next: Schemas.ProblemDetailSampleRequest | null;
  /** What is wrong; null if nothing is. */ problem: string | null;
};
/** A user of your product. */ export type EndUser = {
  /** Your ID of the end user. */ id: string;
  /** Email address. */ email: string | null;
  /** Name of the end user. */ name: string | null;
};
export type EndUserInput = {
  /** Your ID of the end user. */ id: string;
  /** Email address. */ email?: string | null;
  /** Name, one line. */ name?: string | null;
};
/** A link with which an end user connects. */ export type EndUserSession = {
  /** ID of the session. */ session_id: Schemas.Id;
  /** Apps. */ apps: Array<string>;
  /** The end user of your product whose access it is. */ end_user: Schemas.EndUser | null;
  /** Tags. */ tags: Array<string>;
  /** URL to which the browser returns. */ redirect_url: string | null;
  /** Origins of pages that may open the window. */ allowed_origins: Array<string>;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it expires; null: never. */ expires_at: Schemas.Timestamp;
  /** How many connections can be completed. */ max_uses: number;
  /** How many connections were completed. */ uses: number;
  /** The status. */ status: "OPEN" | "USED" | "EXPIRED";
  /** Connections. */ connections: Array<Schemas.EndUserSessionConnection>;
};
export type EndUserSessionConnection = {
  /** ID of the app. */ app: string;
  /** ID of the connection. */ connection_id: Schemas.Id;
  /** When it happened. */ at: Schemas.Timestamp;
};
export type EndedReply = {
  /** Sessions that were ended. */ ended: number;
};
export type EnvCreate = {
  /** Environment variables. */ env: Array<Schemas.EnvCreateEnv>;
};
export type EnvCreateEnv = {
  /** The key. */ key: string;
  /** The value. */ value: string;
  /** PLAIN, or SENSITIVE: never returned. */ type?: "PLAIN" | "SENSITIVE";
};
export type EnvPut = {
  /** The value. */ value: string;
  /** PLAIN, or SENSITIVE: never returned. */ type?: "PLAIN" | "SENSITIVE";
};
export type EnvReply = {
  /** Environment variables. */ env: Array<Schemas.EnvVariable>;
};
/** An environment variable. */ export type EnvVariable = {
  /** The key. */ key: string;
  /** PLAIN, or SENSITIVE: never returned. */ type: "PLAIN" | "SENSITIVE";
  /** The value; null for SENSITIVE ones. */ value: string | null;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it was last changed. */ updated_at: Schemas.Timestamp;
};
export type EventCancel = {
  /** Only deliveries to these destinations. */ destination_ids?: Array<Schemas.Id>;
};
export type EventCancelReply = {
  /** An event with its deliveries. */ event: Schemas.EventDetail;
  /** Deliveries that were canceled. */ canceled: number;
};
export type EventCreate = {
  /** Payload of the event. */ payload: Record<string, unknown>;
  /** The event of which this one is an edited copy. */ replay_of?: Schemas.Id;
};
/** An event with its deliveries. */ export type EventDetail = {
  /** ID of the event. */ event_id: Schemas.Id;
  /** ID of the trigger. */ trigger_id: Schemas.Id;
  /** Name of the trigger. */ trigger_name: string;
  /** App or built-in source of the events. */ source: string;
  /** Type of the events, dotted. */ event_type: string;
  /** When it was received. */ received_at: Schemas.Timestamp;
  /** Payload of the event. */ payload: Record<string, unknown>;
  /** The event of which this one is an edited copy. */ replay_of: Schemas.Id | null;
  /** W3C trace ID of the request, 32 hexadecimal digits. */ trace_id: string | null;
  /** Set if the event is kept beyond the retention. */ pin: Schemas.EventRowPin | null;
  /** Number of deliveries. */ deliveries: Array<Schemas.Delivery>;
  /** The request. */ request: Schemas.EventRequest | null;
};
export type EventPage = {
  /** Number of events. */ events: Array<Schemas.EventRow>;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
export type EventPin = {
  /** A note for other members. */ note?: string | null;
};
export type EventReplay = {
  /** Only deliveries to these destinations. */ destination_ids?: Array<Schemas.Id>;
  /** Only FAILED deliveries. */ only_failed?: boolean;
  /** Sends a new `webhook-id`, so that receivers see a new message. */ as_new?: boolean;
  /** NOW (default): requests are transformed as the destination says now. THEN: with the function and version of the last attempt of each delivery, or not at all if that one was not transformed. */ transform?: Schemas.TransformVersion;
};
export type EventReplayReply = {
  /** An event with its deliveries. */ event: Schemas.EventDetail;
  /** Destinations to which it was not sent again. */ skipped: Array<Schemas.Skipped>;
};
export type EventReply = {
  /** An event with its deliveries. */ event: Schemas.EventDetail;
};
/** The request of the source. Credentials are masked. */ export type EventRequest = {
  /** HTTP method. */ method: string;
  /** Path below the webhook URL. */ path: string;
  /** The query. */ query: string;
  /** Headers by name. */ headers: Record<string, string>;
  /** The `Content-Type` header. */ content_type: string | null;
  /** Size in bytes. */ size: number;
  /** The body. */ body?: string | null;
  /** Whether the body is Base64, because it is not text. */ is_base64_encoded?: boolean;
};
/** An event in a list. */ export type EventRow = {
  /** ID of the event. */ event_id: Schemas.Id;
  /** ID of the trigger. */ trigger_id: Schemas.Id;
  /** Name of the trigger. */ trigger_name: string;
  /** App or built-in source of the events. */ source: string;
  /** Type of the events, dotted. */ event_type: string;
  /** When it was received. */ received_at: Schemas.Timestamp;
  /** Payload of the event. */ payload: Record<string, unknown>;
  /** The event of which this one is an edited copy. */ replay_of: Schemas.Id | null;
  /** W3C trace ID of the request, 32 hexadecimal digits. */ trace_id: string | null;
  /** Set if the event is kept beyond the retention. */ pin: Schemas.EventRowPin | null;
  /** Deliveries by outcome. */ delivery_counts: Schemas.DeliveryCounts;
  /** Deliveries by outcome. */ outcomes: Array<Schemas.Outcome>;
  /** The payload is too large for a list. */ payload_omitted?: true;
};
export type EventRowPin = {
  /** When it happened. */ at: Schemas.Timestamp;
  /** Who did it; null: the service. */ by: string;
  /** A note for other members. */ note: string | null;
};
/** Events, deliveries and attempts over time. */ export type EventStats = {
  /** From this time on. */ since: Schemas.Timestamp;
  /** Seconds of one bucket. */ bucket_seconds: number;
  /** Numbers per bucket, oldest first, without gaps. */ buckets: Array<Schemas.EventStatsBucket>;
  /** Response statuses, the most frequent first. */ codes: Array<Schemas.EventStatsCode>;
};
export type EventStatsBucket = {
  /** When it happened. */ at: Schemas.Timestamp;
  /** Number of events. */ events: number;
  /** How many succeeded. */ succeeded: number;
  /** How many failed. */ failed: number;
  /** Deliveries that may still be attempted. */ open: number;
  /** How many were skipped. */ skipped: number;
  /** Number of attempts. */ attempts: number;
  /** Number of failures. */ failures: number;
  /** Median duration in milliseconds. */ p50_ms: number | null;
  /** 95th percentile of the durations in milliseconds. */ p95_ms: number | null;
  /** 99th percentile of the durations in milliseconds. */ p99_ms: number | null;
};
export type EventStatsCode = {
  /** The status. */ status: number | null;
  /** Reason without a response. */ reason: string | null;
  /** How many. */ count: number;
};
export type EventTest = {
  /** Payload of the event. */ payload?: Record<string, unknown>;
};
/** A type of event of an app. */ export type EventType = {
  /** Dotted name: the app's own if it has a dot, otherwise <app>.<name>. */ event_type: string;
  /** What it is for. */ description: string;
  /** JSON Schema of the parameters. */ parameters: Record<string, unknown>;
  /** Example payload. */ sample: unknown;
};
/** One step of the diagnosis of an endpoint. */ export type ExaminationStep = {
  /** The step. */ step: "DNS" | "ADDRESS" | "CONNECT" | "TLS" | "ANSWER";
  /** Whether it succeeded. */ ok: boolean;
  /** More about it. */ detail: string;
  /** Milliseconds it took. */ duration_ms: number;
};
export type ExportedEvent = {
  /** ID of the event. */ event_id: Schemas.Id;
  /** ID of the trigger. */ trigger_id: Schemas.Id;
  /** Name of the trigger. */ trigger_name: string;
  /** App or built-in source of the events. */ source: string;
  /** Type of the events, dotted. */ event_type: string;
  /** When it was received. */ received_at: Schemas.Timestamp;
  /** Payload of the event. */ payload: Record<string, unknown>;
  /** The event of which this one is an edited copy. */ replay_of: Schemas.Id | null;
  /** W3C trace ID of the request, 32 hexadecimal digits. */ trace_id: string | null;
  /** Set if the event is kept beyond the retention. */ pin: Schemas.EventRowPin | null;
  /** Deliveries by outcome. */ delivery_counts: Schemas.DeliveryCounts;
  /** Deliveries by outcome. */ outcomes: Array<Schemas.ExportedEventOutcome>;
};
export type ExportedEventOutcome = {
  /** ID of the delivery. */ delivery_id: Schemas.Id;
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** Name of the destination. */ destination_name: string;
  /** PENDING and RETRYING are open; the others are final. */ status: Schemas.DeliveryStatus;
  /** Number of attempts. */ attempts: number;
  /** Status of the last response. */ last_response_status: number | null;
  /** Error of the last attempt. */ last_error_message: string | null;
};
export type ExportedHit = {
  /** ID of the function. */ function_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** ID of the account. */ account_id: Schemas.Id;
  /** Name of the account. */ account_name: string;
  /** Number of the version. */ version: number;
  /** The path. */ path: string | null;
  /** Line, from 1. */ line: number | null;
  /** The last line, if there are several. */ end_line?: number;
  /** The text. */ text: string | null;
  /** The first version. */ first_version?: number;
  /** The last version. */ last_version?: number;
  /** Number of hits. */ hit_count: number;
};
export type FilesReply = {
  /** Number of the version. */ version: number;
  /** The file and export that handles requests. */ handler: string;
  /** Code by path. */ files: Record<string, string>;
};
export type FilterTestReply = {
  /** How many match. */ matched: number;
  /** How many in total. */ total: number;
  /** Number of events. */ events: Array<Schemas.FilterTestReplyEvent>;
};
export type FilterTestReplyEvent = {
  /** ID of the event. */ event_id: Schemas.Id;
  /** When it was received. */ received_at: Schemas.Timestamp;
  /** Whether the event matches. */ matches: boolean;
};
/** A function with the lines that match. */ export type FoundFunction = {
  /** ID of the function. */ function_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** What it is for. */ description: string;
  /** Runtime of the code. */ runtime: Schemas.Runtime;
  /** PUBLIC: other accounts can read and copy it. */ visibility: Schemas.Visibility;
  /** ID of the account. */ account_id: Schemas.Id;
  /** Name of the account. */ account_name: string;
  /** The URL. */ url: string;
  /** Number of stars. */ star_count: number;
  /** Number of views. */ view_count: number;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it was last changed. */ updated_at: Schemas.Timestamp;
  /** Number of the version. */ version: number;
  /** ALLOW_LIST: only what is listed. */ network_policy: Schemas.NetworkPolicy;
  /** Hosts that it may reach with ALLOW_LIST. */ allowed_hosts: Array<string>;
  /** ALLOW_LIST: only what is listed. */ gateway_policy: Schemas.NetworkPolicy;
  /** Connections that it may use with ALLOW_LIST. */ gateway_grants: Array<Schemas.HostedFunctionGatewayGrant>;
  /** Who may call its URL: API keys, or anyone. */ invoke_access: "KEY" | "ANYONE";
  /** Time limit in seconds. */ timeout_seconds: number;
  /** Whether your account starred it. */ starred: boolean;
  /** Number of hits. */ hit_count: number;
  /** Lines that match. */ hits: Array<Schemas.SearchHit>;
  /** The first version. */ first_version?: number;
  /** The last version. */ last_version?: number;
  /** `fold`: copies are listed with the oldest of them. */ copies?: Schemas.SearchCopies;
};
export type FunctionCopy = {
  /** Name, one line. */ name: string;
  /** What it is for. */ description?: string;
  /** Number of the version. */ version?: number;
};
export type FunctionCopyReply = {
  /** A function: code with a URL. */ function: Schemas.HostedFunction;
  /** Environment variables. */ env: Array<string>;
  /** Apps. */ apps: Array<string>;
  /** The function and version that was copied. */ copied_from: Schemas.FunctionCopyReplyCopiedFrom;
};
export type FunctionCopyReplyCopiedFrom = {
  /** ID of the function. */ function_id: Schemas.Id;
  /** Number of the version. */ version: number;
};
export type FunctionCreate = {
  /** Name, one line. */ name: string;
  /** Runtime of the code. */ runtime: Schemas.Runtime;
  /** Code by path. */ files: Record<string, string>;
  /** What happened, in words. */ message?: string;
  /** What it is for. */ description?: string;
  /** PUBLIC: other accounts can read and copy it. */ visibility?: Schemas.Visibility;
  /** ALLOW_LIST: only what is listed. */ network_policy?: Schemas.NetworkPolicy;
  /** Hosts that it may reach with ALLOW_LIST. */ allowed_hosts?: Array<string>;
  /** ALLOW_LIST: only what is listed. */ gateway_policy?: Schemas.NetworkPolicy;
  /** Connections that it may use with ALLOW_LIST. */ gateway_grants?: Array<Schemas.FunctionCreateGatewayGrant>;
  /** Who may call its URL: API keys, or anyone. */ invoke_access?: "KEY" | "ANYONE";
  /** Time limit in seconds. */ timeout_seconds?: number;
  /** The file and export that handles requests. */ handler?: string;
};
export type FunctionCreateGatewayGrant = {
  /** ID of the app. */ app: string;
  /** ID of the connection. */ connection_id?: Schemas.Id | null;
};
export type FunctionLogEvent = {
  /** Milliseconds since 1970. */ timestamp: number;
  /** What happened, in words. */ message: string;
  /** Level of a log line. */ level: Schemas.LogLevel;
  /** ID of the run. */ run_id: Schemas.Id;
  /** Number of the version. */ version: number;
  /** Number of the line in the run, from 0. */ seq: number;
  /** Where the pattern matches: ranges of characters. */ marks?: Array<[number, number]>;
  /** What matches. */ matches?: boolean;
};
export type FunctionLogPage = {
  /** Number of events. */ events: Array<Schemas.FunctionLogEvent>;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
export type FunctionPage = {
  /** Functions. */ functions: Array<Schemas.HostedFunction>;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
export type FunctionReply = {
  /** A function: code with a URL. */ function: Schemas.HostedFunction;
};
export type FunctionStats = {
  /** From this time on. */ since: Schemas.Timestamp;
  /** Seconds of one bucket. */ bucket_seconds: number;
  /** Functions. */ functions: Array<Schemas.FunctionStatsFunction>;
};
export type FunctionStatsFunction = {
  /** ID of the function. */ function_id: Schemas.Id;
  /** Number of runs. */ runs: number;
  /** How many failed. */ failed: number;
  /** Numbers per bucket, oldest first, without gaps. */ buckets: Array<number>;
  /** Failed runs per bucket, oldest first. */ failures: Array<number>;
};
export type FunctionUpdate = {
  /** Name, one line. */ name?: string;
  /** What it is for. */ description?: string;
  /** PUBLIC: other accounts can read and copy it. */ visibility?: Schemas.Visibility;
  /** ALLOW_LIST: only what is listed. */ network_policy?: Schemas.NetworkPolicy;
  /** Hosts that it may reach with ALLOW_LIST. */ allowed_hosts?: Array<string>;
  /** ALLOW_LIST: only what is listed. */ gateway_policy?: Schemas.NetworkPolicy;
  /** Connections that it may use with ALLOW_LIST. */ gateway_grants?: Array<Schemas.FunctionCreateGatewayGrant>;
  /** Who may call its URL: API keys, or anyone. */ invoke_access?: "KEY" | "ANYONE";
  /** Time limit in seconds. */ timeout_seconds?: number;
  /** The file and export that handles requests. */ handler?: string;
  /** Number of the version. */ version?: number;
};
export type FunctionUses = {
  /** From this time on. */ since: Schemas.Timestamp;
  /** Destinations. */ destinations: Array<Schemas.FunctionUsesDestination>;
  /** Number of runs. */ runs: number;
  /** Number of deliveries. */ deliveries: number;
  /** The most frequent callers. */ callers: Array<Schemas.FunctionUsesCaller>;
  /** Stars of other accounts. */ stars_elsewhere: number;
  /** Versions, newest first. */ versions: Schemas.FunctionUsesVersions;
};
export type FunctionUsesCaller = {
  /** IP address of the caller. */ source_ip: string;
  /** The `User-Agent` header. */ user_agent: string;
  /** Number of runs. */ runs: number;
  /** When it happened last. */ last_at: Schemas.Timestamp;
};
export type FunctionUsesDestination = {
  /** ID of the trigger. */ trigger_id: Schemas.Id;
  /** Name of the trigger. */ trigger_name: string;
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** The status. */ status: "ENABLED" | "DISABLED";
  /** Whether it transforms requests with the function. */ transforms: boolean;
};
export type FunctionUsesVersions = {
  /** All versions. */ all: number;
  /** Versions that other accounts can read. */ public: number;
};
/** One version of the code. */ export type FunctionVersion = {
  /** Number of the version. */ version: number;
  /** Bytes of code. */ code_size: number;
  /** Runtime of the code. */ runtime: Schemas.Runtime;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** SHA-256 of the code. */ code_sha256: string;
  /** The file and export that handles requests. */ handler: string;
  /** What was changed. */ message: string | null;
  /** Name of the member or key that created it, at that time. */ created_by: string;
  /** Whether it is the live version. */ serving: boolean;
  /** Whether other accounts can read it. */ public: boolean;
};
/** A call through the gateway, without bodies and credentials. */ export type GatewayCall = {
  /** ID of the gateway call. */ call_id: Schemas.Id;
  /** When it happened. */ at: Schemas.Timestamp;
  /** ID of the connection. */ connection_id: Schemas.Id;
  /** ID of the app. */ app: string;
  /** ID of the run. */ run_id: Schemas.Id | null;
  /** ID of the API key. */ key_id: Schemas.Id | null;
  /** Name of the API key at that time. */ key_name: string | null;
  /** HTTP method. */ method: string;
  /** The path. */ path: string;
  /** The status. */ status: number | null;
  /** Milliseconds it took. */ duration_ms: number;
  /** Bytes of the request’s body. */ request_bytes: number;
  /** Bytes of the response’s body. */ response_bytes: number;
  /** What went wrong. */ error: string | null;
  /** The `X-Request-Id` of the request. */ request_id: string | null;
};
export type GatewayRuleInput = {
  /** ID of the app. */ app: string;
  /** IDs of connections. */ connection_ids?: Array<Schemas.Id> | null;
  /** Methods. */ methods?: Array<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"> | null;
  /** Paths, where `*` is one segment and `**` at the end any rest; null for all. */ paths?: Array<string> | null;
};
/** A version that serves a share of the calls. */ export type Gradual = {
  /** Number of the version. */ version: number;
  /** The live version. */ live_version: number;
  /** The status. */ status: "RUNNING" | "ROLLED_BACK";
  /** Share of the calls in percent. */ percent: number;
  /** Minutes whose calls are compared. */ window_minutes: number;
  /** Calls below which it is not rolled back. */ min_calls: number;
  /** It is rolled back if its failures exceed those of the live version by more. */ max_failed_percent: number;
  /** Why. */ reason: string | null;
  /** When it started. */ started_at: Schemas.Timestamp;
  /** When it ended. */ ended_at: Schemas.Timestamp | null;
  /** Calls in the window. */ calls: Schemas.GradualCalls;
};
export type GradualCalls = {
  /** The live version. */ live: Schemas.GradualCallsLive;
  /** The gradual version. */ version: Schemas.GradualCallsLive;
};
export type GradualCallsLive = {
  /** Number of calls. */ calls: number;
  /** How many failed. */ failed: number;
};
export type GradualPut = {
  /** Number of the version. */ version: number;
  /** Share of the calls in percent. */ percent: number;
  /** Minutes whose calls are compared. */ window_minutes?: number;
  /** Calls below which it is not rolled back. */ min_calls?: number;
  /** It is rolled back if its failures exceed those of the live version by more. */ max_failed_percent?: number;
};
export type GradualReply = {
  /** The gradual deploy; null if there is none. */ gradual: Schemas.Gradual | null;
};
/** Why an installation sends and accepts nothing. */ export type Hold = {
  /** From this time on. */ since: Schemas.Timestamp;
  /** Why it is on hold. */ cause: Schemas.HoldCause;
  /** Name of the imported file. */ origin: string | null;
  /** Deliveries that wait for an attempt. */ waiting_deliveries: number;
  /** When the oldest of their events was received. */ oldest_event_at: Schemas.Timestamp | null;
  /** Connections whose tokens would be refreshed. */ refreshed_connections: number;
  /** False: several accounts use the installation, so that an operator releases it. */ may_release: boolean;
};
/** COPY: an export or import made it a copy. KEY: it has a new master key. */ export type HoldCause = "SETTING" | "COPY" | "KEY";
export type HoldReply = {
  /** The hold; null if there is none. */ hold: Schemas.Hold | null;
};
/** REMOVING: removal is retried. LEFT: it must be removed by a person. */ export type HookEnd = "REMOVED" | "REMOVING" | "LEFT";
export type HookEndOutput = {
  /** REMOVING: removal is retried. LEFT: it must be removed by a person. */ state: Schemas.HookEnd;
  /** What happened, in words. */ message: string | null;
};
export type HookReply = {
  /** Registration of the webhook at the app. */ hook?: Schemas.HookEndOutput;
};
/** MANUAL: a user pastes the URL. */ export type HookState = "MANUAL" | "PENDING" | "REGISTERED" | "FAILED";
/** A function: code with a URL. */ export type HostedFunction = {
  /** ID of the function. */ function_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** What it is for. */ description: string;
  /** Runtime of the code. */ runtime: Schemas.Runtime;
  /** PUBLIC: other accounts can read and copy it. */ visibility: Schemas.Visibility;
  /** ID of the account. */ account_id: Schemas.Id;
  /** Name of the account. */ account_name: string;
  /** The URL. */ url: string;
  /** Number of stars. */ star_count: number;
  /** Number of views. */ view_count: number;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it was last changed. */ updated_at: Schemas.Timestamp;
  /** Number of the version. */ version: number;
  /** ALLOW_LIST: only what is listed. */ network_policy: Schemas.NetworkPolicy;
  /** Hosts that it may reach with ALLOW_LIST. */ allowed_hosts: Array<string>;
  /** ALLOW_LIST: only what is listed. */ gateway_policy: Schemas.NetworkPolicy;
  /** Connections that it may use with ALLOW_LIST. */ gateway_grants: Array<Schemas.HostedFunctionGatewayGrant>;
  /** Who may call its URL: API keys, or anyone. */ invoke_access: "KEY" | "ANYONE";
  /** Time limit in seconds. */ timeout_seconds: number;
  /** Whether your account starred it. */ starred: boolean;
};
export type HostedFunctionGatewayGrant = {
  /** ID of the app. */ app: string;
  /** ID of the connection. */ connection_id: Schemas.Id | null;
};
/** A UUID. Malformed IDs in a path are 404. */ export type Id = string;
/** A provider (OpenID Connect) through which people sign in. */ export type IdentityProvider = {
  /** ID of the identity provider. */ provider_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** URL of the issuer. */ issuer: string;
  /** Client ID. */ client_id: string;
  /** Whether a client secret is stored. */ has_secret: boolean;
  /** Scopes; null for all. */ scopes: Array<string>;
  /** Domains of email addresses that may sign in. */ allowed_domains: Array<string>;
  /** Claim with the roles: a name, or a path with dots; null for no mapping. */ role_claim: string | null;
  /** Roles by value of the claim: the highest applies. */ role_mapping: Array<Schemas.IdentityProviderRoleMapping>;
  /** Role of a member. */ default_role: Schemas.Role;
  /** Whether a person who is not a member becomes one at the first sign-in. */ creates_members: boolean;
  /** Whether it can be used. */ enabled: boolean;
  /** Members. */ members: number;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it was last changed. */ updated_at: Schemas.Timestamp;
};
export type IdentityProviderCreate = {
  /** Name, one line. */ name: string;
  /** URL of the issuer. */ issuer: string;
  /** Client ID. */ client_id: string;
  /** Client secret; null for a public client. */ client_secret?: string | null;
  /** Scopes; null for all. */ scopes?: Array<string>;
  /** Domains of email addresses that may sign in. */ allowed_domains: Array<string>;
  /** Claim with the roles: a name, or a path with dots; null for no mapping. */ role_claim?: string | null;
  /** Roles by value of the claim: the highest applies. */ role_mapping?: Array<Schemas.IdentityProviderCreateRoleMapping>;
  /** Role of a member. */ default_role?: Schemas.Role;
  /** Whether a person who is not a member becomes one at the first sign-in. */ creates_members?: boolean;
};
export type IdentityProviderCreateRoleMapping = {
  /** Value of the claim. */ value: string;
  /** Role of a member. */ role: Schemas.Role;
};
export type IdentityProviderList = {
  /** Identity providers of the account. */ identity_providers: Array<Schemas.IdentityProvider>;
  /** Identity providers of the whole installation. */ installation_providers: Array<Schemas.IdentityProviderListInstallationProvider>;
  /** Redirect URL to register. */ redirect_url: string;
  /** Page that ends the session at the identity provider. */ sign_out_url: string;
  /** Sign-in page of the account. */ sign_in_url: string;
};
export type IdentityProviderListInstallationProvider = {
  /** Name, one line. */ name: string;
  /** URL of the issuer. */ issuer: string;
};
export type IdentityProviderReply = {
  /** A provider (OpenID Connect) through which people sign in. */ identity_provider: Schemas.IdentityProvider;
};
export type IdentityProviderRoleMapping = {
  /** Value of the claim. */ value: string;
  /** Role of a member. */ role: Schemas.Role;
};
export type IdentityProviderTest = {
  /** How many succeeded. */ succeeded: boolean;
  /** What happened, in words. */ message: string;
};
export type IdentityProviderUpdate = {
  /** Name, one line. */ name?: string;
  /** Client ID. */ client_id?: string;
  /** Client secret; null for a public client. */ client_secret?: string | null;
  /** Scopes; null for all. */ scopes?: Array<string>;
  /** Domains of email addresses that may sign in. */ allowed_domains?: Array<string>;
  /** Claim with the roles: a name, or a path with dots; null for no mapping. */ role_claim?: string | null;
  /** Roles by value of the claim: the highest applies. */ role_mapping?: Array<Schemas.IdentityProviderCreateRoleMapping>;
  /** Role of a member. */ default_role?: Schemas.Role;
  /** Whether a person who is not a member becomes one at the first sign-in. */ creates_members?: boolean;
  /** Whether it can be used. */ enabled?: boolean;
};
/** What uses a resource. */ export type Impact = {
  /** What can be removed. */ kind: Schemas.ImpactKind;
  /** The ID. */ id: string;
  /** Name, one line. */ name: string;
  /** From this time on. */ since: Schemas.Timestamp;
  /** The code. */ code: Array<Schemas.ImpactCode>;
  /** Lines of code that name it. */ line_count: number;
  /** Functions. */ functions: Array<Schemas.ImpactFunction>;
  /** API keys. */ api_keys: Array<Schemas.ImpactApiKey>;
  /** Number of triggers. */ triggers: Array<Schemas.ImpactTrigger>;
  /** Destinations. */ destinations: Array<Schemas.NamedDestination>;
  /** Calls of apps that the key may make; null for all. */ gateway: Schemas.ImpactGateway;
  /** Whether something is cut. */ truncated: boolean;
};
export type ImpactApiKey = {
  /** ID of the API key. */ key_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** Calls through the gateway in seven days. */ calls: number;
};
/** Why a removal affects a function. */ export type ImpactCause = "CODE" | "GRANT" | "CALLS" | "VARIABLE" | "REMOVED";
export type ImpactCode = {
  /** ID of the function. */ function_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** Number of the version. */ version: number;
  /** The path. */ path: string;
  /** Line, from 1. */ line: number;
  /** The text. */ text: string;
};
export type ImpactFunction = {
  /** ID of the function. */ function_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** Why the function is affected. */ causes: Array<Schemas.ImpactCause>;
  /** Number of runs. */ runs: number;
};
export type ImpactGateway = {
  /** Calls through the gateway in seven days. */ calls: number;
  /** When it happened last. */ last_at: Schemas.Timestamp | null;
};
/** What can be removed. */ export type ImpactKind = "API_KEY" | "CONNECTION" | "APP" | "HOST" | "ENVIRONMENT" | "FUNCTION";
export type ImpactReply = {
  /** What uses a resource. */ impact: Schemas.Impact;
};
export type ImpactTrigger = {
  /** ID of the trigger. */ trigger_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** App or built-in source of the events. */ source: string;
  /** The status. */ status: "ENABLED" | "DISABLED";
};
/** The webhook endpoint of a trigger. */ export type Ingress = {
  /** URL of the endpoint, without its secret part for VIEWERs. */ url: string;
  /** `ours`: generated here. `theirs`: shown by the app. `none`: unsigned. */ secret: Schemas.SecretKind;
  /** Whether a client secret is stored. */ has_secret: boolean;
  /** Signing secret, masked unless just created. */ signing_secret: string | null;
  /** Until when the previous secret works, too. */ previous_secret_until: Schemas.Timestamp | null;
  /** Whether `secret:reveal` returns a secret that the source sent. */ can_reveal: boolean;
  /** MANUAL: a user pastes the URL. */ hook: Schemas.HookState;
  /** What happened, in words. */ message: string | null;
  /** Registration of the webhook at the app; null if a user pastes the URL. */ registration: Schemas.IngressRegistration | null;
};
export type IngressRegistration = {
  /** ID of the connection. */ connection_id: Schemas.Id | null;
  /** Path of the app’s API that lists the webhook. */ place: string;
  /** ID of the webhook at the app. */ remote_id: string | null;
  /** When it was last changed. */ updated_at: Schemas.Timestamp;
  /** When the next attempt is made. */ next_try_at: Schemas.Timestamp | null;
};
export type Invitation = {
  /** WELCOME: a new person sets a password. JOIN: the person joins one more account. */ purpose: Schemas.InvitationPurpose;
  /** Name of the account. */ account_name: string;
  /** Email address. */ email: string | null;
  /** Role of a member. */ role: Schemas.Role;
};
export type InvitationAccept = {
  /** The token. */ token: string;
  /** Email address. */ email?: string;
  /** Name, one line. */ name?: string;
  /** Password. */ password?: string;
};
/** WELCOME: a new person sets a password. JOIN: the person joins one more account. */ export type InvitationPurpose = "WELCOME" | "JOIN" | "JOIN_AFTER_SIGN_IN" | "NEW_PASSWORD";
export type InvitationRead = {
  /** The token. */ token: string;
};
export type InvitationReply = {
  /** The invitation. */ invitation: Schemas.Invitation;
};
export type Invoke = {
  /** HTTP method. */ method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  /** Path of the request. */ path?: string;
  /** Query parameters. */ query?: Record<string, string>;
  /** Headers by name. */ headers?: Record<string, string>;
  /** The body. */ body?: string;
  /** Number of the version. */ version?: number;
};
export type KeyLimits = {
  /** Scopes; null for all. */ scopes: Array<Schemas.Scope> | null;
  /** Calls of apps that the key may make; null for all. */ gateway: Array<Schemas.ApiKeyGateway> | null;
  /** Functions that it may use; null for all. */ functions: Array<Schemas.Id> | null;
  /** IP addresses that may use it; null for all. */ ip_ranges: Array<string> | null;
};
export type KeyPlace = {
  /** In a header or in the query. */ in: "header" | "query";
  /** Name of the header or query parameter. */ name: string;
  /** Value with placeholders. */ template?: string;
};
export type KeyTest = {
  /** From this time on. */ since: Schemas.Timestamp;
  /** Number of calls. */ calls: number;
  /** Calls that the limits would have refused. */ refused: number;
  /** Calls that could not be tested. */ untested: number;
  /** The most frequent refused calls, with the reason. */ examples: Array<Schemas.KeyTestExample>;
  /** Calls from IP addresses outside the ranges. */ refused_addresses: Array<Schemas.KeyUsageAddresse>;
};
export type KeyTestExample = {
  /** The call. */ what: string;
  /** Number of calls. */ calls: number;
  /** Why. */ reason: string;
};
/** What a key was used for. */ export type KeyUsage = {
  /** From this time on. */ since: Schemas.Timestamp;
  /** Number of calls since then. */ calls: number;
  /** Calls of apps that the key may make; null for all. */ gateway: Array<Schemas.KeyUsageGateway>;
  /** Operations of the API. */ operations: Array<Schemas.KeyUsageOperation>;
  /** Functions called by their URL. */ functions: Array<Schemas.KeyUsageFunction>;
  /** URLs and domains of the installation. */ addresses: Array<Schemas.KeyUsageAddresse>;
  /** Limits that permit all of this and little else; null if there are none. */ proposal: Schemas.KeyLimits | null;
  /** Why there is no proposal. */ reason: string | null;
};
export type KeyUsageAddresse = {
  /** IP address. */ ip: string;
  /** Number of calls. */ calls: number;
};
export type KeyUsageFunction = {
  /** ID of the function. */ function_id: Schemas.Id;
  /** Number of calls. */ calls: number;
};
export type KeyUsageGateway = {
  /** ID of the app. */ app: string;
  /** ID of the connection. */ connection_id: Schemas.Id;
  /** HTTP method. */ method: string;
  /** The path. */ path: string;
  /** Number of calls. */ calls: number;
};
export type KeyUsageOperation = {
  /** Name of the operation, as in this document. */ operation: string;
  /** ID of the function. */ function_id: Schemas.Id | null;
  /** Number of calls. */ calls: number;
};
/** Why a delivery is left out. */ export type LeftOut = "SUCCEEDED" | "IN_PROGRESS" | "CANCELED" | "SKIPPED" | "EDITED" | "DESTINATION_DISABLED" | "DESTINATION_DELETED" | "NOT_STORED" | "REJECTED_REQUEST" | "RUN" | "CALL" | "OTHER";
/** A log line. */ export type LogEvent = {
  /** Milliseconds since 1970. */ timestamp: number;
  /** What happened, in words. */ message: string;
  /** Level of a log line. */ level: Schemas.LogLevel;
};
/** Level of a log line. */ export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogPage = {
  /** Number of events. */ events: Array<Schemas.LogEvent>;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
export type LoggedCall = {
  /** ID of the gateway call. */ call_id: Schemas.Id;
  /** When it happened. */ at: Schemas.Timestamp;
  /** ID of the connection. */ connection_id: Schemas.Id | null;
  /** ID of the app. */ app: string | null;
  /** ID of the run. */ run_id: Schemas.Id | null;
  /** ID of the API key. */ key_id: Schemas.Id | null;
  /** Name of the API key at that time. */ key_name: string | null;
  /** HTTP method. */ method: string;
  /** The path. */ path: string;
  /** The status. */ status: number | null;
  /** Milliseconds it took. */ duration_ms: number;
  /** Bytes of the request’s body. */ request_bytes: number;
  /** Bytes of the response’s body. */ response_bytes: number;
  /** What went wrong. */ error: string | null;
  /** The `X-Request-Id` of the request. */ request_id: string | null;
  /** Name of the connection; null if it was deleted. */ connection_name: string | null;
  /** Calls that the limits would have refused. */ refused: boolean;
  /** Number of calls. */ calls: number;
  /** When it happened last. */ last_at: Schemas.Timestamp;
  /** The event of which this one is an edited copy. */ replay_of: Schemas.Id | null;
  /** Whether its request and response were captured. */ captured: boolean;
};
export type LoggedCallDetail = {
  /** The gateway call. */ call: Schemas.LoggedCall;
  /** What is wrong; null if nothing is. */ problem: Schemas.LoggedCallDetailProblem | null;
  /** Request and response; null unless captured. */ capture: Schemas.CapturedCall | null;
};
export type LoggedCallDetailProblem = {
  /** ID of the problem. */ problem_id: Schemas.Id;
  /** Title for people. */ title: string;
};
export type LoggedCallPage = {
  /** Number of calls. */ calls: Array<Schemas.LoggedCall>;
  /** Token of the next page; null on the last. */ next_token: string | null;
  /** Calls of the account that this node could not store since it started. */ dropped: number;
};
/** Kind of resource. */ export type LookupKind = "EVENT" | "DELIVERY" | "ATTEMPT" | "RUN" | "GATEWAY_CALL" | "REJECTION" | "TRIGGER" | "DESTINATION" | "FUNCTION" | "CONNECTION" | "REPLAY" | "API_KEY" | "MEMBER" | "AUDIT_ENTRY";
/** A resource with this ID. */ export type LookupMatch = {
  /** Kind of resource. */ kind: Schemas.LookupKind;
  /** ID of the resource. */ id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** Name of its parent. */ detail: string | null;
  /** When it happened. */ at: Schemas.Timestamp;
  /** Which ID matched. */ matched: Schemas.LookupMatche;
  /** IDs for its path in this API. */ params: Schemas.LookupMatchParams;
};
export type LookupMatchParams = {
  /** ID of the trigger. */ trigger_id?: Schemas.Id;
  /** ID of the destination. */ destination_id?: Schemas.Id;
  /** ID of the event. */ event_id?: Schemas.Id;
  /** ID of the delivery. */ delivery_id?: Schemas.Id;
  /** Number of the attempt, from 1. */ attempt?: number;
  /** ID of the function. */ function_id?: Schemas.Id;
  /** ID of the run. */ run_id?: Schemas.Id;
  /** ID of the connection. */ connection_id?: Schemas.Id;
  /** ID of the gateway call. */ call_id?: Schemas.Id;
  /** ID of the replay. */ replay_id?: Schemas.Id;
  /** ID of the API key. */ key_id?: Schemas.Id;
  /** ID of the member. */ user_id?: Schemas.Id;
  /** ID of the audit log entry. */ audit_id?: Schemas.Id;
  /** ID or name of the resource. */ resource_id?: string;
  /** ID of the rejected request. */ rejection_id?: Schemas.Id;
};
export type LookupMatche = "ID" | "WEBHOOK_ID" | "REQUEST_ID";
export type LookupReply = {
  /** What matches. */ matches: Array<Schemas.LookupMatch>;
};
/** A person of the account. */ export type Member = {
  /** ID of the member. */ user_id: Schemas.Id;
  /** Email address. */ email: string | null;
  /** Name of the person. */ name: string;
  /** Role of a member. */ role: Schemas.Role;
  /** The status. */ status: "ACTIVE" | "INVITED";
  /** Whether the person has a second factor; null unless an owner reads it. */ second_factor: boolean | null;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it was seen last. */ last_seen_at: Schemas.Timestamp | null;
};
export type MemberCreate = {
  /** Email address. */ email: string;
  /** Name, one line. */ name?: string;
  /** Role of a member. */ role: Schemas.Role;
};
export type MemberCreateReply = {
  /** A person of the account. */ member: Schemas.Member;
  /** Link for the new member. It works once. */ invite_url: string;
};
export type MemberReply = {
  /** A person of the account. */ member: Schemas.Member;
};
export type MemberUpdate = {
  /** Name, one line. */ name?: string;
  /** Role of a member. */ role?: Schemas.Role;
};
export type MembersReply = {
  /** Members. */ members: Array<Schemas.Member>;
};
export type NamedDestination = {
  /** ID of the trigger. */ trigger_id: Schemas.Id;
  /** Name of the trigger. */ trigger_name: string;
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** The status. */ status: "ENABLED" | "DISABLED";
};
/** ALLOW_LIST: only what is listed. */ export type NetworkPolicy = "ALLOW_ALL" | "DENY_ALL" | "ALLOW_LIST";
export type NewAuthenticator = {
  /** The secret in base32, for typing. It is not returned again. */ key: string;
  /** The secret as an otpauth: URL. */ url: string;
};
export type NewCredential = {
  /** ID of the credential in base64url. */ id: string;
  /** The type. */ type: "public-key";
  /** The response. */ response: Schemas.NewCredentialResponse;
};
export type NewCredentialResponse = {
  /** Client data in base64url. */ clientDataJSON: string;
  /** Attestation in base64url. */ attestationObject: string;
  /** How to reach the authenticator. */ transports?: Array<string>;
};
export type OauthGrant = "authorization_code" | "client_credentials" | "device_code" | "token_exchange";
/** A browser in which the person is signed in. */ export type OpenSession = {
  /** ID of the session. */ session_id: Schemas.Id;
  /** Whether it is the session of this request. */ current: boolean;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it was used last. */ last_used_at: Schemas.Timestamp | null;
  /** When it expires; null: never. */ expires_at: Schemas.Timestamp;
  /** IP address. */ ip: string | null;
  /** The `User-Agent` header. */ user_agent: string | null;
};
export type OptionsReply = {
  /** Options for the browser’s WebAuthn API. */ options: Schemas.RequestOptions;
};
export type OptionsReplyOutput = {
  /** Options for the browser’s WebAuthn API. */ options: Schemas.CreationOptions;
};
export type Outcome = {
  /** ID of the delivery. */ delivery_id: Schemas.Id;
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** Name of the destination. */ destination_name: string;
  /** PENDING and RETRYING are open; the others are final. */ status: Schemas.DeliveryStatus;
  /** Number of attempts. */ attempts: number;
  /** Status of the last response. */ last_response_status: number | null;
};
export type OverviewGetReply = {
  /** API keys. */ api_keys: Schemas.OverviewGetReplyApiKeys;
  /** The newest function. */ functions: Schemas.FunctionPage;
  /** The newest 100 connections. */ connections: Schemas.ConnectionPage;
  /** Connections that need attention, at most 200. */ attention_connections: Schemas.ConnectionPage;
  /** FAILED connections, at most 200. */ failed_connections: Schemas.ConnectionPage;
  /** The newest 100 triggers. */ triggers: Schemas.TriggerPage;
  /** Triggers with a failing destination, at most 100. */ failing_triggers: Schemas.TriggerPage;
  /** Statistics of the last 24 hours. */ trigger_stats: Schemas.TriggerStats;
  /** Number of events. */ events: Schemas.EventPage;
  /** Events with a FAILED delivery. */ failed_events: Schemas.EventPage;
  /** OPEN problems. */ open_problems: Schemas.ProblemPage;
  /** Events with a RETRYING delivery. */ retrying_events: Schemas.EventPage;
  /** Number of runs. */ runs: Schemas.RunPage;
  /** When the first gateway call of the last 24 hours was made; null without one. */ first_call_at: Schemas.Timestamp | null;
};
export type OverviewGetReplyApiKeys = {
  /** API keys. */ api_keys: Array<Schemas.ApiKey>;
};
/** A passkey of the person. */ export type Passkey = {
  /** ID of the passkey. */ passkey_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** Whether its provider copies it to other devices. */ synced: boolean;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it was used last. */ last_used_at: Schemas.Timestamp | null;
};
export type PasskeyCreate = {
  /** Name, one line. */ name: string;
  /** The passkey. */ passkey: Schemas.NewCredential;
};
export type PasskeyCreateReply = {
  /** A passkey of the person. */ passkey: Schemas.Passkey;
  /** Recovery codes. They are shown once. */ recovery_codes: Array<string> | null;
};
/** CONFIRM: in place of the password, signed in. */ export type PasskeyPurpose = "SIGN_IN" | "SECOND_FACTOR" | "CONFIRM";
export type PasskeyReply = {
  /** A passkey of the person. */ passkey: Schemas.Passkey;
};
export type PasskeyRequest = {
  /** CONFIRM: in place of the password, signed in. */ purpose: Schemas.PasskeyPurpose;
};
export type PasskeySignIn = {
  /** The passkey. */ passkey: Schemas.Assertion;
};
export type PasskeyUpdate = {
  /** Name, one line. */ name: string;
};
export type PasswordChange = {
  /** The password until now. */ current_password: string;
  /** The new password. */ new_password: string;
};
/** The password, or a passkey. */ export type PasswordConfirm = {
  /** Password. */ password?: string;
  /** The passkey. */ passkey?: Schemas.Assertion;
};
export type PasswordForgotten = {
  /** Email address. */ email: string;
};
export type PasswordForgottenReply = {
  /** How the link reaches the person. */ sent_by: "EMAIL" | "OPERATOR";
};
export type PathsReply = {
  /** Paths, where `*` is one segment and `**` at the end any rest; null for all. */ paths: Array<Schemas.AppPath>;
};
/** Failures with the same cause. */ export type Problem = {
  /** ID of the problem. */ problem_id: Schemas.Id;
  /** Title for people. */ title: string;
  /** What failed. */ kind: Schemas.ProblemKind;
  /** State of a problem. */ state: Schemas.ProblemState;
  /** What happened, in words. */ message: string;
  /** An error code, a reason, or the type of an error. */ code: string | null;
  /** The status. */ status: number | null;
  /** ID of the app. */ app: string | null;
  /** Whether it has all other causes, because there were too many. */ is_coalesced: boolean;
  /** When it was first seen. */ first_seen_at: Schemas.Timestamp;
  /** When it was seen last. */ last_seen_at: Schemas.Timestamp;
  /** When it was opened last. */ opened_at: Schemas.Timestamp;
  /** Number of failures. */ failures: number;
  /** Counts. */ counts: Record<string, number>;
  /** Resources that fail. */ affected: Schemas.ProblemAffected;
  /** Failures in each of the last 24 hours, oldest first. */ trend: Array<number>;
  /** The last change of the state. */ state_change: Schemas.ProblemStateChange | null;
  /** Until when an IGNORED problem stays so. */ ignored: Schemas.ProblemIgnored | null;
  /** Why it is RESOLVED. */ resolved_as: Schemas.ProblemEnd | null;
  /** How often it came back. */ regressions: number;
  /** When it came back last. */ regressed_at: Schemas.Timestamp | null;
  /** The last change of its resources before it was opened. */ preceded_by: Schemas.ProblemPrecededBy | null;
  /** The first version. */ first_version: number | null;
  /** The last version. */ last_version: number | null;
};
export type ProblemAcknowledge = {
  /** A note for other members. */ note?: string;
};
export type ProblemAffected = {
  /** Number of triggers. */ triggers: number;
  /** Destinations. */ destinations: number;
  /** Functions. */ functions: number;
  /** Connections. */ connections: number;
  /** End users of these connections. */ end_users: number;
};
export type ProblemDetail = {
  /** Failures with the same cause. */ problem: Schemas.Problem;
  /** Resources that fail, most failures first. */ parts: Array<Schemas.ProblemDetailPart>;
  /** Number of events, counted up to 10,000. */ event_count: number;
  /** From the cause to what it made fail. */ chain: Array<Schemas.ProblemKind>;
  /** The line that threw. */ frame: Schemas.ProblemDetailFrame | null;
  /** Stored failures. */ samples: Array<Schemas.ProblemDetailSample>;
  /** What failed events have in common. */ shared: Schemas.ProblemDetailShared;
  /** Changes. */ changes: Array<Schemas.ProblemDetailChange>;
};
export type ProblemDetailChange = {
  /** ID of the audit log entry. */ audit_id: Schemas.Id;
  /** When it happened. */ at: Schemas.Timestamp;
  /** Name of the operation, as in this document. */ operation: string;
  /** Who or what acted; CONNECT_LINK: the holder of a connect link. */ actor_type: Schemas.ActorType;
  /** Name of the member or API key at that time. */ actor_name: string;
  /** ID or name of the resource. */ resource_id: string | null;
  /** Whether it changed a resource that fails. */ is_related: boolean;
};
export type ProblemDetailFrame = {
  /** ID of the function. */ function_id: Schemas.Id;
  /** Number of the version. */ version: number;
  /** Path of the file. */ file: string;
  /** Line, from 1. */ line: number;
  /** Name, one line. */ name: string | null;
  /** The text. */ text: string | null;
};
export type ProblemDetailPart = {
  /** Kind of resource that fails. */ kind: Schemas.ProblemPartKind;
  /** ID or name of the resource. */ resource_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** ID of the trigger. */ trigger_id: Schemas.Id | null;
  /** Whether a function turns events into the requests of the destination. */ is_transformed: boolean;
  /** Whether it still exists. */ exists: boolean;
  /** Number of failures. */ failures: number;
  /** When it happened last. */ last_at: Schemas.Timestamp;
};
export type ProblemDetailSample = {
  /** A delivery, run, call or request that failed. */ failure: Schemas.ProblemFailure;
  /** The request. */ request: Schemas.ProblemDetailSampleRequest | null;
  /** The response. */ response: Schemas.ProblemDetailSampleResponse | null;
  /** What went wrong. */ error: string | null;
  /** The gateway call. */ call: Schemas.ProblemDetailSampleCall | null;
};
export type ProblemDetailSampleCall = {
  /** ID of the app. */ app: string;
  /** HTTP method. */ method: string;
  /** The path. */ path: string;
  /** The status. */ status: number | null;
  /** What went wrong. */ error: string | null;
};
export type ProblemDetailSampleRequest = {
  /** HTTP method. */ method: string;
  /** The URL. */ url: string;
  /** Headers by name. */ headers: Record<string, string>;
  /** The body. */ body: string | null;
};
export type ProblemDetailSampleResponse = {
  /** The status. */ status: number;
  /** The body. */ body: string | null;
};
export type ProblemDetailShared = {
  /** How many failed. */ failed: number;
  /** How many succeeded. */ succeeded: number;
  /** Values that every failed event has, and no successful one. */ values: Array<Schemas.ProblemDetailSharedValue>;
};
export type ProblemDetailSharedValue = {
  /** The path. */ path: string;
  /** The value. */ value: string | null;
};
/** Why a problem is RESOLVED. */ export type ProblemEnd = "PERSON" | "SUCCESSES" | "REPLAYED" | "DELETED";
/** A delivery, run, call or request that failed. */ export type ProblemFailure = {
  /** What failed. */ kind: Schemas.ProblemKind;
  /** ID of what failed. */ subject_id: Schemas.Id;
  /** When it failed first. */ first_at: Schemas.Timestamp;
  /** When it happened last. */ last_at: Schemas.Timestamp;
  /** Number of failures. */ failures: number;
  /** ID of the event. */ event_id: Schemas.Id | null;
  /** ID of the trigger. */ trigger_id: Schemas.Id | null;
  /** ID of the delivery. */ delivery_id: Schemas.Id | null;
  /** ID of the destination. */ destination_id: Schemas.Id | null;
  /** ID of the run. */ run_id: Schemas.Id | null;
  /** ID of the function. */ function_id: Schemas.Id | null;
  /** Number of the version. */ version: number | null;
  /** ID of the gateway call. */ call_id: Schemas.Id | null;
  /** ID of the connection. */ connection_id: Schemas.Id | null;
};
export type ProblemFailurePage = {
  /** Number of failures. */ failures: Array<Schemas.ProblemFailure>;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
export type ProblemIgnore = {
  /** A note for other members. */ note?: string;
  /** Up to this time. */ until?: string;
  /** It is opened again above this number of failures. */ above_failures?: number;
};
export type ProblemIgnored = {
  /** Up to this time. */ until: Schemas.Timestamp | null;
  /** It is opened again above this number of failures. */ above_failures: number | null;
};
/** What failed. */ export type ProblemKind = "DELIVERY" | "RUN" | "CALL" | "RENEWAL" | "REJECTION" | "SCHEDULE" | "POLL";
export type ProblemPage = {
  /** Problems. */ problems: Array<Schemas.Problem>;
  /** OPEN problems of the account. */ open_count: number;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
/** Kind of resource that fails. */ export type ProblemPartKind = "TRIGGER" | "DESTINATION" | "FUNCTION" | "CONNECTION";
export type ProblemPrecededBy = {
  /** ID of the audit log entry. */ audit_id: Schemas.Id;
  /** When it happened. */ at: Schemas.Timestamp;
  /** Name of the operation, as in this document. */ operation: string;
  /** Name of the member or API key at that time. */ actor_name: string;
  /** ID or name of the resource. */ resource_id: string | null;
  /** Number of the version. */ version: number | null;
};
export type ProblemReplayCreate = {
  /** Only counts: nothing is changed or sent. */ dry_run?: boolean;
  /** How many are sent first. */ canary?: number;
  /** What happens when the canary has succeeded. */ after_canary?: "CONTINUE" | "PAUSE";
  /** Maximum number of deliveries per second. */ rate_per_second?: number;
};
/** What a replay would send now. */ export type ProblemReplayPlan = {
  /** Number of events. */ events: number;
  /** Number of deliveries. */ deliveries: number;
  /** Whether counting stopped early: there may be more. */ at_least: boolean;
  /** When the oldest of the events was received. */ oldest_at: Schemas.Timestamp | null;
  /** When the newest of the events was received. */ newest_at: Schemas.Timestamp | null;
  /** What is not sent, by reason. */ left_out: Record<string, number>;
  /** Estimated duration in seconds. */ seconds: number | null;
  /** Destinations. */ destinations: Array<Schemas.ProblemReplayPlanDestination>;
};
export type ProblemReplayPlanDestination = {
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** Name of the destination. */ destination_name: string;
  /** Number of deliveries. */ deliveries: number;
  /** Affected deliveries that are not sent. */ left_out: number;
  /** When the oldest of the events was received. */ oldest_at: Schemas.Timestamp | null;
  /** When the newest of the events was received. */ newest_at: Schemas.Timestamp | null;
  /** Estimated duration in seconds. */ seconds: number | null;
  /** Whether the destination is paused. */ is_paused: boolean;
  /** Until when its circuit breaker is open. */ circuit_open_until: Schemas.Timestamp | null;
};
export type ProblemReplayReply = {
  /** The replay. */ replay: Schemas.Replay | null;
  /** What would be sent; null without `dry_run`. */ plan: Schemas.ProblemReplayPlan | null;
};
export type ProblemReply = {
  /** Failures with the same cause. */ problem: Schemas.Problem;
};
export type ProblemResolve = {
  /** A note for other members. */ note?: string;
};
/** State of a problem. */ export type ProblemState = "OPEN" | "ACKNOWLEDGED" | "IGNORED" | "RESOLVED";
export type ProblemStateChange = {
  /** When it happened. */ at: Schemas.Timestamp;
  /** Who did it; null: the service. */ by: string | null;
  /** A note for other members. */ note: string | null;
};
export type ProvidersReply = {
  /** Identity providers. */ providers: Array<Schemas.SignInProvider>;
};
/** Period of a rate limit. */ export type RatePeriod = "second" | "minute" | "hour";
/** What became of the deliveries of a replay. */ export type Receipt = {
  /** ID of the replay. */ replay_id: Schemas.Id;
  /** ID of the problem. */ problem_id: Schemas.Id;
  /** Title of the problem. */ problem_title: string;
  /** STOPPED: the canary failed, or nothing more can be sent. */ status: Schemas.ReplayStatus;
  /** Name of the member or key that created it, at that time. */ created_by: string;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it ended; null until then. */ finished_at: Schemas.Timestamp | null;
  /** The receipt has the attempts that had ended by then. */ as_of: Schemas.Timestamp;
  /** Whether no delivery is open any more. */ is_final: boolean;
  /** In one line. */ summary: string;
  /** How many in total. */ total: number;
  /** Deliveries that succeeded. */ delivered: number;
  /** Of these, deliveries with more than one successful attempt. */ delivered_twice: number;
  /** Deliveries by outcome. */ outcomes: Record<string, number>;
  /** Destinations where every attempt fails. */ failing: Array<Schemas.ReceiptFailing>;
  /** What is not sent, by reason. */ left_out: Record<string, number>;
};
export type ReceiptFailing = {
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** Name of the destination. */ destination_name: string;
  /** Why. */ reason: Schemas.DeliveryReason | null;
  /** Status of the response. */ response_status: number | null;
  /** The text. */ text: string;
  /** How many. */ count: number;
};
/** A delivery of the receipt; its proof is an attempt. */ export type ReceiptLine = {
  /** ID of the event. */ event_id: Schemas.Id;
  /** ID of the trigger. */ trigger_id: Schemas.Id;
  /** ID of the delivery. */ delivery_id: Schemas.Id;
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** Name of the destination. */ destination_name: string | null;
  /** ALREADY_DELIVERED: before the replay. RETRYING and WAITING are not final. */ outcome: Schemas.ReceiptOutcome;
  /** Successful attempts. */ successes: number;
  /** Number of the attempt, from 1. */ attempt: number | null;
  /** When the attempt was made. */ attempted_at: Schemas.Timestamp | null;
  /** Status of the response. */ response_status: number | null;
  /** Why. */ reason: Schemas.DeliveryReason | null;
};
export type ReceiptLinePage = {
  /** Deliveries of the receipt. */ lines: Array<Schemas.ReceiptLine>;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
/** ALREADY_DELIVERED: before the replay. RETRYING and WAITING are not final. */ export type ReceiptOutcome = "DELIVERED" | "ALREADY_DELIVERED" | "FAILED" | "RETRYING" | "WAITING" | "CANCELED" | "NOT_SENT";
export type ReceiptReply = {
  /** What became of the deliveries of a replay. */ receipt: Schemas.Receipt;
  /** A bulk replay and its progress. */ replay: Schemas.Replay;
};
export type RecoveryCodesReply = {
  /** Recovery codes. They are shown once. */ recovery_codes: Array<string> | null;
};
export type RecoveryCodesReplyOutput = {
  /** Recovery codes. They are shown once. */ recovery_codes: Array<string>;
};
/** REJECTED is final. */ export type RefreshOutcome = "REFRESHED" | "FAILED" | "REJECTED";
/** A request that was rejected. */ export type Rejection = {
  /** ID of the rejected request. */ rejection_id: Schemas.Id;
  /** When it happened. */ at: Schemas.Timestamp;
  /** Why the request was rejected. */ cause: Schemas.RejectionCause;
  /** What happened, in words. */ message: string;
  /** HTTP method. */ method: string;
  /** Headers by name. */ headers: Record<string, string>;
  /** The body. */ body: string | null;
  /** Size in bytes. */ bytes: number;
  /** IP address. */ ip: string | null;
  /** Whether it can be accepted as an event. */ can_accept: boolean;
  /** ID of the event. */ event_id: Schemas.Id | null;
};
export type RejectionAccepted = {
  /** IDs of events. */ event_ids: Array<Schemas.Id>;
};
/** Why the request was rejected. */ export type RejectionCause = "SIGNATURE_MISSING" | "SIGNATURE_WRONG" | "TIMESTAMP_STALE" | "SECRET_MISSING" | "NOT_JSON" | "NOT_UTF8" | "MALFORMED" | "TOO_LARGE" | "TOO_DEEP" | "BODY_CUT" | "WRONG_METHOD" | "RATE_LIMITED";
export type RejectionPage = {
  /** Rejected requests, newest first. */ rejections: Array<Schemas.Rejection>;
  /** Token of the next page; null on the last. */ next_token: string | null;
  /** Rejected requests that were counted only. */ not_kept: number;
};
/** A bulk replay and its progress. */ export type Replay = {
  /** ID of the replay. */ replay_id: Schemas.Id;
  /** STOPPED: the canary failed, or nothing more can be sent. */ status: Schemas.ReplayStatus;
  /** Why. */ reason: string | null;
  /** How many in total. */ total: number;
  /** Whether deliveries are still being collected. */ gathering: boolean;
  /** How many are done. */ done: number;
  /** How many succeeded. */ succeeded: number;
  /** How many failed. */ failed: number;
  /** How many were skipped. */ skipped: number;
  /** Maximum number of deliveries per second. */ rate_per_second: number;
  /** Deliveries per second now. */ current_rate_per_second: number | null;
  /** Seconds left at the current rate. */ seconds_left: number | null;
  /** How many are sent first. */ canary: number | null;
  /** Version of the function to call; null for the live one. */ function_version: number | null;
  /** Whether its attempts use another body template. */ has_body_template: boolean;
  /** ID of the problem. */ problem_id: Schemas.Id | null;
  /** NOW (default): requests are transformed as the destination says now. THEN: with the function and version of the last attempt of each delivery, or not at all if that one was not transformed. */ transform: Schemas.TransformVersion;
  /** Name of the member or key that created it, at that time. */ created_by: string;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it was last changed. */ updated_at: Schemas.Timestamp;
  /** When it ended; null until then. */ finished_at: Schemas.Timestamp | null;
};
export type ReplayCreate = {
  /** Conditions on the event; see docs/reference/deliveries.md. */ filter: Schemas.DeliveryCancelFilter;
  /** Only deliveries to these destinations. */ destination_ids?: Array<Schemas.Id>;
  /** Only FAILED deliveries. */ only_failed?: boolean;
  /** Only SKIPPED deliveries. */ only_skipped?: boolean;
  /** Only deliveries that the circuit breaker holds. */ only_held?: boolean;
  /** Only deliveries that have not succeeded. */ only_undelivered?: boolean;
  /** Only those skipped since then, as their destination was disabled. */ missed_since?: string;
  /** Sends a new `webhook-id`, so that receivers see a new message. */ as_new?: boolean;
  /** Version of the function to call; null for the live one. */ function_version?: number;
  /** Template of the body; null for the event itself. */ body_template?: string;
  /** NOW (default): requests are transformed as the destination says now. THEN: with the function and version of the last attempt of each delivery, or not at all if that one was not transformed. */ transform?: Schemas.TransformVersion;
  /** Maximum number of deliveries per second. */ rate_per_second?: number;
  /** How many are sent first. */ canary?: number;
  /** Only counts: nothing is changed or sent. */ dry_run?: boolean;
};
export type ReplayDetail = {
  /** A bulk replay and its progress. */ replay: Schemas.Replay;
  /** Template of the body; null for the event itself. */ body_template: string | null;
  /** Destinations whose circuit breaker is open. */ waits_for: Array<Schemas.ReplayReplyWaitsFor>;
  /** Counts by outcome before and after. */ matrix: Array<Schemas.ReplayDetailMatrix>;
};
export type ReplayDetailMatrix = {
  /** PENDING and RETRYING are open; the others are final. */ before: Schemas.DeliveryStatus;
  /** After. */ after: Schemas.DeliveryStatus | null;
  /** How many. */ count: number;
};
/** A delivery of a replay. */ export type ReplayItem = {
  /** ID of the event. */ event_id: Schemas.Id;
  /** ID of the trigger. */ trigger_id: Schemas.Id;
  /** ID of the delivery. */ delivery_id: Schemas.Id;
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** State in the replay. */ state: Schemas.ReplayItemState;
  /** Before. */ before: Schemas.ReplayItemBefore;
  /** After. */ after: Schemas.ReplayItemBefore | null;
};
export type ReplayItemBefore = {
  /** PENDING and RETRYING are open; the others are final. */ status: Schemas.DeliveryStatus;
  /** Status of the response. */ response_status: number | null;
};
export type ReplayItemPage = {
  /** The items. */ items: Array<Schemas.ReplayItem>;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
/** State in the replay. */ export type ReplayItemState = "WAITING" | "SENT" | "DONE" | "SKIPPED";
export type ReplayPage = {
  /** Replays, newest first. */ replays: Array<Schemas.Replay>;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
export type ReplayReply = {
  /** The replay. */ replay: Schemas.Replay | null;
  /** Destinations whose circuit breaker is open. */ waits_for: Array<Schemas.ReplayReplyWaitsFor>;
  /** Only counts: nothing is changed or sent. */ dry_run: Schemas.ReplayReplyDryRun | null;
};
export type ReplayReplyDryRun = {
  /** Number of events. */ events: number;
  /** Number of deliveries. */ deliveries: number;
  /** Whether counting stopped early: there may be more. */ at_least: boolean;
  /** The items. */ items: Array<Schemas.DryRunItem>;
};
export type ReplayReplyOutput = {
  /** A bulk replay and its progress. */ replay: Schemas.Replay;
};
export type ReplayReplyWaitsFor = {
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** Name of the destination. */ destination_name: string;
  /** Up to this time. */ until: Schemas.Timestamp;
};
/** STOPPED: the canary failed, or nothing more can be sent. */ export type ReplayStatus = "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELED" | "STOPPED";
export type RequestDetail = {
  /** The request. */ request: Schemas.RequestDetailRequest;
};
export type RequestDetailRequest = {
  /** ID of the run. */ run_id: Schemas.Id;
  /** State of the request. */ state: Schemas.ShadowRequestState;
  /** Why. */ reason: string | null;
  /** HTTP method. */ method: string;
  /** The path. */ path: string;
  /** When it was received. */ received_at: Schemas.Timestamp;
  /** What the function answered then. */ stored: Schemas.ShadowRequestStored;
  /** Before. */ before: Schemas.RequestDetailRequestBefore | null;
  /** After. */ after: Schemas.RequestDetailRequestBefore | null;
  /** The response. */ response: Schemas.ShadowEquality | null;
  /** Log lines. */ log: Schemas.ShadowEquality | null;
  /** Whether something differs. */ differs: boolean;
};
export type RequestDetailRequestBefore = {
  /** BLOCKED: it failed after a call that was blocked. */ outcome: Schemas.ShadowOutcome;
  /** Status of the response. */ response_status: number | null;
  /** Milliseconds it took. */ duration_ms: number;
  /** What went wrong. */ error: Schemas.RunError | null;
  /** Host names. */ hosts: Array<string>;
  /** Headers by name. */ headers: Record<string, string>;
  /** The body. */ body: string;
  /** Whether the body is Base64, because it is not text. */ is_base64_encoded: boolean;
  /** Bytes of the body. */ body_bytes: number;
  /** Log lines. */ log: Array<Schemas.RequestDetailRequestBeforeLog>;
  /** Whether something is cut. */ truncated: boolean;
};
export type RequestDetailRequestBeforeLog = {
  /** What happened, in words. */ message: string;
  /** Level of a log line. */ level: Schemas.LogLevel;
};
export type RequestOptions = {
  /** Challenge of WebAuthn. */ challenge: string;
  /** ID of the relying party. */ rpId: string;
  /** Milliseconds until it times out. */ timeout: number;
  /** Whether the person is verified. */ userVerification: "required" | "preferred";
  /** Passkeys that can be used. */ allowCredentials: Array<Schemas.RequestOptionsAllowCredential>;
};
export type RequestOptionsAllowCredential = {
  /** The ID. */ id: string;
  /** The type. */ type: "public-key";
  /** How to reach the authenticator. */ transports?: Array<string>;
};
export type RequestPage = {
  /** Number of requests. */ requests: Array<Schemas.ShadowRequest>;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
export type ResultReply = {
  /** The result of a tool. */ result: Schemas.ToolResult;
};
export type ResultReplyOutput = {
  /** Result of a test request, which is not stored. */ result: Schemas.TrialResult;
};
/** Role of a member. */ export type Role = "OWNER" | "ADMIN" | "VIEWER";
/** One run of a function. */ export type Run = {
  /** ID of the run. */ run_id: Schemas.Id;
  /** ID of the function. */ function_id: Schemas.Id;
  /** Number of the version. */ version: number;
  /** The request. */ request: Schemas.RunRequest;
  /** The response. */ response: Schemas.RunResponse | null;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it started. */ started_at: Schemas.Timestamp | null;
  /** When it ended. */ ended_at: Schemas.Timestamp | null;
  /** Status of a run. */ status: Schemas.RunStatus;
  /** Milliseconds it took. */ duration_ms: number | null;
  /** Milliseconds from the start to each step. */ timing: Schemas.RunTiming | null;
  /** What went wrong. */ error: Schemas.RunError | null;
  /** What started the run. */ caller: Schemas.RunCaller | null;
  /** ID of the API key. */ key_id: Schemas.Id | null;
  /** Name of the API key at that time. */ key_name: string | null;
  /** What caused it. */ cause: Schemas.RunCause | null;
};
/** What started a run. */ export type RunCaller = "EVENT" | "KEY" | "ANYONE" | "API" | "CONSOLE" | "TEST" | "BISECT" | "TRANSFORM";
/** The delivery that caused a run. */ export type RunCause = {
  /** ID of the trigger. */ trigger_id: Schemas.Id;
  /** ID of the event. */ event_id: Schemas.Id;
  /** ID of the delivery. */ delivery_id: Schemas.Id;
  /** Number of the attempt, from 1. */ attempt: number;
};
export type RunError = {
  /** Type of the error. */ name: string;
  /** Message of the error. */ message: string;
  /** Stack of the error. */ stack: string | null;
};
export type RunPage = {
  /** Number of runs. */ runs: Array<Schemas.RunRow>;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
export type RunReply = {
  /** One run of a function. */ run: Schemas.Run;
};
export type RunRequest = {
  /** HTTP method. */ method: string;
  /** Path as it was sent. */ raw_path: string;
  /** The path. */ path: string;
  /** Query as it was sent. */ raw_query_string: string;
  /** Query parameters. */ query_params: Record<string, string>;
  /** Headers by name. */ headers: Record<string, string>;
  /** Cookies. */ cookies: Array<string>;
  /** The body. */ body: string;
  /** Whether the body is Base64, because it is not text. */ is_base64_encoded: boolean;
  /** IP address of the caller. */ source_ip: string;
  /** The `User-Agent` header. */ user_agent: string;
  /** Protocol. */ protocol: string;
  /** Host name. */ host: string;
  /** Label of the function’s host. */ label: string;
  /** Whether something is cut. */ truncated?: boolean;
};
export type RunResponse = {
  /** The status. */ status: number;
  /** Headers by name. */ headers: Record<string, string>;
  /** The body. */ body: unknown;
  /** Whether the body is Base64, because it is not text. */ is_base64_encoded?: boolean;
  /** Whether something is cut. */ truncated?: boolean;
};
/** A run in a list. */ export type RunRow = {
  /** ID of the run. */ run_id: Schemas.Id;
  /** ID of the function. */ function_id: Schemas.Id;
  /** Name of the function. */ function_name: string;
  /** Number of the version. */ version: number;
  /** Status of a run. */ status: Schemas.RunStatus;
  /** HTTP method. */ method: string;
  /** The path. */ path: string;
  /** Status of the response. */ response_status: number | null;
  /** Milliseconds it took. */ duration_ms: number | null;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** What went wrong. */ error_message: string | null;
  /** What started the run. */ caller: Schemas.RunCaller | null;
  /** ID of the API key. */ key_id: Schemas.Id | null;
  /** Name of the API key at that time. */ key_name: string | null;
  /** What caused it. */ cause: Schemas.RunCause | null;
};
/** WARM: the process ran the function before. SPARE: it was ready. COLD: it was started. */ export type RunStart = "WARM" | "SPARE" | "COLD";
/** Runs over time and by duration. */ export type RunStats = {
  /** From this time on. */ since: Schemas.Timestamp;
  /** How far back runs were searched. */ searched_since: Schemas.Timestamp;
  /** Number of runs. */ runs: number;
  /** How many failed. */ failed: number;
  /** Median duration in milliseconds. */ p50_ms: number | null;
  /** 95th percentile of the durations in milliseconds. */ p95_ms: number | null;
  /** 99th percentile of the durations in milliseconds. */ p99_ms: number | null;
  /** Durations. */ durations: Array<Schemas.RunStatsDuration>;
  /** Seconds of one bucket. */ bucket_seconds: number;
  /** Numbers per bucket, oldest first, without gaps. */ buckets: Array<Schemas.RunStatsBucket>;
};
export type RunStatsBucket = {
  /** When it happened. */ at: Schemas.Timestamp;
  /** Number of runs. */ runs: number;
  /** How many failed. */ failed: number;
};
export type RunStatsDuration = {
  /** Milliseconds, included. */ from_ms: number;
  /** Milliseconds, excluded; null for the last. */ to_ms: number | null;
  /** Number of runs. */ runs: number;
  /** How many failed. */ failed: number;
};
/** Status of a run. */ export type RunStatus = "RUNNING" | "OK" | "ERROR" | "TIMEOUT";
export type RunTiming = {
  /** WARM: the process ran the function before. SPARE: it was ready. COLD: it was started. */ start: Schemas.RunStart;
  /** Milliseconds until the process was ready. */ ready_ms: number | null;
  /** Milliseconds until the code was loaded; null if it was. */ loaded_ms: number | null;
  /** Milliseconds until the response began. */ answer_ms: number | null;
};
/** Runtime of the code. */ export type Runtime = "nodejs24.x" | "nodejs22.x" | "python3.12";
/** A filter of the event list, under a name. */ export type SavedFilter = {
  /** ID of the saved filter. */ saved_filter_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** Conditions on the event; see docs/reference/deliveries.md. */ filter: Schemas.SavedFilterFilter;
  /** Name of the member or key that created it, at that time. */ created_by: string;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it was last changed. */ updated_at: Schemas.Timestamp;
};
export type SavedFilterCounts = {
  /** Counts. */ counts: Array<Schemas.SavedFilterCountsCount>;
};
export type SavedFilterCountsCount = {
  /** ID of the saved filter. */ saved_filter_id: Schemas.Id;
  /** How many. */ count: number;
  /** Whether counting stopped early: there may be more. */ at_least: boolean;
};
/** A name and conditions. */ export type SavedFilterCreate = {
  /** Name, one line. */ name: string;
  /** Conditions on the event; see docs/reference/deliveries.md. */ filter: Schemas.SavedFilterCreateFilter;
};
export type SavedFilterCreateFilter = {
  /** PENDING and RETRYING are open; the others are final. */ status?: Schemas.DeliveryStatus;
  /** Due deliveries that the open circuit breaker holds. */ held?: "true";
  /** Why. */ reason?: "HTTP_STATUS" | "TIMEOUT" | "DNS_ERROR" | "CONNECTION_REFUSED" | "CONNECTION_RESET" | "TLS_ERROR" | "BLOCKED_ADDRESS" | "REDIRECT" | "TEMPLATE_ERROR" | "TRANSFORM_ERROR" | "MESSAGE_REJECTED" | "APP_ERROR" | "CONNECTION_FAILED" | "CONNECTION_DELETED" | "DESTINATION_DISABLED" | "TRIGGER_DISABLED" | "FILTERED" | "TRANSFORM_SKIPPED" | "GONE" | "CANCELED";
  /** Received at this time or later. */ received_after?: string;
  /** Received before this time. */ received_before?: string;
  /** Text to search for. */ q?: string;
  /** ID of the destination. */ destination_id?: Schemas.Id;
  /** App or built-in source of the events. */ source?: string;
  /** Status of the last response, a class such as `5xx`, or `none`. */ response_status?: string;
  /** ID of the replay. */ replay_id?: Schemas.Id;
  /** The event of which this one is an edited copy. */ replay_of?: Schemas.Id;
  /** Only pinned events. */ pinned?: "true";
  /** ID of the trigger. */ trigger_id?: Schemas.Id;
  /** The time range up to now. */ received_within?: Schemas.CallRange;
};
export type SavedFilterFilter = {
  /** PENDING and RETRYING are open; the others are final. */ status?: Schemas.DeliveryStatus;
  /** Due deliveries that the open circuit breaker holds. */ held?: "true";
  /** Why. */ reason?: "HTTP_STATUS" | "TIMEOUT" | "DNS_ERROR" | "CONNECTION_REFUSED" | "CONNECTION_RESET" | "TLS_ERROR" | "BLOCKED_ADDRESS" | "REDIRECT" | "TEMPLATE_ERROR" | "TRANSFORM_ERROR" | "MESSAGE_REJECTED" | "APP_ERROR" | "CONNECTION_FAILED" | "CONNECTION_DELETED" | "DESTINATION_DISABLED" | "TRIGGER_DISABLED" | "FILTERED" | "TRANSFORM_SKIPPED" | "GONE" | "CANCELED";
  /** Received at this time or later. */ received_after?: string;
  /** Received before this time. */ received_before?: string;
  /** Text to search for. */ q?: string;
  /** ID of the destination. */ destination_id?: Schemas.Id;
  /** App or built-in source of the events. */ source?: string;
  /** Status of the last response, a class such as `5xx`, or `none`. */ response_status?: string;
  /** ID of the replay. */ replay_id?: Schemas.Id;
  /** The event of which this one is an edited copy. */ replay_of?: Schemas.Id;
  /** Only pinned events. */ pinned?: "true";
  /** ID of the trigger. */ trigger_id?: Schemas.Id;
  /** The time range up to now. */ received_within?: Schemas.CallRange;
};
export type SavedFilterReply = {
  /** A filter of the event list, under a name. */ saved_filter: Schemas.SavedFilter;
};
export type SavedFilterUpdate = {
  /** Name, one line. */ name?: string;
  /** Conditions on the event; see docs/reference/deliveries.md. */ filter?: Schemas.SavedFilterCreateFilter;
};
export type SavedFiltersReply = {
  /** Saved filters. */ saved_filters: Array<Schemas.SavedFilter>;
};
/** A request to an app, under a name. */ export type SavedRequest = {
  /** ID of the saved request. */ saved_request_id: Schemas.Id;
  /** ID of the app. */ app: string;
  /** Name of the request. */ name: string;
  /** HTTP method. */ method: string;
  /** Path and query, with secrets masked. */ path: string;
  /** Headers, with secrets masked. */ headers: Array<[string, string]>;
  /** Kind of the body. The texts of a `multipart` body are saved as a form. */ body_kind: "none" | "json" | "form" | "text" | "multipart" | "file";
  /** The body, with secrets masked; empty for none and for a file. */ body: string;
  /** Name of the member or key that created it, at that time. */ created_by: string;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it was last changed. */ updated_at: Schemas.Timestamp;
};
export type SavedRequestCreate = {
  /** Name, one line. */ name: string;
  /** HTTP method. */ method: string;
  /** The path. */ path: string;
  /** Headers as pairs. */ headers?: Array<[string, string]>;
  /** Kind of the body. The texts of a `multipart` body are saved as a form. */ body_kind: "none" | "json" | "form" | "text" | "multipart" | "file";
  /** The body; that of `form` and `multipart` as `a=1&b=2`. */ body?: string;
};
export type SavedRequestReply = {
  /** A request to an app, under a name. */ saved_request: Schemas.SavedRequest;
};
export type SavedRequestUpdate = {
  /** Name, one line. */ name: string;
};
export type SavedRequestsReply = {
  /** Saved requests. */ saved_requests: Array<Schemas.SavedRequest>;
};
/** A search, under a name. */ export type SavedSearch = {
  /** ID of the saved search. */ saved_search_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** Text to search for. */ q: string;
  /** SELF: your account. ALL: also PUBLIC functions of others. */ owner: "SELF" | "ALL";
  /** Whether case matters; `auto`: if the query has capitals. */ case: "auto" | "yes" | "no";
  /** Whether it searches code, so that a trigger can watch it. */ is_code: boolean;
  /** Number of triggers. */ triggers: number;
  /** Name of the member or key that created it, at that time. */ created_by: string;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it was last changed. */ updated_at: Schemas.Timestamp;
};
export type SavedSearchCreate = {
  /** Name, one line. */ name: string;
  /** Text to search for. */ q: string;
  /** SELF: your account. ALL: also PUBLIC functions of others. */ owner?: "SELF" | "ALL";
  /** Whether case matters; `auto`: if the query has capitals. */ case?: "auto" | "yes" | "no";
};
export type SavedSearchReply = {
  /** A search, under a name. */ saved_search: Schemas.SavedSearch;
};
export type SavedSearchUpdate = {
  /** Name, one line. */ name?: string;
  /** Text to search for. */ q?: string;
  /** SELF: your account. ALL: also PUBLIC functions of others. */ owner?: "SELF" | "ALL";
  /** Whether case matters; `auto`: if the query has capitals. */ case?: "auto" | "yes" | "no";
};
export type SavedSearchesReply = {
  /** Saved searches. */ saved_searches: Array<Schemas.SavedSearch>;
};
/** `write` includes `read` of its group. */ export type Scope = "connections:read" | "connections:write" | "triggers:read" | "triggers:write" | "events:read" | "events:write" | "functions:read" | "functions:write" | "functions:invoke" | "settings:read" | "gateway:call";
export type SearchAllReply = {
  /** The query. */ query: string;
  /** How the query was read. */ mode: "ranked" | "literal" | "regex" | "boolean";
  /** How many. */ count: number;
  /** Functions. */ functions: Array<Schemas.FoundFunction>;
  /** What the code of these functions defines and uses. */ facets?: Schemas.SearchReplyFacets;
  /** Functions that the query could cover. */ scope_count: number;
  /** Functions searched so far. */ searched_count: number;
  /** Functions found so far. */ found_count: number;
  /** Number of hits. */ hit_count: number;
  /** Functions whose code could not be searched whole. */ incomplete_count: number;
  /** How many in total. */ total: number | null;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
export type SearchCopies = {
  /** How many. */ count: number;
  /** Whether there are more. */ has_more: boolean;
  /** Functions. */ functions: Array<Schemas.SearchCopiesFunction>;
};
export type SearchCopiesFunction = {
  /** ID of the function. */ function_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** ID of the account. */ account_id: Schemas.Id;
  /** Name of the account. */ account_name: string;
  /** Number of the version. */ version: number;
};
/** Lines that match. */ export type SearchHit = {
  /** Path of the file. */ path: string;
  /** Line, from 1. */ line: number;
  /** The last line, if there are several. */ end_line?: number;
  /** The text. */ text: string;
  /** Lines before. */ before: Array<string>;
  /** Lines after. */ after: Array<string>;
  /** The first version. */ first_version?: number;
  /** The last version. */ last_version?: number;
};
export type SearchReply = {
  /** The query. */ query: string;
  /** How the query was read. */ mode: "ranked" | "literal" | "regex" | "boolean";
  /** How many. */ count: number;
  /** Whether something is cut. */ truncated: boolean;
  /** Functions. */ functions: Array<Schemas.FoundFunction>;
  /** What the code of these functions defines and uses. */ facets?: Schemas.SearchReplyFacets;
};
export type SearchReplyFacets = {
  /** Kinds of definitions. */ symbol: Array<Schemas.SearchReplyFacetsSymbol>;
  /** Packages. */ imports: Array<Schemas.SearchReplyFacetsSymbol>;
  /** Host name. */ host: Array<Schemas.SearchReplyFacetsSymbol>;
  /** Environment variables. */ env: Array<Schemas.SearchReplyFacetsSymbol>;
};
export type SearchReplyFacetsSymbol = {
  /** The value. */ value: string;
  /** How many. */ count: number;
};
/** Order of the functions. */ export type SearchSort = "relevance" | "runs" | "stars" | "deployed";
/** One of the three. */ export type SecondFactor = {
  /** The 6 digits of the authenticator app. */ code?: string;
  /** A recovery code. It works once. */ recovery_code?: string;
  /** The passkey. */ passkey?: Schemas.Assertion;
};
export type SecondFactors = {
  /** Passkeys of the person. */ passkeys: Array<Schemas.Passkey>;
  /** Why passkeys can’t be used; null if they can. */ passkeys_unavailable: string | null;
  /** The authenticator app. */ authenticator: Schemas.SecondFactorsAuthenticator | null;
  /** Recovery codes that were not used. */ recovery_codes_left: number;
  /** Accounts that require a second factor. */ required_by: Array<string>;
  /** Whether the person has a password. */ has_password: boolean;
};
export type SecondFactorsAuthenticator = {
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it was used last. */ last_used_at: Schemas.Timestamp | null;
};
/** `ours`: generated here. `theirs`: shown by the app. `none`: unsigned. */ export type SecretKind = "none" | "ours" | "theirs";
export type SecretRotate = {
  /** Hours during which the old secret works, too. */ overlap_hours?: number;
};
/** The signed-in person and the account. */ export type Session = {
  /** ID of the member. */ user_id: Schemas.Id;
  /** Email address. */ email: string;
  /** Name of the person. */ name: string;
  /** Role of a member. */ role: Schemas.Role;
  /** ID of the account. */ account_id: Schemas.Id;
  /** Name of the account. */ account_name: string;
  /** Accounts of the person, the last used first. */ accounts: Array<Schemas.SessionAccount>;
  /** Whether people may create accounts. */ may_create_account: boolean;
  /** Whether the installation is on hold. */ on_hold: boolean;
  /** Whether the installation is the demo. */ demo: boolean;
  /** The identity provider. */ provider: Schemas.SessionProvider | null;
  /** Position of the live stream, to subscribe from. */ live_position: string;
  /** What the person has to do first. */ required?: "SET_UP_SECOND_FACTOR";
};
export type SessionAccount = {
  /** ID of the account. */ account_id: Schemas.Id;
  /** Name of the account. */ name: string;
  /** Role of a member. */ role: Schemas.Role;
};
export type SessionProvider = {
  /** ID of the identity provider. */ provider_id: string;
  /** Name, one line. */ name: string;
  /** Whether the session is limited to this account. */ only_account: boolean;
};
export type SessionReply = {
  /** The session. */ session: Schemas.Session | null;
};
export type SessionRevoke = {
  /** ID of the session. */ session_id?: Schemas.Id;
};
export type SessionSwitch = {
  /** ID of the account. */ account_id: Schemas.Id;
};
export type SessionsReply = {
  /** Sessions of the person. */ sessions: Array<Schemas.OpenSession>;
};
/** A version that runs on stored requests, compared with the live one. */ export type Shadow = {
  /** ID of the shadow. */ shadow_id: Schemas.Id;
  /** ID of the function. */ function_id: Schemas.Id;
  /** Number of the version. */ version: number;
  /** The live version. */ live_version: number;
  /** STOPPED: a limit or a deletion ended it. */ status: Schemas.ShadowStatus;
  /** Why. */ reason: string | null;
  /** The verdict; null until it ends. */ verdict: Schemas.ShadowVerdict | null;
  /** What the verdict is based on. */ findings: Array<Schemas.ShadowFindingOutput>;
  /** The last one. */ last: number;
  /** Conditions on the event; see docs/reference/deliveries.md. */ filter: Schemas.ShadowFilter;
  /** What the version must satisfy to pass. */ budget: Schemas.ShadowBudget;
  /** Makes the version live if it passed. */ deploy: boolean;
  /** When it became live. */ deployed_at: Schemas.Timestamp | null;
  /** Name of the member or key that created it, at that time. */ created_by: string;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it ended. */ ended_at: Schemas.Timestamp | null;
  /** How many in total. */ total: number;
  /** How many are done. */ done: number;
  /** How many were skipped. */ skipped: number;
};
export type ShadowBudget = {
  /** No request fails that succeeds with the live version. */ no_new_failures: boolean;
  /** Every request gets the same response. */ no_changed_responses: boolean;
  /** No new host or app is called. */ no_new_hosts: boolean;
  /** Its p95 duration may be this much higher; null for no limit. */ max_slower_percent: number | null;
};
/** A version or files, and what it must satisfy. */ export type ShadowCreate = {
  /** Number of the version. */ version?: number;
  /** Code by path. */ files?: Record<string, string>;
  /** The file and export that handles requests. */ handler?: string;
  /** What happened, in words. */ message?: string;
  /** The last one. */ last?: number;
  /** Conditions on the event; see docs/reference/deliveries.md. */ filter?: Schemas.ShadowCreateFilter;
  /** What the version must satisfy to pass. */ budget?: Schemas.ShadowCreateBudget;
  /** Makes the version live if it passed. */ deploy?: boolean;
};
export type ShadowCreateBudget = {
  /** No request fails that succeeds with the live version. */ no_new_failures?: boolean;
  /** Every request gets the same response. */ no_changed_responses?: boolean;
  /** No new host or app is called. */ no_new_hosts?: boolean;
  /** Its p95 duration may be this much higher; null for no limit. */ max_slower_percent?: number | null;
};
export type ShadowCreateFilter = {
  /** From this time on. */ since?: string;
  /** Up to this time. */ until?: string;
  /** The status. */ status?: "RUNNING" | "OK" | "ERROR" | "TIMEOUT" | "FAILED";
  /** What started a run. */ caller?: Schemas.RunCaller;
  /** Text to search for. */ q?: string;
  /** ID of the problem. */ problem_id?: Schemas.Id;
};
export type ShadowCreated = {
  /** A version that runs on stored requests, compared with the live one. */ shadow: Schemas.Shadow;
  /** Number of the version. */ version: Schemas.FunctionVersion | null;
};
export type ShadowDetail = {
  /** A version that runs on stored requests, compared with the live one. */ shadow: Schemas.Shadow;
  /** Counts by outcome before and after. */ matrix: Array<Schemas.ShadowDetailMatrix>;
  /** Comparison of the responses. */ responses: Schemas.ShadowDetailResponses;
  /** Log lines. */ logs: Schemas.ShadowDetailResponses;
  /** Durations. */ durations: Schemas.ShadowDetailDurations;
  /** Host names. */ hosts: Array<Schemas.ShadowDetailHost>;
};
export type ShadowDetailDurations = {
  /** Before. */ before: Schemas.ShadowDetailDurationsBefore;
  /** After. */ after: Schemas.ShadowDetailDurationsBefore;
};
export type ShadowDetailDurationsBefore = {
  /** Median duration in milliseconds. */ p50_ms: number | null;
  /** 95th percentile of the durations in milliseconds. */ p95_ms: number | null;
};
export type ShadowDetailHost = {
  /** Host name. */ host: string;
  /** Requests that called it with the live version. */ before: number;
  /** Requests that called it with this version. */ after: number;
};
export type ShadowDetailMatrix = {
  /** BLOCKED: it failed after a call that was blocked. */ before: Schemas.ShadowOutcome;
  /** BLOCKED: it failed after a call that was blocked. */ after: Schemas.ShadowOutcome;
  /** How many. */ count: number;
};
export type ShadowDetailResponses = {
  /** How many are the same. */ same: number;
  /** How many differ. */ different: number;
  /** How many vary with the live version, too. */ varying: number;
};
/** VARIES: two runs of the live version differ, too. */ export type ShadowEquality = "SAME" | "DIFFERENT" | "VARIES";
export type ShadowFilter = {
  /** From this time on. */ since?: string;
  /** Up to this time. */ until?: string;
  /** The status. */ status?: "RUNNING" | "OK" | "ERROR" | "TIMEOUT" | "FAILED";
  /** What started a run. */ caller?: Schemas.RunCaller;
  /** Text to search for. */ q?: string;
  /** ID of the problem. */ problem_id?: Schemas.Id;
};
export type ShadowFinding = "NEW_FAILURES" | "CHANGED_RESPONSES" | "NEW_HOSTS" | "SLOWER" | "ALL_BLOCKED" | "SOME_BLOCKED" | "NOT_COMPLETE";
export type ShadowFindingOutput = {
  /** The code. */ code: Schemas.ShadowFinding;
  /** What happened, in words. */ message: string;
};
/** BLOCKED: it failed after a call that was blocked. */ export type ShadowOutcome = "SUCCESS" | "FAILURE" | "BLOCKED";
export type ShadowPage = {
  /** Shadows, newest first. */ shadows: Array<Schemas.Shadow>;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
export type ShadowReply = {
  /** A version that runs on stored requests, compared with the live one. */ shadow: Schemas.Shadow;
};
export type ShadowRequest = {
  /** ID of the run. */ run_id: Schemas.Id;
  /** State of the request. */ state: Schemas.ShadowRequestState;
  /** Why. */ reason: string | null;
  /** HTTP method. */ method: string;
  /** The path. */ path: string;
  /** When it was received. */ received_at: Schemas.Timestamp;
  /** What the function answered then. */ stored: Schemas.ShadowRequestStored;
  /** Before. */ before: Schemas.ShadowRequestBefore | null;
  /** After. */ after: Schemas.ShadowRequestBefore | null;
  /** The response. */ response: Schemas.ShadowEquality | null;
  /** Log lines. */ log: Schemas.ShadowEquality | null;
  /** Whether something differs. */ differs: boolean;
};
export type ShadowRequestBefore = {
  /** BLOCKED: it failed after a call that was blocked. */ outcome: Schemas.ShadowOutcome;
  /** Status of the response. */ response_status: number | null;
  /** Milliseconds it took. */ duration_ms: number;
  /** What went wrong. */ error: Schemas.RunError | null;
  /** Host names. */ hosts: Array<string>;
};
/** State of the request. */ export type ShadowRequestState = "WAITING" | "DONE" | "SKIPPED";
export type ShadowRequestStored = {
  /** BLOCKED: it failed after a call that was blocked. */ outcome: Schemas.ShadowOutcome;
  /** Number of the version. */ version: number;
  /** Status of the response. */ response_status: number | null;
};
/** STOPPED: a limit or a deletion ended it. */ export type ShadowStatus = "RUNNING" | "COMPLETED" | "STOPPED" | "CANCELED";
/** UNDECIDED: too little was tried to pass. */ export type ShadowVerdict = "PASSED" | "FAILED" | "UNDECIDED";
export type SignIn = {
  /** Email address. */ email: string;
  /** Password. */ password: string;
};
export type SignInFinish = {
  /** ID of the account. */ account_id?: Schemas.Id;
  /** The `state` of the callback. */ state: string;
  /** The `code` of the callback. */ code?: string;
  /** The issuer of the callback. */ iss?: string;
  /** The `error` of the callback. */ error?: string;
};
export type SignInFinished = {
  /** The result. */ result: Schemas.SignInResult;
  /** The session. */ session: Schemas.Session | null;
  /** Path of the console to open afterwards. */ next: string;
  /** The member. */ member: Schemas.SignInFinishedMember | null;
};
export type SignInFinishedMember = {
  /** Email address. */ email: string;
  /** Name of the account. */ account_name: string;
  /** The identity provider. */ provider: string;
};
export type SignInLink = {
  /** Password. */ password?: string;
};
export type SignInLinkReply = {
  /** The session. */ session: Schemas.Session | null;
  /** Path of the console to open afterwards. */ next: string;
};
export type SignInProvider = {
  /** ID of the identity provider. */ provider_id: string;
  /** Name, one line. */ name: string;
  /** Host name. */ host: string;
};
export type SignInProviders = {
  /** Email address. */ email?: string;
  /** ID of the account. */ account_id?: Schemas.Id;
};
export type SignInResult = "SIGNED_IN" | "CONFIRMED" | "CONFIRM_MEMBER";
export type SignInStart = {
  /** ID of the identity provider. */ provider_id: string;
  /** Path of the console to open afterwards. */ next?: string;
  /** What it is for. */ purpose?: "SIGN_IN" | "CONFIRM";
};
export type SignedOut = {
  /** Page that ends the session at the identity provider. */ sign_out_url: string | null;
};
export type SigningSecret = {
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** Name, one line. */ name: string;
  /** Signing secret, masked unless just created. */ signing_secret: string;
};
export type Skipped = {
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** Why. */ reason: string;
};
/** How events of an app arrive. */ export type Source = {
  /** How events arrive. */ transport: Schemas.SourceTransport;
  /** Whether it needs a connection. */ needs_connection: boolean;
  /** `ours`: generated here. `theirs`: shown by the app. `none`: unsigned. */ secret: Schemas.SecretKind;
  /** Whether a new trigger registers the webhook at the app. */ registers: boolean;
  /** The steps, in order. */ steps: Array<string>;
};
/** How events arrive. */ export type SourceTransport = "clock" | "push" | "poll" | "internal";
export type StepsReply = {
  /** The steps, in order. */ steps: Array<Schemas.ExaminationStep>;
};
/** Kind of definition. */ export type SymbolKind = "function" | "class" | "method" | "property" | "variable" | "interface" | "type" | "enum" | "member" | "namespace";
export type TestReply = {
  /** Result of the test. */ test: Schemas.IdentityProviderTest;
};
/** ISO 8601 in UTC. */ export type Timestamp = string;
/** A tool of an MCP server. */ export type Tool = {
  /** Name of the tool. */ name: string;
  /** Title for people. */ title: string | null;
  /** What it is for. */ description: string | null;
  /** JSON Schema of the arguments. */ input_schema: Record<string, unknown>;
  /** Whether it changes nothing. */ read_only: boolean | null;
  /** Whether it may delete something. */ destructive: boolean | null;
};
export type ToolCall = {
  /** Name of the tool. */ tool: string;
  /** Arguments of the tool. */ arguments?: Record<string, unknown>;
};
export type ToolList = {
  /** The MCP server. */ server: Schemas.ToolListServer;
  /** Tools of the server. */ tools: Array<Schemas.Tool>;
};
export type ToolListServer = {
  /** Name, one line. */ name: string;
  /** Version of the server. */ version: string;
  /** Version of the protocol. */ protocol_version: string;
};
/** The result of a tool. */ export type ToolResult = {
  /** Whether the tool failed. */ is_error: boolean;
  /** Content of the result. */ content: Array<unknown>;
  /** Structured content; null if there is none. */ structured_content: unknown;
  /** Milliseconds it took. */ duration_ms: number;
};
export type Transform = {
  /** ID of the function. */ function_id: Schemas.Id;
  /** Number of the version. */ version: number | null;
};
export type TransformInput = {
  /** ID of the function. */ function_id: Schemas.Id;
  /** Number of the version. */ version?: number | null;
};
/** The run that transformed a request. */ export type TransformRun = {
  /** ID of the function. */ function_id: Schemas.Id;
  /** Name of the function. */ function_name: string | null;
  /** Number of the version. */ version: number | null;
  /** ID of the run. */ run_id: Schemas.Id | null;
};
export type TransformTest = {
  /** ID of the function. */ function_id?: Schemas.Id;
  /** Number of the version. */ version?: number | null;
  /** Code by path. */ files?: Record<string, string>;
  /** IDs of events. */ event_ids?: Array<Schemas.Id>;
  /** Items per page. */ limit?: number;
};
export type TransformTestReply = {
  /** ID of the function. */ function_id: Schemas.Id;
  /** Number of the version. */ version: number | null;
  /** Results, newest event first. */ results: Array<Schemas.TransformTestReplyResult>;
};
export type TransformTestReplyResult = {
  /** ID of the event. */ event_id: Schemas.Id | null;
  /** When it was received. */ received_at: Schemas.Timestamp;
  /** What the function gets, as JSON. */ input: string;
  /** How it ended. */ outcome: "SENT" | "SKIPPED" | "FAILED";
  /** Before. */ before: Schemas.ProblemDetailSampleRequest | null;
  /** After. */ after: Schemas.ProblemDetailSampleRequest | null;
  /** What went wrong. */ error_message: string | null;
  /** What went wrong. */ error: Schemas.RunError | null;
  /** Log lines. */ logs: Array<Schemas.LogEvent>;
  /** Milliseconds it took. */ duration_ms: number | null;
};
/** NOW: as the destination says now. THEN: as in the last attempt. */ export type TransformVersion = "NOW" | "THEN";
/** Result of a test request, which is not stored. */ export type TrialResult = {
  /** The response. */ response: Schemas.TrialResultResponse | null;
  /** Why. */ reason: Schemas.DeliveryReason | null;
  /** What went wrong. */ error_message: string | null;
  /** Milliseconds it took. */ duration_ms: number;
  /** ID of the run. */ run_id: Schemas.Id | null;
  /** ID of the function. */ function_id: Schemas.Id | null;
  /** The function that turns an event into the request; null for none. */ transform: Schemas.TransformRun | null;
  /** Whether it succeeded. */ ok: boolean;
  /** The request. */ request: Schemas.ProblemDetailSampleRequest | null;
};
export type TrialResultResponse = {
  /** The status. */ status: number;
  /** Headers by name. */ headers: Record<string, string>;
  /** The body. */ body: string;
  /** Whether something is cut. */ truncated: boolean;
};
/** A source of events with its destinations. */ export type Trigger = {
  /** ID of the trigger. */ trigger_id: Schemas.Id;
  /** App or built-in source of the events. */ source: string;
  /** Type of the events, dotted. */ event_type: string;
  /** Name, one line. */ name: string;
  /** What it is for. */ description: string | null;
  /** Parameters of the event type. */ parameters: Record<string, unknown>;
  /** ID of the connection. */ connection_id: Schemas.Id | null;
  /** Destinations. */ destinations: Array<Schemas.DestinationSummary>;
  /** The status. */ status: "ENABLED" | "DISABLED";
  /** Why. */ reason: Schemas.TriggerReason | null;
  /** When it was created. */ created_at: Schemas.Timestamp;
  /** When it was last changed. */ updated_at: Schemas.Timestamp;
  /** When the last event was received. */ last_event_at: Schemas.Timestamp | null;
  /** When a schedule fires next. */ next_fire_at: Schemas.Timestamp | null;
  /** Conditions on the event; see docs/reference/deliveries.md. */ filter: Record<string, unknown> | null;
  /** The webhook endpoint; null for a source that doesn’t push. */ ingress: Schemas.Ingress | null;
};
export type TriggerCreate = {
  /** App or built-in source of the events. */ source: string;
  /** Dotted name such as github.push. A name without a dot, such as push, is read as <app>.<name>. */ event_type: string;
  /** Name, one line. */ name?: string;
  /** What it is for. */ description?: string | null;
  /** Parameters of the event type. */ parameters?: Record<string, unknown>;
  /** ID of the connection. */ connection_id?: Schemas.Id | null;
  /** Conditions on the event; see docs/reference/deliveries.md. */ filter?: Record<string, unknown> | null;
  /** Signing secret of the source. */ secret?: string;
  /** Destinations. */ destinations?: Array<Schemas.DestinationCreate>;
};
export type TriggerCreateReply = {
  /** A source of events with its destinations. */ trigger: Schemas.Trigger;
  /** Signing secrets of the new destinations, in clear. */ signing_secrets: Array<Schemas.SigningSecret>;
};
export type TriggerPage = {
  /** Number of triggers. */ triggers: Array<Schemas.Trigger>;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
/** Why a trigger is disabled. */ export type TriggerReason = "CONNECTION_FAILED" | "CONNECTION_DELETED" | "SOURCE_REJECTED" | "BLOCKED_ADDRESS";
export type TriggerReply = {
  /** A source of events with its destinations. */ trigger: Schemas.Trigger;
};
/** Events and deliveries by trigger. */ export type TriggerStats = {
  /** From this time on. */ since: Schemas.Timestamp;
  /** Seconds of one bucket. */ bucket_seconds: number;
  /** Number of triggers. */ triggers: Array<Schemas.TriggerStatsTrigger>;
};
export type TriggerStatsTrigger = {
  /** ID of the trigger. */ trigger_id: Schemas.Id;
  /** Number of events. */ events: number;
  /** How many succeeded. */ succeeded: number;
  /** How many failed. */ failed: number;
  /** Deliveries that may still be attempted. */ open: number;
  /** Numbers per bucket, oldest first, without gaps. */ buckets: Array<number>;
  /** Destinations where every attempt fails. */ failing: Array<Schemas.TriggerStatsTriggerFailing>;
  /** Destinations with waiting deliveries. */ queues: Array<Schemas.TriggerStatsTriggerQueue>;
  /** Destinations that are disabled. */ disabled: Array<Schemas.TriggerStatsTriggerDisabled>;
  /** Whether it is paused. */ paused: Array<Schemas.TriggerStatsTriggerPaused>;
};
export type TriggerStatsTriggerDisabled = {
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** Since when it is disabled. */ disabled_at: Schemas.Timestamp;
  /** Deliveries missed since then, counted up to 10,000. */ missed: number;
};
export type TriggerStatsTriggerFailing = {
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** Since when every attempt has failed. */ failing_since: Schemas.Timestamp;
  /** Progress towards being disabled, in percent. */ warning: Schemas.DestinationWarning;
};
export type TriggerStatsTriggerPaused = {
  /** ID of the destination. */ destination_id: Schemas.Id;
  /** Since when it is paused: its deliveries wait. */ paused_at: Schemas.Timestamp;
};
export type TriggerStatsTriggerQueue = {
  /** Deliveries that are PENDING or RETRYING. */ waiting: number;
  /** Whether counting stopped early: there may be more. */ at_least: boolean;
  /** Deliveries that are due now. */ due: number;
  /** Due deliveries that the open circuit breaker holds. */ held: number;
  /** When the event of the oldest waiting delivery was received. */ oldest_waiting_at: Schemas.Timestamp | null;
  /** Since when the oldest due delivery has been due. */ oldest_due_at: Schemas.Timestamp | null;
  /** Seconds until the queue is empty at the current pace. */ drain_seconds: number | null;
  /** Health of a destination. */ health: Schemas.DestinationHealth;
  /** ID of the destination. */ destination_id: Schemas.Id;
};
export type TriggerUpdate = {
  /** Name, one line. */ name?: string;
  /** What it is for. */ description?: string | null;
  /** The status. */ status?: "ENABLED" | "DISABLED";
  /** Parameters of the event type. */ parameters?: Record<string, unknown>;
  /** ID of the connection. */ connection_id?: Schemas.Id | null;
  /** Conditions on the event; see docs/reference/deliveries.md. */ filter?: Record<string, unknown> | null;
  /** The secret. */ secret?: string | null;
};
/** What the code of a version reads and calls. */ export type Trust = {
  /** Number of the version. */ version: number;
  /** ALLOW_LIST: only what is listed. */ network_policy: Schemas.NetworkPolicy;
  /** Hosts that it may reach with ALLOW_LIST. */ allowed_hosts: Array<string>;
  /** Environment variables. */ env: Array<Schemas.TrustEnv>;
  /** Host names. */ hosts: Array<Schemas.TrustEnv>;
  /** Apps. */ apps: Array<Schemas.TrustEnv>;
  /** Packages. */ packages: Array<Schemas.TrustEnv>;
  /** Code that can’t be analyzed. */ unknown: Array<Schemas.TrustUnknown>;
  /** Changes. */ changes: Schemas.TrustChanges | null;
};
export type TrustChanges = {
  /** The version to compare with. */ since: number;
  /** Code by path. */ files: Array<Schemas.TrustChangesFile>;
  /** Environment variables. */ env: Schemas.TrustChangesEnv;
  /** Host names. */ hosts: Schemas.TrustChangesEnv;
  /** Apps. */ apps: Schemas.TrustChangesEnv;
  /** Packages. */ packages: Schemas.TrustChangesEnv;
};
export type TrustChangesEnv = {
  /** New. */ added: Array<string>;
  /** Removed. */ removed: Array<string>;
};
export type TrustChangesFile = {
  /** The path. */ path: string;
  /** The change. */ change: "ADDED" | "REMOVED" | "CHANGED";
};
export type TrustEnv = {
  /** Name, one line. */ name: string;
  /** The first places in the code. */ places: Array<Schemas.TrustEnvPlace>;
};
export type TrustEnvPlace = {
  /** The path. */ path: string;
  /** Line, from 1. */ line: number;
};
export type TrustReply = {
  /** What the code of a version reads and calls. */ trust: Schemas.Trust;
};
export type TrustUnknown = {
  /** The path. */ path: string;
  /** Line, from 1. */ line: number;
  /** What it concerns. */ about: "ENV" | "ADDRESS" | "CODE" | "FILE";
  /** The text. */ text: string;
};
export type UrlReply = {
  /** The URL. */ url: string;
};
export type VersionCreate = {
  /** Code by path. */ files: Record<string, string>;
  /** The file and export that handles requests. */ handler?: string;
  /** What happened, in words. */ message?: string;
  /** The version that the change is based on: 409 if it is no longer live. */ replaces?: number;
  /** False: the version does not become live. */ serve?: boolean;
};
export type VersionPage = {
  /** Versions, newest first. */ versions: Array<Schemas.FunctionVersion>;
  /** Token of the next page; null on the last. */ next_token: string | null;
};
export type VersionReply = {
  /** One version of the code. */ version: Schemas.FunctionVersion;
};
export type VersionStats = {
  /** From this time on. */ since: Schemas.Timestamp;
  /** Number of runs. */ runs: number;
  /** Versions, newest first. */ versions: Array<Schemas.VersionStatsVersion>;
};
export type VersionStatsVersion = {
  /** Number of the version. */ version: number;
  /** Number of runs. */ runs: number;
  /** How many failed. */ failed: number;
  /** Median duration in milliseconds. */ p50_ms: number | null;
  /** When it happened last. */ last_at: Schemas.Timestamp;
};
/** PUBLIC: other accounts can read and copy it. */ export type Visibility = "PRIVATE" | "PUBLIC" | "UNLISTED";
/** How the app signs requests. */ export type WebhookSignature = "hmac" | "standard" | "token" | "ed25519" | "other";
/** The body of every error. */ export type Error = {
  /** What is wrong. It begins with the field, if one is wrong. */ message: string;
  /** The status in words. */ type: string;
  /** The status. */ code: number;
  /** Errors in a function’s code, with their locations. */ problems?: Array<Schemas.CodeProblem>;
  /** What a person has to do first. */ required?: "CONFIRM_PASSWORD" | "SECOND_FACTOR" | "SET_UP_SECOND_FACTOR" | "RELOAD";
  /** With SECOND_FACTOR: the factors that the person can use. */ factors?: Array<"PASSKEY" | "AUTHENTICATOR" | "RECOVERY_CODE">;
};
/** An error in a function’s code. */ export type CodeProblem = {
  /** The path of the file. */ file: string;
  /** The line, from 1. */ line: number;
  /** The column, from 1. */ column: number;
  /** What is wrong. */ text: string;
};
}

export type Operations = {
  /** Get the session. Who is signed in; null without a session. No API key required. */ sessionGet: { input: {  }; reply: Schemas.SessionReply };
  /** Sign in. Opens a session with email and password, or asks for a second factor (401 with `factors`). No API key required. */ sessionCreate: { input: { body: Schemas.SignIn }; reply: Schemas.SessionReply };
  /** Sign out. Ends the session of this browser. No API key required. */ sessionDelete: { input: {  }; reply: Schemas.SignedOut };
  /** List your sessions. The browsers in which the person is signed in. No API key required. */ sessionList: { input: {  }; reply: Schemas.SessionsReply };
  /** End other sessions. Ends one session, or all others. No API key required. */ sessionRevoke: { input: { body: Schemas.SessionRevoke }; reply: Schemas.EndedReply };
  /** Switch to another account. Continues the session in another account of the person. No API key required. */ sessionSwitch: { input: { body: Schemas.SessionSwitch }; reply: Schemas.SessionReply };
  /** Create an account. Creates an account, whose owner is the signed-in person. No API key required. */ accountCreate: { input: { body: Schemas.AccountCreate }; reply: Schemas.SessionReply };
  /** Change your password. Sets a new password and ends all other sessions. No API key required. */ passwordChange: { input: { body: Schemas.PasswordChange }; reply: Schemas.SessionReply };
  /** Confirm your password. Confirms the session, which critical changes require. No API key required. */ passwordConfirm: { input: { body: Schemas.PasswordConfirm }; reply: Schemas.Done };
  /** Request a link for a new password. Sends a link by email, or asks the operator for one. The reply is the same for unknown addresses. No API key required. */ passwordForgotten: { input: { body: Schemas.PasswordForgotten }; reply: Schemas.PasswordForgottenReply };
  /** Complete a sign-in with a second factor. Completes a sign-in after the password. No API key required. */ sessionFactor: { input: { body: Schemas.SecondFactor }; reply: Schemas.SessionReply };
  /** Sign in with a passkey. Opens a session with a passkey, without a password. No API key required. */ sessionPasskey: { input: { body: Schemas.PasskeySignIn }; reply: Schemas.SessionReply };
  /** Begin to use a passkey. Options for `navigator.credentials.get()`. No API key required. */ passkeyRequest: { input: { body: Schemas.PasskeyRequest }; reply: Schemas.OptionsReply };
  /** List your second factors. Passkeys, authenticator app and recovery codes of the person. No API key required. */ factorList: { input: {  }; reply: Schemas.SecondFactors };
  /** Begin to add a passkey. Options for `navigator.credentials.create()`. No API key required. */ passkeyOptions: { input: {  }; reply: Schemas.OptionsReplyOutput };
  /** Add a passkey. Adds the passkey that the browser created. No API key required. */ passkeyCreate: { input: { body: Schemas.PasskeyCreate }; reply: Schemas.PasskeyCreateReply };
  /** Rename a passkey. Renames the passkey. No API key required. */ passkeyUpdate: { input: { params: { /** ID of the passkey. */ passkey_id: Schemas.Id }; body: Schemas.PasskeyUpdate }; reply: Schemas.PasskeyReply };
  /** Remove a passkey. Removes the passkey. The last factor can’t be removed while an account requires one. No API key required. */ passkeyDelete: { input: { params: { /** ID of the passkey. */ passkey_id: Schemas.Id } }; reply: Schemas.Done };
  /** Begin to add an authenticator app. Creates the secret of an authenticator app, which a code confirms. No API key required. */ authenticatorCreate: { input: {  }; reply: Schemas.AuthenticatorReply };
  /** Remove the authenticator app. Removes the authenticator app. No API key required. */ authenticatorDelete: { input: {  }; reply: Schemas.Done };
  /** Add an authenticator app. Confirms the authenticator app with a code of it. No API key required. */ authenticatorConfirm: { input: { body: Schemas.AuthenticatorCode }; reply: Schemas.RecoveryCodesReply };
  /** Replace your recovery codes. Creates new recovery codes. The old ones are invalid. No API key required. */ recoveryCodeCreate: { input: {  }; reply: Schemas.RecoveryCodesReplyOutput };
  /** Read an invitation. What an invitation link is for. No API key required. */ invitationRead: { input: { body: Schemas.InvitationRead }; reply: Schemas.InvitationReply };
  /** Accept an invitation. Accepts the invitation and signs the person in. No API key required. */ invitationAccept: { input: { body: Schemas.InvitationAccept }; reply: Schemas.SessionReply };
  /** List identity providers to sign in with. Identity providers of the installation, an account or an email address. No API key required. */ signInProviders: { input: { body: Schemas.SignInProviders }; reply: Schemas.ProvidersReply };
  /** Start a sign-in through an identity provider. The URL at which the person signs in at the identity provider. No API key required. */ signInStart: { input: { body: Schemas.SignInStart }; reply: Schemas.UrlReply };
  /** Finish a sign-in through an identity provider. Completes the sign-in with the parameters of the callback. No API key required. */ signInFinish: { input: { body: Schemas.SignInFinish }; reply: Schemas.SignInFinished };
  /** Link an identity to an existing member. Links the identity provider to a member who used a password so far. No API key required. */ signInLink: { input: { body: Schemas.SignInLink }; reply: Schemas.SignInLinkReply };
  /** Get the account. Name, limits and addresses of the account. A program can test its key with it. */ accountGet: { input: {  }; reply: Schemas.AccountReply };
  /** Update the account. Changes the name, or how members sign in. Requires the role OWNER, which API keys do not have. */ accountUpdate: { input: { body: Schemas.AccountUpdate }; reply: Schemas.AccountReply };
  /** Get the overview. What the Overview of the console shows, in one request. */ overviewGet: { input: {  }; reply: Schemas.OverviewGetReply };
  /** Get the hold of the installation. A restored copy of an installation is on hold: it sends and accepts nothing. */ holdGet: { input: {  }; reply: Schemas.HoldReply };
  /** Release the installation from its hold. Deliveries, schedules and refreshes continue. Requires the role OWNER, which API keys do not have. */ holdRelease: { input: {  }; reply: Schemas.Done };
  /** Disconnect the tokens of an installation on hold. Disconnects the connections whose tokens the original installation still refreshes. Requires the role OWNER, which API keys do not have. */ holdDisconnect: { input: {  }; reply: Schemas.DisconnectedReply };
  /** List members. Members of the account and open invitations. */ memberList: { input: {  }; reply: Schemas.MembersReply };
  /** Invite a member. Creates an invitation link, which works once. Requires the role OWNER, which API keys do not have. */ memberCreate: { input: { body: Schemas.MemberCreate }; reply: Schemas.MemberCreateReply };
  /** Update a member. Changes the name or the role of a member. Requires the role OWNER, which API keys do not have. */ memberUpdate: { input: { params: { /** ID of the member. */ user_id: Schemas.Id }; body: Schemas.MemberUpdate }; reply: Schemas.MemberReply };
  /** Remove a member. Removes the member and ends the sessions. Requires the role OWNER, which API keys do not have. */ memberDelete: { input: { params: { /** ID of the member. */ user_id: Schemas.Id }; query?: { /** Whether the keys that the member created are revoked. */ revoke_keys?: boolean } }; reply: Schemas.Done };
  /** List identity providers. Identity providers (OpenID Connect) and the URLs to register at them. Requires the role OWNER, which API keys do not have. */ identityProviderList: { input: {  }; reply: Schemas.IdentityProviderList };
  /** Create an identity provider. Adds a provider through which people of some domains sign in. Requires the role OWNER, which API keys do not have. */ identityProviderCreate: { input: { body: Schemas.IdentityProviderCreate }; reply: Schemas.IdentityProviderReply };
  /** Update an identity provider. Changes the provider. Its issuer can’t be changed. Requires the role OWNER, which API keys do not have. */ identityProviderUpdate: { input: { params: { /** ID of the identity provider. */ provider_id: Schemas.Id }; body: Schemas.IdentityProviderUpdate }; reply: Schemas.IdentityProviderReply };
  /** Delete an identity provider. Removes the provider. Its members sign in with a password. Requires the role OWNER, which API keys do not have. */ identityProviderDelete: { input: { params: { /** ID of the identity provider. */ provider_id: Schemas.Id } }; reply: Schemas.Done };
  /** Test an identity provider. Reads metadata and keys of the provider. Requires the role OWNER, which API keys do not have. */ identityProviderTest: { input: { params: { /** ID of the identity provider. */ provider_id: Schemas.Id } }; reply: Schemas.TestReply };
  /** List API keys. API keys with their limits and last use, without the keys themselves. */ apiKeyList: { input: {  }; reply: Schemas.OverviewGetReplyApiKeys };
  /** Create an API key. Creates a key with full or limited access. The key is returned once. Requires the role ADMIN. */ apiKeyCreate: { input: { body: Schemas.ApiKeyCreate }; reply: Schemas.ApiKeyCreateReply };
  /** Update an API key. Changes name, expiry or limits. Requires the role ADMIN. */ apiKeyUpdate: { input: { params: { /** ID of the API key. */ key_id: Schemas.Id }; body: Schemas.ApiKeyUpdate }; reply: Schemas.ApiKeyReply };
  /** Revoke an API key. Revokes the key at once. Requires the role ADMIN. */ apiKeyDelete: { input: { params: { /** ID of the API key. */ key_id: Schemas.Id } }; reply: Schemas.Done };
  /** Rotate an API key. Creates a new secret. The old one works for some hours. Requires the role ADMIN. */ apiKeyRotate: { input: { params: { /** ID of the API key. */ key_id: Schemas.Id }; body?: Schemas.ApiKeyRotate }; reply: Schemas.ApiKeyCreateReply };
  /** Get the use of an API key. What the key was used for in 30 days, and limits that permit just this. */ apiKeyUsage: { input: { params: { /** ID of the API key. */ key_id: Schemas.Id } }; reply: Schemas.KeyUsage };
  /** Test limits of an API key. Tests limits on past use: what they would have refused. */ apiKeyTest: { input: { params: { /** ID of the API key. */ key_id: Schemas.Id }; query?: { /** Limits as JSON: `scopes`, `gateway`, `functions`, `ip_ranges`. None by default. */ limits?: string } }; reply: Schemas.KeyTest };
  /** List audit log entries. Changes in the account: who, what, when and from where. */ auditList: { input: { query?: { /** Items per page, at most 200: a larger value is read as 200, 0 as 50. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string; /** Name of the operation, as in this document. */ operation?: string; /** ID of the member or API key that acted. */ actor_id?: Schemas.Id; /** ID of the API key. */ key_id?: Schemas.Id; /** ID or name of the resource. */ resource_id?: string; /** The `X-Request-Id` of the request. */ request_id?: string; /** From this time on. */ since?: string; /** Up to this time. */ until?: string } }; reply: Schemas.AuditPage };
  /** Look up an ID. Finds the resource of any ID, `webhook-id` or `X-Request-Id`. */ lookup: { input: { query: { /** An ID in any case. Surrounding spaces are ignored. At most 128 characters. */ id: string } }; reply: Schemas.LookupReply };
  /** Get what a removal breaks. Code, functions, triggers, destinations and traffic that use it. */ impactGet: { input: { query: { /** What can be removed. */ kind: Schemas.ImpactKind; /** The ID of an API key, connection or function; the name of an app; a host such as api.example.com; the key of an environment variable. */ id: string; /** The function of an environment variable. */ function_id?: Schemas.Id } }; reply: Schemas.ImpactReply };
  /** List problems. Failures of deliveries, runs, calls and sources, grouped by their cause. */ problemList: { input: { query?: { /** States separated by commas: OPEN, ACKNOWLEDGED, IGNORED, RESOLVED. */ state?: string; /** What failed. */ kind?: Schemas.ProblemKind; /** At most 100 UUIDs, separated by commas. */ resource_ids?: string; /** Items per page, at most 200: a larger value is read as 200, 0 as 50. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string } }; reply: Schemas.ProblemPage };
  /** Get a problem. The problem with samples, what its failures share, and changes before it. */ problemGet: { input: { params: { /** ID of the problem. */ problem_id: Schemas.Id } }; reply: Schemas.ProblemDetail };
  /** List failures of a problem. Everything that failed with this cause. */ problemFailureList: { input: { params: { /** ID of the problem. */ problem_id: Schemas.Id }; query?: { /** What failed. */ kind?: Schemas.ProblemKind; /** Items per page, at most 200: a larger value is read as 200, 0 as 50. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string } }; reply: Schemas.ProblemFailurePage };
  /** Acknowledge a problem. Notes that somebody works on it. Requires the role ADMIN. */ problemAcknowledge: { input: { params: { /** ID of the problem. */ problem_id: Schemas.Id }; body: Schemas.ProblemAcknowledge }; reply: Schemas.ProblemReply };
  /** Ignore a problem. Hides it until a time or a number of failures. Requires the role ADMIN. */ problemIgnore: { input: { params: { /** ID of the problem. */ problem_id: Schemas.Id }; body: Schemas.ProblemIgnore }; reply: Schemas.ProblemReply };
  /** Resolve a problem. Closes it. The next failure opens it again as a regression. Requires the role ADMIN. */ problemResolve: { input: { params: { /** ID of the problem. */ problem_id: Schemas.Id }; body: Schemas.ProblemResolve }; reply: Schemas.ProblemReply };
  /** Reopen a problem. Opens it again. Requires the role ADMIN. */ problemReopen: { input: { params: { /** ID of the problem. */ problem_id: Schemas.Id } }; reply: Schemas.ProblemReply };
  /** Replay what a problem affects. Sends again what failed with this cause and was not delivered since. Requires the role ADMIN. */ problemReplayCreate: { input: { params: { /** ID of the problem. */ problem_id: Schemas.Id }; body: Schemas.ProblemReplayCreate }; reply: Schemas.ProblemReplayReply };
  /** Get the receipt of a replay. What became of each delivery of the replay, from its attempts. */ receiptGet: { input: { params: { /** ID of the problem. */ problem_id: Schemas.Id; /** ID of the replay. */ replay_id: Schemas.Id } }; reply: Schemas.ReceiptReply };
  /** List deliveries of a receipt. Deliveries of the replay with the attempt that proves the outcome. */ receiptLineList: { input: { params: { /** ID of the problem. */ problem_id: Schemas.Id; /** ID of the replay. */ replay_id: Schemas.Id }; query?: { /** ALREADY_DELIVERED: before the replay. RETRYING and WAITING are not final. */ outcome?: Schemas.ReceiptOutcome; /** Items per page, at most 200: a larger value is read as 200, 0 as 50. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string } }; reply: Schemas.ReceiptLinePage };
  /** Export a receipt. The same as a file. */ receiptExport: { input: { params: { /** ID of the problem. */ problem_id: Schemas.Id; /** ID of the replay. */ replay_id: Schemas.Id }; query?: { /** Format of the file. */ format?: "ndjson" | "csv" } }; reply: Response };
  /** List apps. Built-in apps and those of the account. */ appList: { input: {  }; reply: Schemas.AppsReply };
  /** Create a custom app. Defines an app: base URL, methods and events. Requires the role ADMIN. */ appCreate: { input: { body: Schemas.AppCreate }; reply: Schemas.AppReply };
  /** Get an app. Methods of authorization and event types of the app. */ appGet: { input: { params: { /** ID of the app. */ app: string } }; reply: Schemas.AppReply };
  /** Update a custom app. Replaces the fields that are present. Connections keep their credentials. Requires the role ADMIN. */ appUpdate: { input: { params: { /** ID of the app. */ app: string }; body: Schemas.AppUpdate }; reply: Schemas.AppReply };
  /** Delete a custom app. Deletes the app. It must have no connections. Requires the role ADMIN. */ appDelete: { input: { params: { /** ID of the app. */ app: string } }; reply: Schemas.Done };
  /** Draft a custom app from an OpenAPI document. Reads an OpenAPI document and returns the fields of a custom app, to be checked by a person. Requires the role ADMIN. */ appDraft: { input: { body: Schemas.AppDraftCreate }; reply: Schemas.AppDraft };
  /** List the paths of an app. Requests of the app’s API, as its OpenAPI document lists them. */ appPathList: { input: { params: { /** ID of the app. */ app: string } }; reply: Schemas.PathsReply };
  /** List app credentials. OAuth clients that the account registered with the app. */ appCredentialList: { input: { params: { /** ID of the app. */ app: string } }; reply: Schemas.CredentialsReply };
  /** Set app credentials. Stores client ID and secret of the account’s OAuth client. Requires the role ADMIN. */ appCredentialPut: { input: { params: { /** ID of the app. */ app: string; /** Method that needs a client of the account. */ method: Schemas.ClientMethod }; body: Schemas.AppCredentialPut }; reply: Schemas.CredentialReply };
  /** Delete app credentials. Removes the client. Its connections can’t be refreshed any more. Requires the role ADMIN. */ appCredentialDelete: { input: { params: { /** ID of the app. */ app: string; /** Method that needs a client of the account. */ method: Schemas.ClientMethod } }; reply: Schemas.Done };
  /** Get the scheduled checks of an app. How often credentials of the app’s connections are checked. */ appCheckGet: { input: { params: { /** ID of the app. */ app: string } }; reply: Schemas.AppCheckReply };
  /** Schedule checks of the connections of an app. Sets how often they are checked, unless a connection has its own setting. Requires the role ADMIN. */ appCheckPut: { input: { params: { /** ID of the app. */ app: string }; body: Schemas.AppCheckPut }; reply: Schemas.AppCheckReply };
  /** List connections. Connections by app, status, tag or end user. */ connectionList: { input: { query?: { /** ID of the app. */ app?: string; /** PENDING until a person completes it; FAILED until a person reconnects. */ status?: Schemas.ConnectionStatus; /** Method of authorization. */ method?: Schemas.AuthMethod; /** Only those with this tag. */ tag?: string; /** The end user of your product whose access it is. */ end_user?: string; /** Text to search for. */ q?: string; /** Only those that fail or need a look. */ attention?: boolean; /** Items per page, at most 200: a larger value is read as 200, 0 as 50. Without it and next_token, all are returned. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string } }; reply: Schemas.ConnectionPage };
  /** Create a connection. Creates a PENDING connection. A person completes it at its `url`. Requires the role ADMIN. */ connectionCreate: { input: { body: Schemas.ConnectionCreate }; reply: Schemas.ConnectionIdReply };
  /** Change many connections. Disconnects, deletes or tags many connections. Requires the role ADMIN. */ connectionBulk: { input: { body: Schemas.ConnectionBulk }; reply: Schemas.ConnectionBulkReply };
  /** Get gateway call statistics by app. Calls through the gateway by app. */ connectionStats: { input: { query?: { /** The time range up to now. */ range?: Schemas.CallRange } }; reply: Schemas.AppCallStats };
  /** Get a connection. Status, expiry and end user of the connection, without credentials. Unknown query parameters are ignored. */ connectionGet: { input: { params: { /** ID of the connection. */ connection_id: Schemas.Id } }; reply: Schemas.ConnectionReply };
  /** Update a connection. Changes name, tags, metadata or end user, or makes it the default. Requires the role ADMIN. */ connectionUpdate: { input: { params: { /** ID of the connection. */ connection_id: Schemas.Id }; body: Schemas.ConnectionUpdate }; reply: Schemas.ConnectionReply };
  /** Delete a connection. Deletes the connection and its credentials. Requires the role ADMIN. */ connectionDelete: { input: { params: { /** ID of the connection. */ connection_id: Schemas.Id } }; reply: Schemas.Done };
  /** List gateway calls of a connection. Calls through the gateway, newest first, without bodies. */ connectionCallList: { input: { params: { /** ID of the connection. */ connection_id: Schemas.Id }; query?: { /** Items per page, at most 200: a larger value is read as 200, 0 as 50. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string; /** The status. */ status?: "2xx" | "3xx" | "4xx" | "5xx" | "none"; /** HTTP method. */ method?: string; /** ID of the API key. */ key_id?: Schemas.Id; /** From this time on. */ since?: string; /** Up to this time. */ until?: string } }; reply: Schemas.CallPage };
  /** Get gateway call statistics of a connection. Calls over time with durations. */ connectionCallStats: { input: { params: { /** ID of the connection. */ connection_id: Schemas.Id }; query?: { /** The time range up to now. */ range?: Schemas.CallRange } }; reply: Schemas.CallStats };
  /** List what uses a connection. Triggers, destinations, functions and keys that use the connection. */ connectionUses: { input: { params: { /** ID of the connection. */ connection_id: Schemas.Id } }; reply: Schemas.ConnectionUses };
  /** Replace a connection by another. Makes everything that uses it use another connection of the app. Requires the role ADMIN. */ connectionReplace: { input: { params: { /** ID of the connection. */ connection_id: Schemas.Id }; body: Schemas.ConnectionReplace }; reply: Schemas.ConnectionReplaceReply };
  /** Get the health of a connection. Last success, last error and refreshes. */ connectionHealth: { input: { params: { /** ID of the connection. */ connection_id: Schemas.Id } }; reply: Schemas.ConnectionHealth };
  /** Test a connection. Sends a cheap request with the credentials. Requires the role ADMIN. */ connectionTest: { input: { params: { /** ID of the connection. */ connection_id: Schemas.Id } }; reply: Schemas.ConnectionTestReply };
  /** Send a request with a connection. Sends a request as the gateway would, and returns the response with its timing. Accepts `text/event-stream`. Requires the role ADMIN. */ connectionRequest: { input: { params: { /** ID of the connection. */ connection_id: Schemas.Id }; body: Schemas.ConnectionRequest }; reply: Schemas.ConnectionResponse };
  /** List saved requests. Requests of the app that members have saved, by name. */ savedRequestList: { input: { params: { /** ID of the app. */ app: string } }; reply: Schemas.SavedRequestsReply };
  /** Save a request. Saves a request for all members, with its secrets masked. Requires the role ADMIN. */ savedRequestCreate: { input: { params: { /** ID of the app. */ app: string }; body: Schemas.SavedRequestCreate }; reply: Schemas.SavedRequestReply };
  /** Rename a saved request. Changes the name. Requires the role ADMIN. */ savedRequestUpdate: { input: { params: { /** ID of the app. */ app: string; /** ID of the saved request. */ saved_request_id: Schemas.Id }; body: Schemas.SavedRequestUpdate }; reply: Schemas.SavedRequestReply };
  /** Delete a saved request. Deletes the saved request. Requires the role ADMIN. */ savedRequestDelete: { input: { params: { /** ID of the app. */ app: string; /** ID of the saved request. */ saved_request_id: Schemas.Id } }; reply: Schemas.Done };
  /** List MCP tools. Tools of the MCP server. */ connectionToolList: { input: { params: { /** ID of the connection. */ connection_id: Schemas.Id } }; reply: Schemas.ToolList };
  /** Call an MCP tool. Calls a tool and returns its result. Requires the role ADMIN. */ connectionToolCall: { input: { params: { /** ID of the connection. */ connection_id: Schemas.Id }; body: Schemas.ToolCall }; reply: Schemas.ResultReply };
  /** Reconnect a connection. Creates a new link with which a person enters credentials again. Requires the role ADMIN. */ connectionReconnect: { input: { params: { /** ID of the connection. */ connection_id: Schemas.Id } }; reply: Schemas.ConnectionReply };
  /** Create a connect session. Creates a link with which your end user connects one of several apps. Requires the role ADMIN. */ connectSessionCreate: { input: { body: Schemas.ConnectSessionCreate }; reply: Schemas.ConnectSessionCreated };
  /** Get a connect session. Whether the end user has connected, and what. */ connectSessionRead: { input: { params: { /** ID of the session. */ session_id: Schemas.Id } }; reply: Schemas.ConnectSessionReply };
  /** Delete a connect session. Ends the session. Its link is invalid. Requires the role ADMIN. */ connectSessionDelete: { input: { params: { /** ID of the session. */ session_id: Schemas.Id } }; reply: Schemas.Done };
  /** Get the connect settings. Origins, colour and logo of the connect window. */ connectSettingsGet: { input: {  }; reply: Schemas.ConnectSettingsReply };
  /** Update the connect settings. Changes origins, colour or logo of the connect window. Requires the role ADMIN. */ connectSettingsUpdate: { input: { body: Schemas.ConnectSettingsUpdate }; reply: Schemas.ConnectSettingsReply };
  /** List triggers. Triggers with their destinations, newest first. */ triggerList: { input: { query?: { /** App or built-in source of the events. */ source?: string; /** The status. */ status?: "ENABLED" | "DISABLED"; /** Destinations where every attempt fails. */ failing?: "true"; /** Text to search for. */ q?: string; /** Items per page, at most 100: a larger value is read as 100, 0 as 50. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string } }; reply: Schemas.TriggerPage };
  /** Create a trigger. Creates a trigger, for push sources with a webhook endpoint, and its destinations. Requires the role ADMIN. */ triggerCreate: { input: { body: Schemas.TriggerCreate }; reply: Schemas.TriggerCreateReply };
  /** Get trigger statistics. Events and deliveries by trigger. */ triggerStats: { input: { query?: { /** The time range up to now. */ range?: Schemas.CallRange } }; reply: Schemas.TriggerStats };
  /** Get a trigger. Source, filter, endpoint and destinations of the trigger. */ triggerGet: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id } }; reply: Schemas.TriggerReply };
  /** Update a trigger. Replaces the fields that are present. Requires the role ADMIN. */ triggerUpdate: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id }; body: Schemas.TriggerUpdate }; reply: Schemas.TriggerReply };
  /** Delete a trigger. Deletes the trigger with its events, and its webhook at the app. Requires the role ADMIN. */ triggerDelete: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id } }; reply: Schemas.HookReply };
  /** Register the webhook of a trigger. Registers the webhook at the app again. Requires the role ADMIN. */ triggerRegister: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id } }; reply: Schemas.TriggerReply };
  /** Send a test event. Stores and delivers an event with a sample or your payload. Requires the role ADMIN. */ triggerTest: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id }; body?: Schemas.EventTest }; reply: Schemas.EventReply };
  /** Test a filter. Which of the last events a filter selects. */ triggerFilterTest: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id }; query?: { /** Conditions on the event; see docs/reference/deliveries.md. */ filter?: string } }; reply: Schemas.FilterTestReply };
  /** Rotate the webhook secret of a trigger. Creates a new webhook secret. The old one works for some hours. Requires the role ADMIN. */ triggerSecretRotate: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id }; body?: Schemas.SecretRotate }; reply: Schemas.TriggerReply };
  /** Reveal the webhook secret of a trigger. Returns the secret that the source sent, until the first signed request. Requires the role ADMIN. */ triggerSecretReveal: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id } }; reply: Schemas.TriggerReply };
  /** List rejected requests. Requests to the endpoint that were rejected, with the reason. */ rejectionList: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id }; query?: { /** Items per page, at most 200: a larger value is read as 200, 0 as 50. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string } }; reply: Schemas.RejectionPage };
  /** Accept a rejected request as an event. Stores the rejected request as an event and delivers it. Requires the role ADMIN. */ rejectionAccept: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id; /** ID of the rejected request. */ rejection_id: Schemas.Id } }; reply: Schemas.RejectionAccepted };
  /** List destinations. Destinations of the trigger. Unknown query parameters are ignored. */ destinationList: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id } }; reply: Schemas.DestinationsReply };
  /** Create a destination. Adds a destination, which gets each event from now on. Requires the role ADMIN. */ destinationCreate: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id }; body: Schemas.DestinationCreate }; reply: Schemas.DestinationReply };
  /** Get a destination. Settings, queue and health of the destination. Unknown query parameters are ignored. */ destinationGet: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id; /** ID of the destination. */ destination_id: Schemas.Id } }; reply: Schemas.DestinationReply };
  /** Update a destination. Replaces the fields that are present. `status` enables, `paused` pauses it. Requires the role ADMIN. */ destinationUpdate: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id; /** ID of the destination. */ destination_id: Schemas.Id }; body: Schemas.DestinationUpdate }; reply: Schemas.DestinationReply };
  /** Delete a destination. Deletes the destination. Its deliveries are canceled. Requires the role ADMIN. */ destinationDelete: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id; /** ID of the destination. */ destination_id: Schemas.Id } }; reply: Schemas.Done };
  /** Send a test request to a destination. Sends one request that is not stored, and returns the response. Requires the role ADMIN. */ destinationTest: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id; /** ID of the destination. */ destination_id: Schemas.Id }; body?: Schemas.EventTest }; reply: Schemas.ResultReplyOutput };
  /** Diagnose an endpoint. Checks name, address, connection, TLS and response of the endpoint in turn. Requires the role ADMIN. */ destinationDoctor: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id; /** ID of the destination. */ destination_id: Schemas.Id } }; reply: Schemas.StepsReply };
  /** Test a transformation with stored events. Runs the transformation on stored events. Nothing is sent. Requires the role ADMIN. */ destinationTransformTest: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id; /** ID of the destination. */ destination_id: Schemas.Id }; body?: Schemas.TransformTest }; reply: Schemas.TransformTestReply };
  /** Rotate the signing secret of a destination. Creates a new signing secret. Requests are signed with both for some hours. Requires the role ADMIN. */ destinationSecretRotate: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id; /** ID of the destination. */ destination_id: Schemas.Id }; body?: Schemas.SecretRotate }; reply: Schemas.DestinationReply };
  /** List events of a trigger. Events of the trigger, newest first. */ eventList: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id }; query?: { /** PENDING and RETRYING are open; the others are final. */ status?: Schemas.DeliveryStatus; /** Due deliveries that the open circuit breaker holds. */ held?: "true"; /** Why. */ reason?: "HTTP_STATUS" | "TIMEOUT" | "DNS_ERROR" | "CONNECTION_REFUSED" | "CONNECTION_RESET" | "TLS_ERROR" | "BLOCKED_ADDRESS" | "REDIRECT" | "TEMPLATE_ERROR" | "TRANSFORM_ERROR" | "MESSAGE_REJECTED" | "APP_ERROR" | "CONNECTION_FAILED" | "CONNECTION_DELETED" | "DESTINATION_DISABLED" | "TRIGGER_DISABLED" | "FILTERED" | "TRANSFORM_SKIPPED" | "GONE" | "CANCELED"; /** Received at this time or later. */ received_after?: string; /** Received before this time. */ received_before?: string; /** Text to search for. */ q?: string; /** ID of the destination. */ destination_id?: Schemas.Id; /** App or built-in source of the events. */ source?: string; /** Status of the last response, a class such as `5xx`, or `none`. */ response_status?: string; /** ID of the replay. */ replay_id?: Schemas.Id; /** The event of which this one is an edited copy. */ replay_of?: Schemas.Id; /** Only pinned events. */ pinned?: "true"; /** Items per page, at most 200: a larger value is read as 200, 0 as 50. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string; /** Only events after this one. */ since_id?: Schemas.Id } }; reply: Schemas.EventPage };
  /** Create an event. Stores an event with your payload and delivers it. Requires the role ADMIN. */ eventCreate: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id }; body: Schemas.EventCreate }; reply: Schemas.EventReply };
  /** List events. Events of all triggers, newest first. */ eventListAll: { input: { query?: { /** PENDING and RETRYING are open; the others are final. */ status?: Schemas.DeliveryStatus; /** Due deliveries that the open circuit breaker holds. */ held?: "true"; /** Why. */ reason?: "HTTP_STATUS" | "TIMEOUT" | "DNS_ERROR" | "CONNECTION_REFUSED" | "CONNECTION_RESET" | "TLS_ERROR" | "BLOCKED_ADDRESS" | "REDIRECT" | "TEMPLATE_ERROR" | "TRANSFORM_ERROR" | "MESSAGE_REJECTED" | "APP_ERROR" | "CONNECTION_FAILED" | "CONNECTION_DELETED" | "DESTINATION_DISABLED" | "TRIGGER_DISABLED" | "FILTERED" | "TRANSFORM_SKIPPED" | "GONE" | "CANCELED"; /** Received at this time or later. */ received_after?: string; /** Received before this time. */ received_before?: string; /** Text to search for. */ q?: string; /** ID of the destination. */ destination_id?: Schemas.Id; /** App or built-in source of the events. */ source?: string; /** Status of the last response, a class such as `5xx`, or `none`. */ response_status?: string; /** ID of the replay. */ replay_id?: Schemas.Id; /** The event of which this one is an edited copy. */ replay_of?: Schemas.Id; /** Only pinned events. */ pinned?: "true"; /** Items per page, at most 200: a larger value is read as 200, 0 as 50. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string; /** ID of the trigger. */ trigger_id?: Schemas.Id; /** At most 100 UUIDs, separated by commas. */ ids?: string } }; reply: Schemas.EventPage };
  /** Export events. Events of the list as a file, while it is read. */ eventExport: { input: { query?: { /** PENDING and RETRYING are open; the others are final. */ status?: Schemas.DeliveryStatus; /** Due deliveries that the open circuit breaker holds. */ held?: "true"; /** Why. */ reason?: "HTTP_STATUS" | "TIMEOUT" | "DNS_ERROR" | "CONNECTION_REFUSED" | "CONNECTION_RESET" | "TLS_ERROR" | "BLOCKED_ADDRESS" | "REDIRECT" | "TEMPLATE_ERROR" | "TRANSFORM_ERROR" | "MESSAGE_REJECTED" | "APP_ERROR" | "CONNECTION_FAILED" | "CONNECTION_DELETED" | "DESTINATION_DISABLED" | "TRIGGER_DISABLED" | "FILTERED" | "TRANSFORM_SKIPPED" | "GONE" | "CANCELED"; /** Received at this time or later. */ received_after?: string; /** Received before this time. */ received_before?: string; /** Text to search for. */ q?: string; /** ID of the destination. */ destination_id?: Schemas.Id; /** App or built-in source of the events. */ source?: string; /** Status of the last response, a class such as `5xx`, or `none`. */ response_status?: string; /** ID of the replay. */ replay_id?: Schemas.Id; /** The event of which this one is an edited copy. */ replay_of?: Schemas.Id; /** Only pinned events. */ pinned?: "true"; /** ID of the trigger. */ trigger_id?: Schemas.Id; /** At most 100 UUIDs, separated by commas. */ ids?: string; /** Format of the file. */ format?: "ndjson" | "csv"; /** Any UUID: live changes then report the progress of the export with this id. */ export_id?: Schemas.Id } }; reply: Response };
  /** Get an event. Payload, deliveries and the request of the source. */ eventGet: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id; /** ID of the event. */ event_id: Schemas.Id }; query?: { /** `true`: with the exact body of the request. */ request_body?: "true" } }; reply: Schemas.EventReply };
  /** Replay an event. Sends the event again to some or all of its destinations. Requires the role ADMIN. Unknown query parameters are ignored. */ eventReplay: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id; /** ID of the event. */ event_id: Schemas.Id }; body?: Schemas.EventReplay }; reply: Schemas.EventReplayReply };
  /** Cancel the open deliveries of an event. Cancels deliveries of the event that are PENDING or RETRYING. Requires the role ADMIN. */ eventCancel: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id; /** ID of the event. */ event_id: Schemas.Id }; body?: Schemas.EventCancel }; reply: Schemas.EventCancelReply };
  /** Pin an event. Keeps the event beyond the retention. Requires the role ADMIN. */ eventPin: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id; /** ID of the event. */ event_id: Schemas.Id }; body?: Schemas.EventPin }; reply: Schemas.EventReply };
  /** Unpin an event. The event is deleted after the retention. Requires the role ADMIN. */ eventUnpin: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id; /** ID of the event. */ event_id: Schemas.Id } }; reply: Schemas.EventReply };
  /** List saved filters. Saved filters of the event list. */ savedFilterList: { input: {  }; reply: Schemas.SavedFiltersReply };
  /** Save a filter. Saves a filter under a name. Requires the role ADMIN. */ savedFilterCreate: { input: { body: Schemas.SavedFilterCreate }; reply: Schemas.SavedFilterReply };
  /** Count the events of saved filters. How many events match each saved filter, up to 1,000. */ savedFilterCounts: { input: {  }; reply: Schemas.SavedFilterCounts };
  /** Update a saved filter. Changes name or filter. Requires the role ADMIN. */ savedFilterUpdate: { input: { params: { /** ID of the saved filter. */ saved_filter_id: Schemas.Id }; body: Schemas.SavedFilterUpdate }; reply: Schemas.SavedFilterReply };
  /** Delete a saved filter. Deletes the saved filter. Requires the role ADMIN. */ savedFilterDelete: { input: { params: { /** ID of the saved filter. */ saved_filter_id: Schemas.Id } }; reply: Schemas.Done };
  /** Cancel open deliveries. Cancels the open deliveries of all events that match a filter. Requires the role ADMIN. */ deliveryCancel: { input: { body: Schemas.DeliveryCancel }; reply: Schemas.DeliveryCancelReply };
  /** List attempts of a delivery. Requests and responses of the delivery. */ attemptList: { input: { params: { /** ID of the trigger. */ trigger_id: Schemas.Id; /** ID of the event. */ event_id: Schemas.Id; /** ID of the delivery. */ delivery_id: Schemas.Id }; query?: { /** Items per page, at most 200: a larger value is read as 200, 0 as 50. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string } }; reply: Schemas.AttemptPage };
  /** Create a bulk replay. Sends all events that match a filter again, at a limited rate. Requires the role ADMIN. */ replayCreate: { input: { body: Schemas.ReplayCreate }; reply: Schemas.ReplayReply };
  /** List bulk replays. Bulk replays, newest first. */ replayList: { input: { query?: { /** Items per page, at most 200: a larger value is read as 200, 0 as 50. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string; /** ID of the problem. */ problem_id?: Schemas.Id } }; reply: Schemas.ReplayPage };
  /** Get a bulk replay. Progress of the replay, and outcomes before and after. */ replayGet: { input: { params: { /** ID of the replay. */ replay_id: Schemas.Id } }; reply: Schemas.ReplayDetail };
  /** List deliveries of a bulk replay. Deliveries of the replay with the status before and after. */ replayItemList: { input: { params: { /** ID of the replay. */ replay_id: Schemas.Id }; query?: { /** PENDING and RETRYING are open; the others are final. */ before?: Schemas.DeliveryStatus; /** PENDING and RETRYING are open; the others are final. */ after?: Schemas.DeliveryStatus; /** Items per page, at most 200: a larger value is read as 200, 0 as 50. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string } }; reply: Schemas.ReplayItemPage };
  /** Pause a bulk replay. Pauses the replay. Requires the role ADMIN. */ replayPause: { input: { params: { /** ID of the replay. */ replay_id: Schemas.Id } }; reply: Schemas.ReplayReplyOutput };
  /** Resume a bulk replay. Continues the replay. Requires the role ADMIN. */ replayResume: { input: { params: { /** ID of the replay. */ replay_id: Schemas.Id } }; reply: Schemas.ReplayReplyOutput };
  /** Cancel a bulk replay. Cancels the deliveries that were not sent yet. Requires the role ADMIN. */ replayCancel: { input: { params: { /** ID of the replay. */ replay_id: Schemas.Id } }; reply: Schemas.ReplayReplyOutput };
  /** Get event statistics. Events, deliveries and attempts over time. */ eventStats: { input: { query?: { /** The time range up to now. */ range?: Schemas.CallRange; /** ID of the trigger. */ trigger_id?: Schemas.Id; /** ID of the destination. */ destination_id?: Schemas.Id } }; reply: Schemas.EventStats };
  /** Stream account changes. Changes of the account while they happen, and progress of exports. */ eventStream: { input: { query?: { /** ID of the last message, to continue after it. */ last_event_id?: string } }; reply: Response };
  /** List functions. Functions of the account, or PUBLIC ones of all. */ functionList: { input: { query?: { /** SELF: your account. ALL: also PUBLIC functions of others. */ owner?: "SELF" | "ALL"; /** PUBLIC: other accounts can read and copy it. */ visibility?: Schemas.Visibility; /** Items per page, at most 200: a larger value is read as 200, 0 as 100. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string } }; reply: Schemas.FunctionPage };
  /** Create a function. Publishes version 1 of a new function from its files. Requires the role ADMIN. */ functionCreate: { input: { body: Schemas.FunctionCreate }; reply: Schemas.FunctionReply };
  /** Get function statistics. Runs of 24 hours by function. */ functionStats: { input: {  }; reply: Schemas.FunctionStats };
  /** Search functions. Searches code, names and descriptions. Accepts `text/event-stream`. */ functionSearch: { input: { query: { /** Text to search for. */ q: string; /** SELF: your account. ALL: also PUBLIC functions of others. */ owner?: "SELF" | "ALL"; /** PUBLIC: other accounts can read and copy it. */ visibility?: Schemas.Visibility; /** Whether case matters; `auto`: if the query has capitals. */ case?: "auto" | "yes" | "no"; /** Lines around each hit. */ context?: number; /** Items per page, at most 100: a larger value is read as 100, 0 as 25. */ limit?: number; /** All versions, not only the live one. */ history?: boolean; /** ID of the function. */ function_id?: Schemas.Id; /** Number of the version. */ version?: number; /** `fold`: copies are listed with the oldest of them. */ copies?: "all" | "fold"; /** Order of the functions. */ sort?: Schemas.SearchSort } }; reply: Schemas.SearchReply };
  /** Search all functions. Searches every function, page by page, with exact counts. */ functionSearchAll: { input: { query: { /** Text to search for. */ q: string; /** SELF: your account. ALL: also PUBLIC functions of others. */ owner?: "SELF" | "ALL"; /** PUBLIC: other accounts can read and copy it. */ visibility?: Schemas.Visibility; /** Whether case matters; `auto`: if the query has capitals. */ case?: "auto" | "yes" | "no"; /** Lines around each hit. */ context?: number; /** All versions, not only the live one. */ history?: boolean; /** Items per page, at most 1000: a larger value is read as 1000, 0 as 100. */ limit?: number; /** The request ends after this time with what it has; `next_token` continues. */ max_seconds?: number; /** Token of the next page; null on the last. */ next_token?: string } }; reply: Schemas.SearchAllReply };
  /** Export search hits. All hits as a file. */ functionSearchExport: { input: { query: { /** Text to search for. */ q: string; /** SELF: your account. ALL: also PUBLIC functions of others. */ owner?: "SELF" | "ALL"; /** PUBLIC: other accounts can read and copy it. */ visibility?: Schemas.Visibility; /** Whether case matters; `auto`: if the query has capitals. */ case?: "auto" | "yes" | "no"; /** All versions, not only the live one. */ history?: boolean; /** Format of the file. */ format?: "ndjson" | "csv" } }; reply: Response };
  /** List saved searches. Saved searches. A trigger can watch one. */ savedSearchList: { input: {  }; reply: Schemas.SavedSearchesReply };
  /** Save a search. Saves a search under a name. Requires the role ADMIN. */ savedSearchCreate: { input: { body: Schemas.SavedSearchCreate }; reply: Schemas.SavedSearchReply };
  /** Update a saved search. Changes name or query. Requires the role ADMIN. */ savedSearchUpdate: { input: { params: { /** ID of the saved search. */ saved_search_id: Schemas.Id }; body: Schemas.SavedSearchUpdate }; reply: Schemas.SavedSearchReply };
  /** Delete a saved search. Deletes the saved search. No trigger may watch it. Requires the role ADMIN. */ savedSearchDelete: { input: { params: { /** ID of the saved search. */ saved_search_id: Schemas.Id } }; reply: Schemas.Done };
  /** Get a function. Settings, URL and live version of the function. Functions of other accounts can be read while they are PUBLIC; otherwise 404. */ functionGet: { input: { params: { /** ID of the function. */ function_id: Schemas.Id } }; reply: Schemas.FunctionReply };
  /** Update a function. Changes settings. `version` rolls back or forward. Only for functions of the account. Requires the role ADMIN. */ functionUpdate: { input: { params: { /** ID of the function. */ function_id: Schemas.Id }; body: Schemas.FunctionUpdate }; reply: Schemas.FunctionReply };
  /** Delete a function. Deletes the function with all versions, runs and logs. Only for functions of the account. Requires the role ADMIN. */ functionDelete: { input: { params: { /** ID of the function. */ function_id: Schemas.Id } }; reply: Schemas.Done };
  /** List uses of a function. Destinations and callers of seven days. Only for functions of the account. */ functionUses: { input: { params: { /** ID of the function. */ function_id: Schemas.Id } }; reply: Schemas.FunctionUses };
  /** Get a download URL for the code of a version. A URL that downloads the code as an archive, for a short time. Functions of other accounts can be read while they are PUBLIC; otherwise 404. */ functionCode: { input: { params: { /** ID of the function. */ function_id: Schemas.Id }; query?: { /** Number of the version. */ version?: number } }; reply: Schemas.CodeDownload };
  /** List files of a version. Files of the live version, or of `version`. Functions of other accounts can be read while they are PUBLIC; otherwise 404. */ functionFiles: { input: { params: { /** ID of the function. */ function_id: Schemas.Id }; query?: { /** Number of the version. */ version?: number } }; reply: Schemas.FilesReply };
  /** Get the code analysis of a version. What the code reads, calls and can’t show. Functions of other accounts can be read while they are PUBLIC; otherwise 404. */ functionTrust: { input: { params: { /** ID of the function. */ function_id: Schemas.Id }; query?: { /** Number of the version. */ version?: number; /** The version to compare with. */ since?: number } }; reply: Schemas.TrustReply };
  /** List definitions in the code of a version. Outline of the code, and where a name is used. Functions of other accounts can be read while they are PUBLIC; otherwise 404. */ functionSymbols: { input: { params: { /** ID of the function. */ function_id: Schemas.Id }; query?: { /** Number of the version. */ version?: number; /** Name, one line. */ name?: string } }; reply: Schemas.CodeSymbols };
  /** Copy a function. Creates a function of your account from it. Functions of other accounts can be copied while they are PUBLIC; otherwise 404. Requires the role ADMIN. */ functionCopy: { input: { params: { /** ID of the function. */ function_id: Schemas.Id }; body: Schemas.FunctionCopy }; reply: Schemas.FunctionCopyReply };
  /** Invoke a function. Runs the function with a request, and returns the run. Only for functions of the account. Requires the role ADMIN. */ functionInvoke: { input: { params: { /** ID of the function. */ function_id: Schemas.Id }; body?: Schemas.Invoke }; reply: Schemas.RunReply };
  /** Star a function. Adds your star. Functions of other accounts can be starred while they are PUBLIC; otherwise 404. Requires the role ADMIN. */ functionStar: { input: { params: { /** ID of the function. */ function_id: Schemas.Id } }; reply: Schemas.Done };
  /** Unstar a function. Removes your star. Functions of other accounts can be starred while they are PUBLIC; otherwise 404. Requires the role ADMIN. */ functionUnstar: { input: { params: { /** ID of the function. */ function_id: Schemas.Id } }; reply: Schemas.Done };
  /** List versions. Versions, newest first. Functions of other accounts can be read while they are PUBLIC; otherwise 404. */ versionList: { input: { params: { /** ID of the function. */ function_id: Schemas.Id }; query?: { /** Items per page, at most 200: a larger value is read as 200, 0 as 50. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string } }; reply: Schemas.VersionPage };
  /** Deploy a version. Publishes the files as a version, and makes it live. Only for functions of the account. Requires the role ADMIN. */ versionCreate: { input: { params: { /** ID of the function. */ function_id: Schemas.Id }; body: Schemas.VersionCreate }; reply: Schemas.VersionReply };
  /** Get version statistics. Runs by version. Only for functions of the account. */ versionStats: { input: { params: { /** ID of the function. */ function_id: Schemas.Id }; query?: { /** The time range up to now. */ range?: Schemas.CallRange } }; reply: Schemas.VersionStats };
  /** Get a version. Size, handler and author of the version. Functions of other accounts can be read while they are PUBLIC; otherwise 404. */ versionGet: { input: { params: { /** ID of the function. */ function_id: Schemas.Id; /** Number of the version. */ version: number | string } }; reply: Schemas.FunctionVersion };
  /** Try a version on past requests. Runs a version on stored requests, with outward calls blocked, and compares it with the live one. Only for functions of the account. Requires the role ADMIN. */ shadowCreate: { input: { params: { /** ID of the function. */ function_id: Schemas.Id }; body: Schemas.ShadowCreate }; reply: Schemas.ShadowCreated };
  /** List shadows. Shadows of the function, newest first. Only for functions of the account. */ shadowList: { input: { params: { /** ID of the function. */ function_id: Schemas.Id }; query?: { /** Items per page, at most 100: a larger value is read as 100, 0 as 20. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string } }; reply: Schemas.ShadowPage };
  /** Get a shadow. Verdict, outcomes and durations of the shadow. Only for functions of the account. */ shadowGet: { input: { params: { /** ID of the function. */ function_id: Schemas.Id; /** ID of the shadow. */ shadow_id: Schemas.Id } }; reply: Schemas.ShadowDetail };
  /** Cancel a shadow. Ends the shadow. Only for functions of the account. Requires the role ADMIN. */ shadowCancel: { input: { params: { /** ID of the function. */ function_id: Schemas.Id; /** ID of the shadow. */ shadow_id: Schemas.Id } }; reply: Schemas.ShadowReply };
  /** List requests of a shadow. Requests of the shadow with both outcomes. Only for functions of the account. */ shadowRequestList: { input: { params: { /** ID of the function. */ function_id: Schemas.Id; /** ID of the shadow. */ shadow_id: Schemas.Id }; query?: { /** Whether something differs. */ differs?: boolean; /** Items per page, at most 200: a larger value is read as 200, 0 as 50. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string } }; reply: Schemas.RequestPage };
  /** Get a request of a shadow. Both responses and logs of a request. Only for functions of the account. */ shadowRequestGet: { input: { params: { /** ID of the function. */ function_id: Schemas.Id; /** ID of the shadow. */ shadow_id: Schemas.Id; /** ID of the run. */ run_id: Schemas.Id } }; reply: Schemas.RequestDetail };
  /** Get the gradual deploy of a function. The version that serves a share of the calls, and its failures. Only for functions of the account. */ gradualGet: { input: { params: { /** ID of the function. */ function_id: Schemas.Id } }; reply: Schemas.GradualReply };
  /** Serve a version to a share of the calls. Starts or changes the gradual deploy. It is rolled back if it fails more. Only for functions of the account. Requires the role ADMIN. */ gradualPut: { input: { params: { /** ID of the function. */ function_id: Schemas.Id }; body: Schemas.GradualPut }; reply: Schemas.GradualReply };
  /** End the gradual deploy of a function. Ends it: the live version serves all calls. Only for functions of the account. Requires the role ADMIN. */ gradualDelete: { input: { params: { /** ID of the function. */ function_id: Schemas.Id } }; reply: Schemas.Done };
  /** List environment variables. Environment variables. Values of SENSITIVE ones are not returned. Only for functions of the account. */ envList: { input: { params: { /** ID of the function. */ function_id: Schemas.Id } }; reply: Schemas.EnvReply };
  /** Create environment variables. Sets several environment variables. Only for functions of the account. Requires the role ADMIN. */ envCreate: { input: { params: { /** ID of the function. */ function_id: Schemas.Id }; body: Schemas.EnvCreate }; reply: Schemas.Done };
  /** Set an environment variable. Sets the variable for all following runs. Only for functions of the account. Requires the role ADMIN. */ envPut: { input: { params: { /** ID of the function. */ function_id: Schemas.Id; /** The key. */ key: string }; body: Schemas.EnvPut }; reply: Schemas.Done };
  /** Delete an environment variable. Deletes the variable. Only for functions of the account. Requires the role ADMIN. */ envDelete: { input: { params: { /** ID of the function. */ function_id: Schemas.Id; /** The key. */ key: string } }; reply: Schemas.Done };
  /** List log lines of a function. Log lines of all runs that match a pattern. Only for functions of the account. */ functionLogList: { input: { params: { /** ID of the function. */ function_id: Schemas.Id }; query?: { /** Items per page, at most 1000: a larger value is read as 1000, 0 as 100. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string; /** Pattern of log lines; see docs/reference/functions.md. */ filter_pattern?: string; /** Milliseconds since 1970, at least. */ start_time?: number; /** Milliseconds since 1970, at most. */ end_time?: number; /** Number of the version. */ version?: number; /** Level of a log line. */ level?: Schemas.LogLevel; /** `all`: with the lines that don’t match. */ show?: "matches" | "all"; /** Order of the lines. */ order?: "oldest" | "newest" } }; reply: Schemas.FunctionLogPage };
  /** Stream log lines of a function. Log lines while they are written. Only for functions of the account. */ functionLogTail: { input: { params: { /** ID of the function. */ function_id: Schemas.Id }; query?: { /** Pattern of log lines; see docs/reference/functions.md. */ filter_pattern?: string; /** Number of the version. */ version?: number; /** Level of a log line. */ level?: Schemas.LogLevel; /** `all`: with the lines that don’t match. */ show?: "matches" | "all"; /** Milliseconds since 1970, at least. */ start_time?: number; /** ID of the last message, to continue after it. */ last_event_id?: string } }; reply: Response };
  /** List runs of a function. Runs of the function, newest first. Only for functions of the account. */ runList: { input: { params: { /** ID of the function. */ function_id: Schemas.Id }; query?: { /** The status. */ status?: "RUNNING" | "OK" | "ERROR" | "TIMEOUT" | "FAILED"; /** Number of the version. */ version?: number; /** What started a run. */ caller?: Schemas.RunCaller; /** ID of the API key. */ key_id?: Schemas.Id; /** Text to search for. */ q?: string; /** From this time on. */ since?: string; /** Up to this time. */ until?: string; /** Milliseconds, at least. */ min_duration?: number; /** Milliseconds, less than. */ max_duration?: number; /** Items per page, at most 200: a larger value is read as 200, 0 as 50. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string } }; reply: Schemas.RunPage };
  /** Get run statistics. Runs over time and by duration. */ runStats: { input: { query?: { /** The time range up to now. */ range?: Schemas.CallRange; /** ID of the function. */ function_id?: Schemas.Id; /** Number of the version. */ version?: number; /** The status. */ status?: "RUNNING" | "OK" | "ERROR" | "TIMEOUT" | "FAILED"; /** What started a run. */ caller?: Schemas.RunCaller; /** ID of the API key. */ key_id?: Schemas.Id; /** Text to search for. */ q?: string } }; reply: Schemas.RunStats };
  /** List runs. Runs of all functions, newest first. */ runListAll: { input: { query?: { /** The status. */ status?: "RUNNING" | "OK" | "ERROR" | "TIMEOUT" | "FAILED"; /** Number of the version. */ version?: number; /** What started a run. */ caller?: Schemas.RunCaller; /** ID of the API key. */ key_id?: Schemas.Id; /** Text to search for. */ q?: string; /** From this time on. */ since?: string; /** Up to this time. */ until?: string; /** Milliseconds, at least. */ min_duration?: number; /** Milliseconds, less than. */ max_duration?: number; /** Items per page, at most 200: a larger value is read as 200, 0 as 50. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string; /** At most 100 UUIDs, separated by commas. */ ids?: string; /** ID of the function. */ function_id?: Schemas.Id } }; reply: Schemas.RunPage };
  /** Get a run. Request, response, error and timing of the run. Once the response of the function is complete, the finished run is returned. Unknown query parameters are ignored. */ runGet: { input: { params: { /** ID of the function. */ function_id: Schemas.Id; /** ID of the run. */ run_id: Schemas.Id } }; reply: Schemas.Run };
  /** List gateway calls of a run. Calls of apps that the run made. Only for functions of the account. */ runCallList: { input: { params: { /** ID of the function. */ function_id: Schemas.Id; /** ID of the run. */ run_id: Schemas.Id } }; reply: Schemas.CallsReply };
  /** List gateway calls. Calls of all connections and refused ones, newest first. */ callList: { input: { query?: { /** Items per page, at most 200: a larger value is read as 200, 0 as 50. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string; /** ID of the connection. */ connection_id?: Schemas.Id; /** ID of the app. */ app?: string; /** The path. */ path?: string; /** A status, a class such as `4xx`, `none` without a response, or `refused`. */ status?: string; /** HTTP method. */ method?: string; /** ID of the API key. */ key_id?: Schemas.Id; /** ID of the run. */ run_id?: Schemas.Id; /** What went wrong. */ error?: string; /** Milliseconds, at least. */ min_duration_ms?: number; /** From this time on. */ since?: string; /** Up to this time. */ until?: string } }; reply: Schemas.LoggedCallPage };
  /** Get a gateway call. One call, with its problem and, if it was captured, its request and response. */ callGet: { input: { params: { /** ID of the gateway call. */ call_id: Schemas.Id } }; reply: Schemas.LoggedCallDetail };
  /** List captures of gateway calls. Captures of bodies that have not ended. */ captureList: { input: {  }; reply: Schemas.CaptureList };
  /** Capture requests and responses of gateway calls. Captures requests and responses of a connection or an app for a time, with secrets masked. Requires the role ADMIN. */ captureCreate: { input: { body: Schemas.CaptureCreate }; reply: Schemas.CaptureReply };
  /** Stop a capture. Ends the capture. What it captured is kept for three days. Requires the role ADMIN. */ captureDelete: { input: { params: { /** ID of the capture. */ capture_id: Schemas.Id } }; reply: Schemas.Done };
  /** Bisect versions with a run. Repeats the request on older versions to find the first that fails. Only for functions of the account. Requires the role ADMIN. */ runBisect: { input: { params: { /** ID of the function. */ function_id: Schemas.Id; /** ID of the run. */ run_id: Schemas.Id }; body?: Schemas.Bisect }; reply: Schemas.BisectReply };
  /** List log lines of a run. Log lines of the run. Only for functions of the account. */ runLogList: { input: { params: { /** ID of the function. */ function_id: Schemas.Id; /** ID of the run. */ run_id: Schemas.Id }; query?: { /** Items per page, at most 1000: a larger value is read as 1000, 0 as 100. */ limit?: number; /** Token of the next page; null on the last. */ next_token?: string; /** Pattern of log lines; see docs/reference/functions.md. */ filter_pattern?: string; /** Milliseconds since 1970, at least. */ start_time?: number; /** Milliseconds since 1970, at most. */ end_time?: number } }; reply: Schemas.LogPage };
};
