import type { AuthMethod } from '../../../contract/states.ts';
import type { ConnectionsTable } from '../../platform/database/schema.ts';
import type { CompiledApp, Target } from '../apps/compile.ts';
import { type Credentials, valuesOf } from '../credentials.ts';
import type { AuthMethodPart, Subject } from './auth-method.ts';
import { authMethods } from './registry.ts';

/** A connection's method: the implementation and the app's definition. */
export type MethodOf = { part: AuthMethodPart<AuthMethod>; subject: Subject<AuthMethod> };

/** Undefined if the app does not support the method (any longer). */
export function methodOf(
  app: CompiledApp,
  { account_id, connection_id }: Pick<ConnectionsTable, 'account_id' | 'connection_id'>,
  method: AuthMethod | null,
): MethodOf | undefined {
  const definition = method ? app.method(method) : undefined;
  const part = method ? (authMethods[method] as AuthMethodPart<AuthMethod> | undefined) : undefined;
  return definition && part && { part, subject: { account_id, connection_id, app, definition } };
}

/** The target of a call with these credentials, and its expiry (ms since epoch). AppMistake if the URL is invalid. */
export async function targetOf(
  { part, subject }: MethodOf,
  credentials: Credentials,
): Promise<{ target: Target | undefined; untilMs: number }> {
  const more = await part.values?.(subject, credentials);
  const target = subject.app.target(subject.definition.method, { ...valuesOf(credentials), ...more?.values });
  return { target, untilMs: more?.untilMs ?? Number.POSITIVE_INFINITY };
}
