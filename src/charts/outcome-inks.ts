/** The colours of outcomes: the same on every chart. */
import type { Ink } from './inks.ts';

export const OUTCOME_INKS = {
  succeeded: { token: 'ok-solid', share: 0.55 },
  skipped: { token: 'fg-3' },
  pending: { token: 'warn-solid' },
  failed: { token: 'bad-solid' },
  /** Rejected by the other side: a 4xx of an app. */
  rejected: { token: 'warn-solid' },
  unanswered: { token: 'fg-2' },
} as const satisfies Record<string, Ink>;
