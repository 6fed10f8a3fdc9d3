/**
 * The six ways to authorize a connection, behind one shape.
 *
 * `begin` takes what the person typed in the connect window. It either has all that is needed, or sends the browser to
 * the provider with something to keep; when the browser comes back, `finish` turns what it brought into credentials.
 * `renew` makes fresh tokens of old ones, and runs under the connection's lock (renewal.ts), so at most one runs at a
 * time across all nodes. `values` and `sign` are what a method adds to the templates of a definition for one call.
 *
 * What goes wrong at the provider is thrown as `ConnectFailure`. `final` distinguishes a refusal (the connection is
 * FAILED with this code) from an accident (network, 408, 429, 5xx, a redirect: it stays as it is, and another try may
 * do).
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

  /** The message is shown to people: what happened, in words, without any secret. */
  constructor(code: ConnectionFailureCode, message: string, options: { final?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.final = options.final ?? true;
  }
}

/** Whether a provider that answers so says nothing about what it was asked. Redirects are not followed. */
export const isAccident = (status: number): boolean =>
  status >= 500 || status === 408 || status === 429 || (status >= 300 && status < 400);

/** Whether a provider was not asked as its address is on a network this service doesn't connect to. */
export const isRefusedAddress = (error: unknown): error is ProviderTrouble =>
  error instanceof ProviderTrouble && error.cause instanceof BlockedAddress;

/** Which connection of whom, and what its app says of the method. */
export type Subject<M extends AuthMethod> = {
  account_id: string;
  connection_id: string;
  app: CompiledApp;
  definition: Extract<MethodDefinition, { method: M }>;
};

export type Begun =
  | { kind: 'complete'; credentials: Credentials }
  /** `state` comes back with the browser; `keep` is sealed meanwhile. */
  | { kind: 'redirect'; url: string; state: string; keep: Record<string, unknown> };

export type AuthMethodPart<M extends AuthMethod> = {
  begin(services: Services, subject: Subject<M>, fields: Record<string, string>): Promise<Begun>;
  /** `query` is what the provider added to the callback address. */
  finish?(
    services: Services,
    subject: Subject<M>,
    keep: Record<string, unknown>,
    query: URLSearchParams,
  ): Promise<Credentials>;
  renew?(services: Services, subject: Subject<M>, credentials: Credentials): Promise<Credentials>;
  /** Whether `renew` can do anything with these; where it is not there, it always can. */
  renews?(subject: Subject<M>, credentials: Credentials): boolean;
  /** Values beside those of `valuesOf`, such as a token signed now, and until when they are valid (ms since epoch). */
  values?(subject: Subject<M>, credentials: Credentials): Promise<{ values: Values; untilMs: number }>;
  /** Signs one request: header names and values in turn. */
  sign?(services: Services, subject: Subject<M>, credentials: Credentials): Promise<Signer>;
};

/** `url` is absolute, as it goes out; `form` the body where it is application/x-www-form-urlencoded. */
export type Signer = (request: { method: string; url: string; form: string | null }) => string[];

export type AuthMethods = { [M in AuthMethod]: AuthMethodPart<M> };

/** For methods whose credentials are what the person types. */
export const typed = async (_: unknown, __: unknown, fields: Record<string, string>): Promise<Begun> => ({
  kind: 'complete',
  credentials: { fields, tokens: null },
});
