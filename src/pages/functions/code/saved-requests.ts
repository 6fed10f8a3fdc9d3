/**
 * Named requests of a function. Stored only in the browser and cleared at sign-out (src/layouts/palette/recent.ts).
 * Limited in size, and without values that look like secrets.
 */
import { SAVED_REQUESTS_KEY } from '../../../layouts/palette/recent.ts';
import { listsIn, looksSecret, storedLists } from '../../../stores/stored-lists.ts';
import { METHODS, type TypedRequest } from './request.ts';

export interface SavedRequest {
  readonly name: string;
  readonly typed: TypedRequest;
}

const EACH = 30;
const FUNCTIONS = 100;
export const SAVED_MAX_CHARS = 16_384;

/** The storable form of a request: headers that look like secrets have no values. */
export function keepable(typed: TypedRequest): TypedRequest {
  const headers = typed.headers.replace(/^([^:\n]+):.*$/gm, (line, name: string) =>
    looksSecret(name.trim()) ? `${name}: ` : line,
  );
  return { ...typed, headers };
}

/** The list with this request first; it replaces one of the same name. */
export function withSaved(saved: readonly SavedRequest[], one: SavedRequest): readonly SavedRequest[] {
  return [one, ...saved.filter(({ name }) => name !== one.name)].slice(0, EACH);
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

const lists = storedLists(SAVED_REQUESTS_KEY, isSaved);

export const parsed = (text: string | null) => listsIn(text, isSaved);

function write(functionId: string, saved: readonly SavedRequest[]) {
  const { [functionId]: _, ...others } = lists.read();
  const rest = Object.entries(others).slice(0, FUNCTIONS - 1);
  lists.write(Object.fromEntries(saved.length > 0 ? [[functionId, saved], ...rest] : rest));
}

/** For useSyncExternalStore. */
export const savedRequests = {
  of: lists.of,
  save: (functionId: string, name: string, typed: TypedRequest): void =>
    write(functionId, withSaved(lists.of(functionId), { name, typed: keepable(typed) })),
  remove: (functionId: string, name: string): void =>
    write(
      functionId,
      lists.of(functionId).filter((each) => each.name !== name),
    ),
  subscribe: lists.subscribe,
};
