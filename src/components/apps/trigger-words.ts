/** Why a trigger receives no events, in the same words on every page. */
import type { Trigger } from '../../api/entities.ts';

type Reason = NonNullable<Trigger['reason']>;

/** The labels of chips. */
export const REASON_WORDS: Record<Reason, string> = {
  CONNECTION_FAILED: 'Connection failed',
  CONNECTION_DELETED: 'Connection deleted',
  SOURCE_REJECTED: 'Rejected by source',
  BLOCKED_ADDRESS: 'Blocked URL',
};

/** The cause, its effect and the next step. */
export const REASON_DETAILS: Record<Reason, string> = {
  CONNECTION_FAILED: 'Its connection failed, so no events are received. Reconnect it.',
  CONNECTION_DELETED: 'Its connection was deleted, so no events are received. Choose another in the settings.',
  SOURCE_REJECTED: 'The source rejected it, so no events are received. Check its parameters, then enable it again.',
  BLOCKED_ADDRESS:
    'Its URL resolves to a private network address, which is blocked, so no events are received. Change the URL in the settings.',
};
