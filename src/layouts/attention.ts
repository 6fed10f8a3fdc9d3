import { useQuery } from '@tanstack/react-query';
import type { Connection, DestinationSummary, Trigger } from '../api/entities.ts';
import { q } from '../api/queries.ts';

/** What needs a hand: by the same rules in the navigation's badges and on the Overview. */
export const failedConnectionsQuery = q('connectionList', { query: { status: 'FAILED' } });
/** The newest hundred triggers: enough to see that something is wrong. */
export const newestTriggersQuery = q('triggerList', { query: { limit: 100 } });

/** Those with a destination that still gets events and at which every attempt fails. */
export const failingTriggersQuery = q('triggerList', { query: { failing: 'true', limit: 100 } });

/** Turned off by the service, not by a person. */
export function isFailing(destination: DestinationSummary): boolean {
  return destination.reason === 'FAILING' || destination.reason === 'GONE';
}

export function needsHand(trigger: Trigger): boolean {
  return trigger.reason !== null || trigger.destinations.some(isFailing);
}

export type Attention = {
  readonly connections: readonly Connection[];
  /** That were stopped, or have a destination that was turned off. */
  readonly triggers: readonly Trigger[];
  /** That have a destination that is failing, and may be among those above as well. */
  readonly failing: readonly Trigger[];
};

/** Nothing until it is known: the frame doesn't wait for it. */
export function useAttention(): Attention {
  const connections = useQuery(failedConnectionsQuery).data?.connections ?? [];
  const triggers = useQuery(newestTriggersQuery).data?.triggers ?? [];
  const failing = useQuery(failingTriggersQuery).data?.triggers ?? [];
  return { connections, triggers: triggers.filter(needsHand), failing };
}
