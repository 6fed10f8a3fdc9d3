/** Summarizes a replay from its first deliveries: triggers, destinations, events and their times. */
import { queryOptions } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import type { Reply } from '../../api/operation.ts';
import { formatCount, middleCut } from '../../lib/format.ts';

type FirstItems = Reply<'replayItemList'>;
type Names = ReadonlyMap<string, string>;

/** Deliveries examined; others are summarized as "more". */
const LOOKED_AT = 20;
const NAMED_MAX = 2;

/** The set of deliveries is final once collected, so it is loaded once. */
export const aboutQuery = (replay_id: string) =>
  queryOptions({
    queryKey: ['replay about', replay_id],
    queryFn: ({ signal }) =>
      send('replayItemList', { params: { replay_id }, query: { limit: LOOKED_AT } }, signal) as Promise<FirstItems>,
    staleTime: Number.POSITIVE_INFINITY,
  });

export interface ReplayAbout {
  /** `orders → erp, audit and 2 more` */
  readonly route: string;
  /** `4 from`, followed by the time of the oldest event. */
  readonly events: string;
  readonly oldest: string;
}

/** Undefined if all events are past retention. */
export function aboutOf(first: FirstItems, triggers: Names, destinations: Names): ReplayAbout | undefined {
  const [oldest] = first.items;
  if (!oldest) return undefined;
  const isAll = first.next_token === null;
  const named = (ids: readonly string[], names: Names) =>
    listed(
      [...new Set(ids)].map((id) => names.get(id) ?? middleCut(id)),
      isAll,
    );
  const events = new Set(first.items.map(({ event_id }) => event_id)).size;
  return {
    route: `${named(
      first.items.map(({ trigger_id }) => trigger_id),
      triggers,
    )} → ${named(
      first.items.map(({ destination_id }) => destination_id),
      destinations,
    )}`,
    events: `${isAll ? '' : 'at least '}${formatCount(events)} ${isAll && events === 1 ? 'at' : 'from'}`,
    oldest: timeOf(oldest.event_id),
  };
}

function listed(names: readonly string[], isAll: boolean): string {
  const shown = names.slice(0, NAMED_MAX).join(', ');
  const more = names.length - NAMED_MAX;
  return `${shown}${more > 0 ? ` and ${more} more` : ''}${isAll ? '' : ', …'}`;
}

/** An event's ID starts with its arrival time. */
const timeOf = (event_id: string): string =>
  new Date(Number.parseInt(event_id.replaceAll('-', '').slice(0, 12), 16)).toISOString();
