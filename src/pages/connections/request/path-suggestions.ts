/** Paths of an app that match a typed path. */
import type { Reply } from '../../../api/operation.ts';
import type { TypedRequest } from './typed-request.ts';

export type AppPath = Reply<'appPathList'>['paths'][number];

/** More would be slow to draw and to read. */
const SHOWN = 50;

/** At most 50 paths, each once, whose path, ID or summary contains every typed word. */
export function suggestionsFor(paths: readonly AppPath[], typed: string): { path: string; label: string }[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '/');
  const found = new Map<string, AppPath[]>();
  for (const each of paths) {
    if (found.size === SHOWN && !found.has(each.path)) continue;
    const text = `${each.path} ${each.operation_id ?? ''} ${each.summary ?? ''}`.toLowerCase();
    if (words.every((word) => text.includes(word))) found.set(each.path, [...(found.get(each.path) ?? []), each]);
  }
  return [...found].map(([path, same]) => ({ path, label: same.map(labelOf).join(', ') }));
}

const labelOf = ({ method, summary }: AppPath) => (summary === null ? method : `${method} ${summary}`);

/** The change for a typed path: with the method of the suggestion, if the path has no operation with the current one. */
export function typedPath(paths: readonly AppPath[], path: string, method: string): Partial<TypedRequest> {
  const same = paths.filter((each) => each.path === path);
  const [first] = same;
  return !first || same.some((each) => each.method === method) ? { path } : { path, method: first.method };
}
