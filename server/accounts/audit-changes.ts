/** What a request changed, for the audit log: the values before and after, without secrets and within limits. */
import {
  AUDIT_CHANGES_MAX_CHARS,
  AUDIT_VALUE_MAX_CHARS,
  type AuditChange,
  isSame,
} from '../../contract/text/audit-changes.ts';
import { isCredentialName } from '../../contract/text/request-values.ts';
import { isMask, mask } from '../lib/masking.ts';

/** Fields that are a secret as a whole: only that they changed is recorded. */
const SECRETS = new Set(['secret', 'password', 'client_secret']);
/** A password in a URL. */
const USER_INFO = /(\/\/[^/?#\s@:]*:)[^/?#\s@]+@/g;

/**
 * The fields of a request whose values differ, by their name on the wire. `before` and `after` are the resource as the
 * API describes it: secrets in them are masked already.
 */
export function changesIn(given: object, before: object, after: object): AuditChange[] {
  const changes: AuditChange[] = [];
  let left = AUDIT_CHANGES_MAX_CHARS;
  for (const field of Object.keys(given)) {
    if (SECRETS.has(field)) {
      changes.push({ field, before: null, after: null, masked: true, cut: false });
      continue;
    }
    const [old, next] = [fieldOf(before, field), fieldOf(after, field)];
    if (isSame(old, next)) continue;
    const values = [JSON.stringify(old, masked), JSON.stringify(next, masked)];
    const isMasked = values.some(isMask);
    const chars = Math.max(...values.map(({ length }) => length));
    const cut = chars > AUDIT_VALUE_MAX_CHARS || 2 * chars > left;
    if (!cut) left -= 2 * chars;
    const [shownBefore, shownAfter] = cut ? [null, null] : values.map((text): unknown => JSON.parse(text));
    changes.push({ field, before: shownBefore, after: shownAfter, masked: isMasked, cut });
  }
  return changes;
}

const fieldOf = (resource: object, field: string): unknown => (resource as Record<string, unknown>)[field] ?? null;

function masked(this: unknown, name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (name !== '' && isCredentialName(name)) return isMask(value) ? value : mask(value);
  return value.replace(USER_INFO, (_, start: string) => `${start}${mask('')}@`);
}
