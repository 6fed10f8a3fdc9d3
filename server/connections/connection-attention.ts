/** What needs attention about a connection: every state in which it does not work, or soon will not. */
import type { z } from 'zod';
import type { CheckResult as Result } from '../../contract/connections/health.ts';
import { DENIED_CALLS_MIN, EXPIRY_NOTICE_DAYS } from '../../contract/limits.ts';
import type { Reply } from '../../contract/operations.ts';
import type { AttentionCode } from '../../contract/states.ts';
import type { ConnectionsTable } from '../platform/database/schema.ts';

export type CheckResult = z.output<typeof Result>;
type Attention = Reply<'connectionGet'>['connection']['attention'];

const DAY_MS = 86_400_000;
/** Tokens that live shorter are refreshed on use only. */
const SHORT_LIVED_MS = 2 * 60_000;
/** Consecutive checks that did not succeed. */
export const CHECK_FAILURES_MIN = 2;

/** The most severe first. The list selects by the same conditions (store/connection-list.ts). */
export function attentionOf(row: ConnectionsTable, hasFailingWebhook: boolean, nowMs = Date.now()): Attention {
  const found: Attention = [];
  const add = (code: AttentionCode, message: string) => void found.push({ code, message });
  const messageIn = (text: string) => (JSON.parse(text) as { message: string }).message;
  if (row.status === 'FAILED')
    add('FAILED', row.failure === null ? 'The connection no longer works.' : messageIn(row.failure));
  if (row.status === 'ACTIVE') addOfActive(row, nowMs, add);
  if (row.last_error !== null) add('CONNECT_FAILED', messageIn(row.last_error));
  if (row.unconfirmed !== null) add('UNCONFIRMED', messageIn(row.unconfirmed));
  addExpiry(row, nowMs, add);
  if (hasFailingWebhook)
    add('WEBHOOK_FAILED', 'The app did not accept the webhook of a trigger that uses this connection.');
  return found;
}

type Add = (code: AttentionCode, message: string) => void;

function addOfActive(row: ConnectionsTable, nowMs: number, add: Add): void {
  const { refresh_failing_since, refresh_at, refreshed_at, token_expires_at, check_result } = row;
  if (refresh_failing_since !== null)
    add('REFRESH_FAILING', `Every token refresh failed since ${refresh_failing_since}.`);
  if (token_expires_at !== null) {
    const endsMs = Date.parse(token_expires_at);
    const livesMs = refreshed_at === null ? Number.NaN : endsMs - Date.parse(refreshed_at);
    if (refresh_at === null && endsMs < nowMs && livesMs >= SHORT_LIVED_MS)
      add('TOKEN_EXPIRED', `The access token expired at ${token_expires_at}.`);
    // Without a refresh token, the time of the next refresh is that of the expiry.
    if (refresh_at !== null && Date.parse(refresh_at) === endsMs && endsMs < nowMs + EXPIRY_NOTICE_DAYS.token * DAY_MS)
      add('TOKEN_EXPIRES', `Access ends at ${token_expires_at}: the app gave no refresh token. Reconnect it before.`);
  }
  if (row.denied_calls >= DENIED_CALLS_MIN)
    add('CALLS_DENIED', `The app rejected the last ${row.denied_calls} calls with 401 or 403.`);
  if (row.check_failures >= CHECK_FAILURES_MIN && check_result !== null)
    add('CHECK_FAILED', `The last check failed: ${(JSON.parse(check_result) as CheckResult).message}`);
  if (row.missing_scopes !== null)
    add(
      'SCOPE_MISSING',
      `The app did not grant all scopes: ${(JSON.parse(row.missing_scopes) as string[]).join(', ')}.`,
    );
}

function addExpiry({ credentials_expire_at }: ConnectionsTable, nowMs: number, add: Add): void {
  if (credentials_expire_at === null) return;
  const leftMs = Date.parse(credentials_expire_at) - nowMs;
  if (leftMs <= 0) add('CREDENTIALS_EXPIRED', `The credentials expired at ${credentials_expire_at}.`);
  else if (leftMs < EXPIRY_NOTICE_DAYS.credentials * DAY_MS)
    add('CREDENTIALS_EXPIRE', `The credentials expire at ${credentials_expire_at}. Replace them before.`);
}
