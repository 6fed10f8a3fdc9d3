/** Recent searches by account, newest first, in local storage; cleared at sign-out. */
import { useSyncExternalStore } from 'react';
import { SEARCHES_KEY } from './recent.ts';

export type RecentSearch = { readonly q: string; readonly owner: 'SELF' | 'ALL' };
type Kept = Readonly<Record<string, readonly RecentSearch[]>>;

const EACH = 8;
/** Longer queries are not stored: they were pasted and are not recognizable in a list. */
const LONGEST = 200;
const NONE: readonly RecentSearch[] = [];
const listeners = new Set<() => void>();
let read: { text: string | null; kept: Kept } = { text: null, kept: {} };

function isSearch(value: unknown): value is RecentSearch {
  if (typeof value !== 'object' || value === null || !('q' in value) || !('owner' in value)) return false;
  return typeof value.q === 'string' && (value.owner === 'SELF' || value.owner === 'ALL');
}

function stored(): Kept {
  try {
    const text = localStorage.getItem(SEARCHES_KEY);
    if (text === read.text) return read.kept;
    const value: unknown = JSON.parse(text ?? '{}');
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    const kept = entries.map(([account, list]) => [account, Array.isArray(list) ? list.filter(isSearch) : []]);
    read = { text, kept: Object.fromEntries(kept) };
  } catch {
    read = { text: null, kept: {} };
  }
  return read.kept;
}

function change(account_id: string, list: readonly RecentSearch[]): void {
  try {
    localStorage.setItem(SEARCHES_KEY, JSON.stringify({ ...stored(), [account_id]: list.slice(0, EACH) }));
  } catch {
    // storage may be disabled; searches are then not remembered
  }
  for (const listener of listeners) listener();
}

const same = (a: RecentSearch, b: RecentSearch) => a.q === b.q && a.owner === b.owner;

export function rememberSearch(account_id: string, { q, owner }: RecentSearch): void {
  const search = { q: q.trim(), owner };
  if (!search.q || search.q.length > LONGEST) return;
  change(account_id, [search, ...(stored()[account_id] ?? NONE).filter((each) => !same(each, search))]);
}

export function forgetSearch(account_id: string, search: RecentSearch): void {
  change(
    account_id,
    (stored()[account_id] ?? NONE).filter((each) => !same(each, search)),
  );
}

export function useRecentSearches(account_id: string): readonly RecentSearch[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => stored()[account_id] ?? NONE,
  );
}
