import { type ConnectionFailureCode, RESERVED_METADATA } from '../../../contract/states.ts';
import type { Connection } from '../../api/entities.ts';

export type Failure = { readonly code: string; readonly message: string; readonly since: string | undefined };

/** Why a connection is FAILED. The service stores it in the metadata, which otherwise belongs to the account. */
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

/** A warning that does not change the status. */
export type Notice = { readonly message: string; readonly time: string };

/** Why the last attempt to connect failed, until an attempt succeeds. */
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
  REFRESH_REJECTED: 'Token refresh was rejected',
  REFRESH_EXHAUSTED: 'Token refresh failed for days',
  REVOKED: 'Access was revoked',
  APP_CONFIG: 'The account’s client was rejected',
  DISCONNECTED: 'Disconnected by an admin',
  KEY_LOST: 'Lost with the master key',
};

/** A short cause for lists; the failure's message has the details. */
export function causeWords({ code, message }: Failure): string {
  return code in SHORT ? SHORT[code as ConnectionFailureCode] : message;
}

/** True if reconnecting cannot help, because the app rejected the account's client. */
export const isAppsFault = ({ code }: Failure): boolean => code === 'APP_CONFIG';

/** True if the entered URL is the cause: another URL can help. */
export const isUrlsFault = ({ code }: Failure): boolean => code === 'ADDRESS_REFUSED' || code === 'SERVER_NOT_FOUND';

/** The account's own metadata, without the keys of the service. */
export function ownMetadata({ metadata }: Pick<Connection, 'metadata'>): Readonly<Record<string, unknown>> {
  const kept: readonly string[] = RESERVED_METADATA;
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !kept.includes(name)));
}
