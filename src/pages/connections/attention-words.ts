import type { AttentionCode } from '../../../contract/states.ts';
import type { Connection } from '../../api/entities.ts';

const WORDS: Record<AttentionCode, string> = {
  FAILED: 'Failed',
  CONNECT_FAILED: 'Last attempt failed',
  UNCONFIRMED: 'Credentials not confirmed',
  REFRESH_FAILING: 'Token refresh is failing',
  TOKEN_EXPIRED: 'Token expired',
  TOKEN_EXPIRES: 'Access ends soon',
  CREDENTIALS_EXPIRED: 'Credentials expired',
  CREDENTIALS_EXPIRE: 'Credentials expire soon',
  SCOPE_MISSING: 'Scopes missing',
  CHECK_FAILED: 'Last check failed',
  CALLS_DENIED: 'Last calls rejected',
  WEBHOOK_FAILED: 'Webhook not registered',
};

/** A short cause for lists. */
export const attentionWords = (code: AttentionCode): string => WORDS[code];

/** Codes that the page of the connection shows with more details. */
const SHOWN: readonly AttentionCode[] = ['FAILED', 'CONNECT_FAILED', 'UNCONFIRMED'];

/** What the page of the connection shows as warnings. */
export const warningsOf = ({ attention }: Connection): Connection['attention'] =>
  attention.filter(({ code }) => !SHOWN.includes(code));
