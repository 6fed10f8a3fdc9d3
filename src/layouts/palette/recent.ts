/** Recently visited pages, newest first, in local storage, for the palette. */
export type Visit = { readonly title: string; readonly to: string };

const KEY = 'sluice.recent';
const KEPT = 8;
/** The storage key of requests sent to apps (src/pages/connections/request/history.ts). */
export const REQUESTS_KEY = 'sluice.requests';
/** The storage key of recent searches (recent-searches.ts). */
export const SEARCHES_KEY = 'sluice.searches';
/** The storage key of viewed versions (src/pages/functions/versions/seen-versions.ts). */
export const SEEN_KEY = 'sluice.seen';

/** The storage key of requests sent to functions (src/pages/functions/code/saved-requests.ts). */
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
    // storage may be disabled; visits are then not remembered
  }
}

/** Clears the history of this user, so that the next user of the browser does not see it. */
export function forgetVisits(): void {
  try {
    for (const key of [KEY, REQUESTS_KEY, SAVED_REQUESTS_KEY, SEARCHES_KEY, SEEN_KEY]) localStorage.removeItem(key);
  } catch {
    // storage may be disabled
  }
}
