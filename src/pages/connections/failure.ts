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

/** What the account keeps with it, without what the service does. */
export function ownMetadata({ metadata }: Pick<Connection, 'metadata'>): Readonly<Record<string, unknown>> {
  const { failure: _, ...own } = metadata;
  return own;
}
