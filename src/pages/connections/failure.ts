import { type ConnectionFailureCode, KEPT_METADATA } from '../../../contract/states.ts';
import type { Connection } from '../../api/entities.ts';

export type Failure = { readonly code: string; readonly message: string; readonly since: string | undefined };

/** Why a connection is FAILED: the service keeps it in the metadata, which otherwise belongs to the account. */
export function failureOf({ status, metadata }: Pick<Connection, 'status' | 'metadata'>): Failure | undefined {
  if (status !== 'FAILED') return undefined;
  const said = metadata['failure'];
  const given: Partial<Record<string, unknown>> = typeof said === 'object' && said !== null ? { ...said } : {};
  const text = (name: string) => (typeof given[name] === 'string' ? given[name] : undefined);
  return {
    code: text('code') ?? 'FAILED',
    message: text('message') ?? 'The connection no longer works.',
    since: text('since'),
  };
}

/** Something that happened to a connection without changing its status. */
export type Notice = { readonly message: string; readonly time: string };

/** Why the last attempt to connect failed, until one succeeds. */
export const lastErrorOf = ({ metadata }: Pick<Connection, 'metadata'>): Notice | undefined =>
  noticeIn(metadata['last_error']);

/** Why the app has not confirmed the credentials. */
export const unconfirmedOf = ({ metadata }: Pick<Connection, 'metadata'>): Notice | undefined =>
  noticeIn(metadata['unconfirmed']);

function noticeIn(said: unknown): Notice | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  const { message, time }: Partial<Record<string, unknown>> = { ...said };
  return typeof message === 'string' && typeof time === 'string' ? { message, time } : undefined;
}

const SHORT: Record<ConnectionFailureCode, string> = {
  ACCESS_DENIED: 'Access was declined',
  EXCHANGE_FAILED: 'The provider returned no token',
  ADDRESS_REFUSED: 'The URL is not allowed',
  SERVER_NOT_FOUND: 'No server at this URL',
  INVALID_CREDENTIALS: 'The credentials were rejected',
  REFRESH_REJECTED: 'Token renewal was rejected',
  REFRESH_EXHAUSTED: 'Token renewal failed for days',
  REVOKED: 'Access was revoked',
  APP_CONFIG: 'The account’s client was rejected',
};

/** The cause in a few words, for a list; the whole of it is the failure's message. */
export function causeWords({ code, message }: Failure): string {
  return code in SHORT ? SHORT[code as ConnectionFailureCode] : message;
}

/** Connecting again doesn't help where the client that the account registered with the app is refused. */
export const isAppsFault = ({ code }: Failure): boolean => code === 'APP_CONFIG';

/** The URL that was entered is the cause: another one helps. */
export const isUrlsFault = ({ code }: Failure): boolean => code === 'ADDRESS_REFUSED' || code === 'SERVER_NOT_FOUND';

/** What the account keeps with it, without what the service does. */
export function ownMetadata({ metadata }: Pick<Connection, 'metadata'>): Readonly<Record<string, unknown>> {
  const kept: readonly string[] = KEPT_METADATA;
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !kept.includes(name)));
}
