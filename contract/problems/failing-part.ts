import type { ProblemKind, ProblemPartKind } from '../states.ts';

/**
 * The resource that has the cause of a problem: it is fixed there, and it has to succeed again. A failed run is fixed in
 * its function, not at the destination that calls it.
 */
export const FAILING_PART: Record<ProblemKind, ProblemPartKind> = {
  DELIVERY: 'DESTINATION',
  RUN: 'FUNCTION',
  CALL: 'CONNECTION',
  RENEWAL: 'CONNECTION',
  REJECTION: 'TRIGGER',
  SCHEDULE: 'TRIGGER',
  POLL: 'TRIGGER',
};
