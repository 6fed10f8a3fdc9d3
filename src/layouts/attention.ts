import { useQuery } from '@tanstack/react-query';
import type { Connection, DestinationSummary, Trigger } from '../api/entities.ts';
import type { Reply } from '../api/operation.ts';
import { q } from '../api/queries.ts';

/** Resources that need attention, by the same rules in the navigation badges and on the Overview. */
export const attentionConnectionsQuery = q('connectionList', { query: { attention: 'true', limit: 200 } });
/** The newest hundred triggers, enough to report problems. */
export const newestTriggersQuery = q('triggerList', { query: { limit: 100 } });

/** OPEN problems: the last seen, and their number. */
export const openProblemsQuery = q('problemList', { query: { state: 'OPEN', limit: 5 } });

/** Triggers with an enabled destination whose attempts all fail. */
export const failingTriggersQuery = q('triggerList', { query: { failing: 'true', limit: 100 } });

/** Whether a destination was disabled automatically. */
export function isFailing(destination: DestinationSummary): boolean {
  return destination.reason === 'FAILING' || destination.reason === 'GONE';
}

export function needsAttention(trigger: Trigger): boolean {
  return trigger.reason !== null || trigger.destinations.some(isFailing);
}

export type Attention = {
  readonly connections: readonly Connection[];
  /** Triggers that were stopped, or have a destination that was disabled automatically. */
  readonly triggers: readonly Trigger[];
  /** Triggers with a failing destination; they may also be in `triggers`. */
  readonly failing: readonly Trigger[];
  /** The last seen OPEN problems, and their number. */
  readonly open: Reply<'problemList'> | undefined;
};

/** Empty until loaded, because the frame does not wait for it. */
export function useAttention(): Attention {
  const connections = useQuery(attentionConnectionsQuery).data?.connections ?? [];
  const triggers = useQuery(newestTriggersQuery).data?.triggers ?? [];
  const failing = useQuery(failingTriggersQuery).data?.triggers ?? [];
  const open = useQuery(openProblemsQuery).data;
  return { connections, triggers: triggers.filter(needsAttention), failing, open };
}
