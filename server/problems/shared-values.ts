/** The values that all failed events have and no successful one, from samples of both. Pure. */

export type SharedValue = { path: string; value: string | null };

/** Fewer events on a side say little. */
const EVENTS_MIN = 2;
const PATHS_MAX = 400;
const DEPTH_MAX = 6;
const ITEMS_MAX = 20;
const VALUE_CHARS = 100;
const SHOWN_MAX = 10;

/**
 * Compares the members of JSON payloads by their path (`order.currency`, `lines[].sku`). A value is shared if every
 * failed event has it at its path and no successful one does; a missing member, if every successful event has it and no
 * failed one does. Shortest paths first.
 */
export function sharedValues(failed: string[], succeeded: string[]): SharedValue[] {
  const bad = failed.flatMap(valuesOf);
  const good = succeeded.flatMap(valuesOf);
  if (bad.length < EVENTS_MIN || good.length < EVENTS_MIN) return [];
  const shared: SharedValue[] = [];
  const [first, ...rest] = bad;
  for (const [path, values] of first ?? [])
    for (const value of values)
      if (rest.every((each) => each.get(path)?.has(value)) && !good.some((each) => each.get(path)?.has(value)))
        shared.push({ path, value });
  const [model, ...others] = good;
  for (const path of model?.keys() ?? [])
    if (others.every((each) => each.has(path)) && !bad.some((each) => each.has(path)))
      shared.push({ path, value: null });
  return shared.toSorted((a, b) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1)).slice(0, SHOWN_MAX);
}

/** The values at each path, as JSON; one map, or none if the payload cannot be read. */
function valuesOf(payload: string): Map<string, Set<string>>[] {
  let root: unknown;
  try {
    root = JSON.parse(payload);
  } catch {
    return [];
  }
  const values = new Map<string, Set<string>>();
  const rest: { value: unknown; path: string; depth: number }[] = [{ value: root, path: '', depth: 0 }];
  for (let next = rest.pop(); next && values.size < PATHS_MAX; next = rest.pop()) {
    const { value, path, depth } = next;
    if (typeof value !== 'object' || value === null) {
      const text = JSON.stringify(value);
      if (text.length <= VALUE_CHARS) values.set(path, (values.get(path) ?? new Set()).add(text));
    } else if (depth < DEPTH_MAX) {
      const members: [string, unknown][] = Array.isArray(value)
        ? value.slice(0, ITEMS_MAX).map((item) => [`${path}[]`, item])
        : Object.entries(value).map(([name, member]) => [path === '' ? name : `${path}.${name}`, member]);
      for (const [path, member] of members) rest.push({ value: member, path, depth: depth + 1 });
    }
  }
  return [values];
}
