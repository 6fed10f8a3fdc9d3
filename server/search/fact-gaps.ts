/**
 * Whether all code in the scope of a search was read for its definitions and uses. For the public functions of all accounts
 * the whole check takes as long as several searches, so it is repeated seldom; in between only changed functions are
 * checked.
 */
import { type FactScope, findGap, type Gap } from '../functions/store/code-facts.ts';
import type { Db } from '../platform/database/schema.ts';

/** `position`: of the change log when the whole scope was checked, or changes after that. */
type Checked = { gap: Gap; position: string; atMs: number };

/** How long a result holds. Unread code is usually read soon. */
const VALID_MS = 300_000;
const UNREAD_VALID_MS = 1_000;

/** By database and by whether all versions are searched. */
const checked = new WeakMap<Db, Map<boolean, Checked>>();

export async function gapIn(db: Db, scope: FactScope): Promise<Gap> {
  if (scope.account_id !== undefined || scope.code_sha256 !== undefined) return (await findGap(db, scope)).gap;
  const known = checked.get(db) ?? new Map<boolean, Checked>();
  checked.set(db, known);
  const before = known.get(scope.isHistory);
  const ageMs = before ? performance.now() - before.atMs : Number.POSITIVE_INFINITY;
  if (!before || ageMs > (before.gap === 'UNREAD' ? UNREAD_VALID_MS : VALID_MS)) {
    const now = await findGap(db, scope);
    known.set(scope.isHistory, { ...now, atMs: performance.now() });
    return now.gap;
  }
  if (before.gap === 'UNREAD') return before.gap;
  const { gap = before.gap, position } = await findGap(db, scope, before.position);
  // Unread code is checked again by the next search, with the changes after it.
  if (gap !== 'UNREAD') known.set(scope.isHistory, { ...before, gap, position });
  return gap;
}
