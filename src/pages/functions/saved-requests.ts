/**
 * Requests somebody named to send them to a function again: kept by the browser and by nobody else, and forgotten at
 * sign-out (src/layouts/recent.ts). Bounded, and without what looks like a secret.
 */
import { SAVED_REQUESTS_KEY } from '../../layouts/recent.ts';
import { METHODS, type TypedRequest } from './request.ts';

export interface SavedRequest {
  readonly name: string;
  readonly typed: TypedRequest;
}
type Kept = Readonly<Record<string, readonly SavedRequest[]>>;

const EACH = 30;
const FUNCTIONS = 100;
export const SAVED_MAX_CHARS = 16_384;

const SECRET = /auth|cookie|token|secret|password|signature|(?:^|-)key$|api-?key/i;

/** A request as it may be kept: headers that look like secrets without their values. */
export function keepable(typed: TypedRequest): TypedRequest {
  const headers = typed.headers.replace(/^([^:\n]+):.*$/gm, (line, name: string) =>
    SECRET.test(name.trim()) ? `${name}: ` : line,
  );
  return { ...typed, headers };
}

/** With this one in front; another of its name gives way. */
export function withSaved(saved: readonly SavedRequest[], one: SavedRequest): readonly SavedRequest[] {
  return [one, ...saved.filter(({ name }) => name !== one.name)].slice(0, EACH);
}

const listeners = new Set<() => void>();
const NONE: readonly SavedRequest[] = [];
let read: { readonly text: string | null; readonly kept: Kept } = { text: null, kept: {} };

function stored(): Kept {
  try {
    const text = localStorage.getItem(SAVED_REQUESTS_KEY);
    if (text !== read.text) read = { text, kept: parsed(text) };
  } catch {
    // storage may be forbidden: kept for as long as the page is
  }
  return read.kept;
}

/** Written by another version of the console, or by hand, it may be anything. */
export function parsed(text: string | null): Kept {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).map(([id, saved]) => [id, Array.isArray(saved) ? saved.filter(isSaved) : []]),
    );
  } catch {
    return {};
  }
}

function isSaved(value: unknown): value is SavedRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { name, typed }: Partial<Record<keyof SavedRequest, unknown>> = value;
  if (typeof name !== 'string' || typeof typed !== 'object' || typed === null) return false;
  const { method, ...texts }: Partial<Record<keyof TypedRequest, unknown>> = typed;
  return (
    METHODS.some((each) => each === method) &&
    (['path', 'headers', 'body'] as const).every((each) => typeof texts[each] === 'string')
  );
}

function write(functionId: string, saved: readonly SavedRequest[]) {
  const { [functionId]: _, ...others } = stored();
  const rest = Object.entries(others).slice(0, FUNCTIONS - 1);
  const kept = Object.fromEntries(saved.length > 0 ? [[functionId, saved], ...rest] : rest);
  const text = JSON.stringify(kept);
  try {
    localStorage.setItem(SAVED_REQUESTS_KEY, text);
    read = { text, kept };
  } catch {
    read = { ...read, kept };
  }
  for (const listener of listeners) listener();
}

/** For useSyncExternalStore. */
export const savedRequests = {
  of: (functionId: string): readonly SavedRequest[] => stored()[functionId] ?? NONE,
  save: (functionId: string, name: string, typed: TypedRequest): void =>
    write(functionId, withSaved(savedRequests.of(functionId), { name, typed: keepable(typed) })),
  remove: (functionId: string, name: string): void =>
    write(
      functionId,
      savedRequests.of(functionId).filter((each) => each.name !== name),
    ),
  subscribe: (onChange: () => void): (() => void) => {
    listeners.add(onChange);
    window.addEventListener('storage', onChange);
    return () => {
      listeners.delete(onChange);
      window.removeEventListener('storage', onChange);
    };
  },
};
