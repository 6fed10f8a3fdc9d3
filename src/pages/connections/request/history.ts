/**
 * Recent requests by connection, newest first. Stored only in the browser and cleared at sign-out
 * (src/layouts/palette/recent.ts). Limited in size, without long bodies and without values that look like secrets.
 */
import { REQUESTS_KEY } from '../../../layouts/palette/recent.ts';
import { looksSecret, type StoredLists, storedLists } from '../../../stores/stored-lists.ts';
import type { Pair } from './query-rows.ts';
import { BODY_KINDS, type TypedRequest } from './typed-request.ts';

export interface Sent extends TypedRequest {
  readonly id: string;
  readonly at: string;
  /** Null if no response arrived. */
  readonly status: number | null;
  readonly totalMs: number;
  /** The parts of the request that were not stored. */
  readonly leftOut: readonly ('body' | 'files' | 'header values' | 'secrets')[];
}

const EACH = 30;
const IN_ALL = 200;
const BODY_MAX_CHARS = 4_096;

/** The storable form of a request. */
export function keepable(typed: TypedRequest, outcome: Pick<Sent, 'id' | 'at' | 'status' | 'totalMs'>): Sent {
  const { file, parts = [], ...request } = typed;
  const texts = parts.map(({ name, value }) => ({ name, value }));
  const long = typed.text.length + JSON.stringify([typed.form, texts]).length > BODY_MAX_CHARS;
  const hasFiles = file !== undefined || parts.some((part) => part.file !== undefined);
  const secret = ({ name, value }: Pair) => value !== '' && looksSecret(name);
  return {
    ...request,
    ...outcome,
    text: long ? '' : typed.text,
    form: long ? [] : typed.form,
    ...(parts.length > 0 ? { parts: long ? [] : texts } : {}),
    headers: typed.headers.map((row) => (secret(row) ? { ...row, value: '' } : row)),
    leftOut: [
      ...(long ? ['body' as const] : []),
      ...(hasFiles ? ['files' as const] : []),
      ...(typed.headers.some(secret) ? ['header values' as const] : []),
    ],
  };
}

/** The newest requests of each connection, up to the total limit. */
export function bounded(kept: StoredLists<Sent>): StoredLists<Sent> {
  const each = Object.entries(kept).map(([id, sent]) => [id, sent.slice(0, EACH)] as const);
  const oldest =
    each
      .flatMap(([, sent]) => sent.map(({ at }) => at))
      .sort()
      .reverse()[IN_ALL - 1] ?? '';
  return Object.fromEntries(
    each
      .map(([id, sent]) => [id, sent.filter(({ at }) => at >= oldest)] as const)
      .filter(([, sent]) => sent.length > 0),
  );
}

function isSent(value: unknown): value is Sent {
  if (typeof value !== 'object' || value === null) return false;
  const given: Partial<Record<keyof Sent, unknown>> = value;
  const isText = (name: keyof Sent) => typeof given[name] === 'string';
  const arePairs = (pairs: unknown) =>
    Array.isArray(pairs) && pairs.every((pair) => typeof pair?.name === 'string' && typeof pair?.value === 'string');
  return (
    (['id', 'at', 'method', 'path', 'text'] as const).every(isText) &&
    BODY_KINDS.some((kind) => kind === given.kind) &&
    arePairs(given.headers) &&
    arePairs(given.form) &&
    (given.parts === undefined || arePairs(given.parts)) &&
    Array.isArray(given.leftOut) &&
    typeof given.totalMs === 'number' &&
    (given.status === null || typeof given.status === 'number')
  );
}

const lists = storedLists(REQUESTS_KEY, isSent);

/** For useSyncExternalStore. */
export const requestHistory = {
  of: lists.of,
  add: (connectionId: string, sent: Sent): void =>
    lists.write(bounded({ ...lists.read(), [connectionId]: [sent, ...lists.of(connectionId)] })),
  clear: (connectionId: string): void => lists.write(bounded({ ...lists.read(), [connectionId]: [] })),
  subscribe: lists.subscribe,
};
