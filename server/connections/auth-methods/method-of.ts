import type { AuthMethod } from '../../../contract/states.ts';
import type { ConnectionsTable } from '../../platform/database/schema.ts';
import type { CompiledApp, Target } from '../apps/compile.ts';
import { type Credentials, valuesOf } from '../credentials.ts';
import type { AuthMethodPart, Subject } from './auth-method.ts';
import { authMethods } from './registry.ts';

/** A connection's method, as code and as its app's data. */
export type MethodOf = { part: AuthMethodPart<AuthMethod>; subject: Subject<AuthMethod> };

/** Undefined where the app doesn't have the method (any more). */
export function methodOf(
  app: CompiledApp,
  { account_id, connection_id }: Pick<ConnectionsTable, 'account_id' | 'connection_id'>,
  method: AuthMethod | null,
): MethodOf | undefined {
  const definition = method ? app.method(method) : undefined;
  const part = method ? (authMethods[method] as AuthMethodPart<AuthMethod> | undefined) : undefined;
  return definition && part && { part, subject: { account_id, connection_id, app, definition } };
}

/** Where a call goes with these credentials, and until when (ms since epoch). AppMistake where they make no URL. */
export async function targetOf(
  { part, subject }: MethodOf,
  credentials: Credentials,
): Promise<{ target: Target | undefined; untilMs: number }> {
  const more = await part.values?.(subject, credentials);
  const target = subject.app.target(subject.definition.method, { ...valuesOf(credentials), ...more?.values });
  return { target, untilMs: more?.untilMs ?? Number.POSITIVE_INFINITY };
}
