/**
 * The six authorization methods behind one interface.
 *
 * `begin` receives the values entered in the connect window. It either returns credentials, or redirects the browser to
 * the provider and returns state to store. When the browser returns, `finish` turns the callback into credentials.
 * `refresh` refreshes tokens. It runs under the connection's lock (token-refresh.ts), so at most one runs at a time across all
 * nodes. `values` and `sign` add to the templates of a definition for one call.
 *
 * Failures at the provider are thrown as `ConnectFailure`. `final` distinguishes a rejection (the connection becomes
 * FAILED with this code) from a temporary failure (network, 408, 429, 5xx, a redirect: the connection does not change,
 * and a later attempt may succeed).
 */
import type { AuthMethod, ConnectionFailureCode } from '../../../contract/states.ts';
import type { Services } from '../../platform/context.ts';
import { BlockedAddress } from '../../platform/egress/egress.ts';
import { ProviderTrouble } from '../../platform/egress/provider-fetch.ts';
import type { CompiledApp, Values } from '../apps/compile.ts';
import type { MethodDefinition } from '../apps/definition.ts';
import type { Credentials } from '../credentials.ts';

export class ConnectFailure extends Error {
  override name = 'ConnectFailure';
  readonly code: ConnectionFailureCode;
  readonly final: boolean;

  /** The message is shown to users and contains no secret. */
  constructor(code: ConnectionFailureCode, message: string, options: { final?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.final = options.final ?? true;
  }
}

/** Whether this status does not answer the request. Redirects count, because they are not followed. */
export const isAccident = (status: number): boolean =>
  status >= 500 || status === 408 || status === 429 || (status >= 300 && status < 400);

/** Whether the provider's URL was blocked by the egress rules. */
export const isRefusedAddress = (error: unknown): error is ProviderTrouble =>
  error instanceof ProviderTrouble && error.cause instanceof BlockedAddress;

/** The connection with its account, and the app's definition of the method. */
export type Subject<M extends AuthMethod> = {
  account_id: string;
  connection_id: string;
  app: CompiledApp;
  definition: Extract<MethodDefinition, { method: M }>;
};

export type Begun =
  | { kind: 'complete'; credentials: Credentials }
  /** `state` returns with the browser; `keep` is stored sealed until then. */
  | { kind: 'redirect'; url: string; state: string; keep: Record<string, unknown> }
  /** The user enters a code at the provider; `poll` asks whether they have. */
  | { kind: 'device'; code: Device; keep: Record<string, unknown> };

/** RFC 8628, section 3.2. Times in seconds. */
export type Device = {
  user_code: string;
  verification_url: string;
  complete_url: string | null;
  lives_seconds: number;
  interval_seconds: number;
};
/** `slower`: the provider asks for longer pauses. */
export type Polled = { kind: 'pending'; slower: boolean } | { kind: 'complete'; credentials: Credentials };

export type AuthMethodPart<M extends AuthMethod> = {
  begin(services: Services, subject: Subject<M>, fields: Record<string, string>): Promise<Begun>;
  /** `query` is the query of the callback URL. */
  finish?(
    services: Services,
    subject: Subject<M>,
    keep: Record<string, unknown>,
    query: URLSearchParams,
  ): Promise<Credentials>;
  /** One question to the provider about a device code. */
  poll?(services: Services, subject: Subject<M>, keep: Record<string, unknown>): Promise<Polled>;
  refresh?(services: Services, subject: Subject<M>, credentials: Credentials): Promise<Credentials>;
  /** Whether `refresh` can refresh these credentials; if missing, it always can. */
  canRefresh?(subject: Subject<M>, credentials: Credentials): boolean;
  /** Values in addition to `valuesOf`, such as a token signed now, and their expiry (ms since epoch). */
  values?(subject: Subject<M>, credentials: Credentials): Promise<{ values: Values; untilMs: number }>;
  /** Signs one request: returns alternating header names and values. Undefined if its requests are not signed. */
  sign?(services: Services, subject: Subject<M>, credentials: Credentials): Promise<Signer | undefined>;
};

/**
 * `url` is absolute, as sent; `form` is the body if it is application/x-www-form-urlencoded. `headers` are alternating
 * names and values. `body` is undefined if it is streamed.
 */
export type Signer = (request: {
  method: string;
  url: string;
  form: string | null;
  headers: readonly string[];
  body: string | Buffer | null | undefined;
}) => string[];

export type AuthMethods = { [M in AuthMethod]: AuthMethodPart<M> };
