/** The places someone was at recently, newest first, kept by the browser for the palette. */
export type Visit = { readonly title: string; readonly to: string };

const KEY = 'sluice.recent';
const KEPT = 8;
/** Where src/pages/connections/request/history.ts keeps what was sent to apps. */
export const REQUESTS_KEY = 'sluice.requests';
/** Where recent-searches.ts keeps what was searched for. */
export const SEARCHES_KEY = 'sluice.searches';
/** Where src/pages/functions/versions/seen-versions.ts keeps what was looked at of others. */
export const SEEN_KEY = 'sluice.seen';

/** Where src/pages/functions/code/saved-requests.ts keeps what is sent to functions. */
export const SAVED_REQUESTS_KEY = 'sluice.saved';

function isVisit(value: unknown): value is Visit {
  return typeof value === 'object' && value !== null && 'title' in value && 'to' in value;
}

export function recentVisits(): readonly Visit[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isVisit) : [];
  } catch {
    return [];
  }
}

export function rememberVisit(visit: Visit): void {
  const others = recentVisits().filter(({ to }) => to !== visit.to);
  try {
    localStorage.setItem(KEY, JSON.stringify([visit, ...others].slice(0, KEPT)));
  } catch {
    // storage may be forbidden; the palette does without
  }
}

/** The next person at this browser must not see where the last one was. */
export function forgetVisits(): void {
  try {
    for (const key of [KEY, REQUESTS_KEY, SAVED_REQUESTS_KEY, SEARCHES_KEY, SEEN_KEY]) localStorage.removeItem(key);
  } catch {
    // nothing was kept either
  }
}
