import type { ConnectionFailureCode } from '../../../contract/states.ts';
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
    message: text('message') ?? 'It no longer works.',
    since: text('since'),
  };
}

const SHORT: Record<ConnectionFailureCode, string> = {
  ACCESS_DENIED: 'Access was declined',
  EXCHANGE_FAILED: 'The provider gave no token',
  INVALID_CREDENTIALS: 'The credentials are refused',
  REFRESH_REJECTED: 'The token can’t be renewed',
  REFRESH_EXHAUSTED: 'Renewing only failed for days',
  REVOKED: 'Access was taken back',
  APP_CONFIG: 'The account’s client is refused',
};

/** The cause in a few words, for a list; the whole of it is the failure's message. */
export function causeWords({ code, message }: Failure): string {
  return code in SHORT ? SHORT[code as ConnectionFailureCode] : message;
}

/** Connecting anew doesn't help where the client that the account registered with the app is what is refused. */
export const isAppsFault = ({ code }: Failure): boolean => code === 'APP_CONFIG';

/** What the account keeps with it, without what the service does. */
export function ownMetadata({ metadata }: Pick<Connection, 'metadata'>): Readonly<Record<string, unknown>> {
  const { failure: _, ...own } = metadata;
  return own;
}
