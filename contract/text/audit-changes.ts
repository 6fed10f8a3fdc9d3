/** The values of a change in the audit log, and which of them can be put back. Zod-free, for the console. */

/** A field of the request whose value changed. Without values if it is a secret (`masked`) or too long (`cut`). */
export type AuditChange = {
  field: string;
  before: unknown;
  after: unknown;
  /** A secret is part of the values: they are masked. */
  masked: boolean;
  /** The values are not stored, because they are too long. */
  cut: boolean;
};

/** Characters of a value as JSON, and of all values of an entry. */
export const AUDIT_VALUE_MAX_CHARS = 4_000;
export const AUDIT_CHANGES_MAX_CHARS = 16_000;

/**
 * Fields whose old value can be sent again with the same operation. A status or pause is put back as by its button.
 * Others also act (a handler deploys), or are more than the value (a secret, the default connection of an app).
 */
const UNDOABLE: Readonly<Record<string, readonly string[]>> = {
  accountUpdate: ['name'],
  apiKeyUpdate: ['name', 'expires_at', 'scopes', 'gateway', 'functions', 'ip_ranges'],
  appUpdate: ['name', 'base_url', 'docs_url', 'default_headers', 'probe', 'gateway'],
  connectionUpdate: ['name', 'metadata', 'tags', 'end_user', 'check_every_minutes'],
  destinationUpdate: [
    'url',
    'method',
    'name',
    'headers',
    'body_template',
    'body_source',
    'body_format',
    'forward_headers',
    'filter',
    'retry_schedule',
    'rate_limit',
    'max_in_flight',
    'timeout_seconds',
    'status',
    'paused',
  ],
  functionUpdate: [
    'name',
    'description',
    'visibility',
    'invoke_access',
    'network_policy',
    'allowed_hosts',
    'gateway_policy',
    'gateway_grants',
    'timeout_seconds',
  ],
  memberUpdate: ['name', 'role'],
  savedFilterUpdate: ['name', 'filter'],
  savedSearchUpdate: ['name', 'q', 'owner', 'case'],
  triggerUpdate: ['name', 'description', 'parameters', 'connection_id', 'filter', 'status'],
};

/** Reasons of destinations and triggers that the service has disabled. */
const AUTOMATIC: readonly unknown[] = ['GONE', 'FAILING', 'SOURCE_REJECTED', 'CONNECTION_DELETED'];

/** Why the changes of an entry can't be undone; undefined if they can. `current`: the resource as it is now. */
export function undoRefusal(
  { operation, changes }: { operation: string; changes: readonly AuditChange[] },
  current: Readonly<Record<string, unknown>>,
): string | undefined {
  const fields = Object.hasOwn(UNDOABLE, operation) ? UNDOABLE[operation] : undefined;
  if (fields === undefined || changes.length === 0) return 'This change can’t be undone.';
  const other = changes.find(({ field }) => !fields.includes(field));
  if (other) return `A change of ${other.field} can’t be undone.`;
  const without = changes.find(({ masked, cut }) => masked || cut);
  if (without) return `The old value of ${without.field} is not stored.`;
  const later = changes.find(({ field, after }) => !isSame(current[field], after));
  if (later) return `${later.field} has been changed again since.`;
  const isStatus = changes.some(({ field }) => field === 'status');
  if (isStatus && current['status'] === 'DISABLED' && AUTOMATIC.includes(current['reason']))
    return 'It has been disabled automatically since.';
  return undefined;
}

/** Whether two JSON values are equal, whatever the order of their members. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b || (a ?? null) === (b ?? null)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [one, two] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return [...new Set([...Object.keys(one), ...Object.keys(two)])].every((key) => isSame(one[key], two[key]));
}
