/**
 * The requests somebody sent from here lately, by connection, newest first: kept by the browser and by nobody else, and
 * forgotten at sign-out (src/layouts/recent.ts). Bounded, without long bodies, and without what looks like a secret.
 */
import { REQUESTS_KEY } from '../../../layouts/recent.ts';
import type { Pair } from './query-rows.ts';
import { BODY_KINDS, type TypedRequest } from './typed-request.ts';

export interface Sent extends TypedRequest {
  readonly id: string;
  readonly at: string;
  /** Null: no answer came. */
  readonly status: number | null;
  readonly totalMs: number;
  /** What of the request was not kept. */
  readonly leftOut: readonly ('body' | 'header values')[];
}
type Kept = Readonly<Record<string, readonly Sent[]>>;

const EACH = 30;
const IN_ALL = 200;
const BODY_MAX_CHARS = 4_096;

const SECRET = /auth|cookie|token|secret|password|signature|(?:^|-)key$|api-?key/i;

/** A request as it may be kept. */
export function keepable(typed: TypedRequest, outcome: Pick<Sent, 'id' | 'at' | 'status' | 'totalMs'>): Sent {
  const long = typed.text.length + JSON.stringify(typed.form).length > BODY_MAX_CHARS;
  const secret = ({ name, value }: Pair) => value !== '' && SECRET.test(name);
  return {
    ...typed,
    ...outcome,
    text: long ? '' : typed.text,
    form: long ? [] : typed.form,
    headers: typed.headers.map((row) => (secret(row) ? { ...row, value: '' } : row)),
    leftOut: [...(long ? ['body' as const] : []), ...(typed.headers.some(secret) ? ['header values' as const] : [])],
  };
}

/** The newest of each connection, and no more than there is room for in all. */
export function bounded(kept: Kept): Kept {
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

const listeners = new Set<() => void>();
let read: { readonly text: string | null; readonly kept: Kept } = { text: null, kept: {} };
const NONE: readonly Sent[] = [];

function stored(): Kept {
  let text: string | null = null;
  try {
    text = localStorage.getItem(REQUESTS_KEY);
  } catch {
    return read.kept;
  }
  if (text !== read.text) read = { text, kept: parsed(text) };
  return read.kept;
}

function parsed(text: string | null): Kept {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).map(([id, sent]) => [id, Array.isArray(sent) ? sent.filter(isSent) : []]),
    );
  } catch {
    return {};
  }
}

/** Written by another version of the console, or by hand, it may be anything. */
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
    Array.isArray(given.leftOut) &&
    typeof given.totalMs === 'number' &&
    (given.status === null || typeof given.status === 'number')
  );
}

function write(kept: Kept) {
  const next = bounded(kept);
  const text = JSON.stringify(next);
  try {
    localStorage.setItem(REQUESTS_KEY, text);
    read = { text, kept: next };
  } catch {
    // storage may be forbidden or full: kept for as long as the page is
    read = { ...read, kept: next };
  }
  for (const listener of listeners) listener();
}

/** For useSyncExternalStore. */
export const requestHistory = {
  of: (connectionId: string): readonly Sent[] => stored()[connectionId] ?? NONE,
  add: (connectionId: string, sent: Sent): void => {
    const kept = stored();
    write({ ...kept, [connectionId]: [sent, ...(kept[connectionId] ?? [])] });
  },
  clear: (connectionId: string): void => write({ ...stored(), [connectionId]: [] }),
  subscribe: (onChange: () => void): (() => void) => {
    listeners.add(onChange);
    window.addEventListener('storage', onChange);
    return () => {
      listeners.delete(onChange);
      window.removeEventListener('storage', onChange);
    };
  },
};
