/** The last viewed version of other accounts' functions, by account. Stored in the browser and cleared at sign-out. */
import { SEEN_KEY } from '../../../layouts/palette/recent.ts';

const KEPT = 200;

function stored(): Record<string, number> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(SEEN_KEY) ?? '{}');
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return Object.fromEntries(entries.filter(([, version]) => Number.isInteger(version) && version > 0));
  } catch {
    return {};
  }
}

const keyOf = (account_id: string, function_id: string) => `${account_id}/${function_id}`;

export function seenVersion(account_id: string, function_id: string): number | undefined {
  return stored()[keyOf(account_id, function_id)];
}

export function rememberSeen(account_id: string, function_id: string, version: number): void {
  const key = keyOf(account_id, function_id);
  const { [key]: _, ...others } = stored();
  try {
    // the most recent last
    const kept = [...Object.entries(others), [key, version] as const].slice(-KEPT);
    localStorage.setItem(SEEN_KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // without storage, nothing is marked as new
  }
}
