import { DELIVERY_STATUSES, type DeliveryStatus } from '../../../contract/states.ts';
import { pages, q } from '../../api/queries.ts';
import type { CrumbArgs } from '../../layouts/handle.ts';

export const idIn = (params: CrumbArgs['params']): string => params['replayId'] ?? '';

export const replaysQuery = pages('replayList');
export const replayQuery = (replay_id: string) => q('replayGet', { params: { replay_id } });

/** The matrix cell that filters the list. */
export const cellDefaults = { before: '', after: '' };
export type Cell = { readonly before: string; readonly after: string };

const statusIn = (text: string): DeliveryStatus | undefined => DELIVERY_STATUSES.find((each) => each === text);

export const itemsQuery = (replay_id: string, { before, after }: Cell) =>
  pages('replayItemList', {
    params: { replay_id },
    query: { before: statusIn(before), after: statusIn(after) },
  });

/** The part of a URL's query that belongs to the list of deliveries, not to the panel beside it. */
export function cellSearch(search: string, more: Readonly<Record<string, string>>): string {
  const given = new URLSearchParams(search);
  const kept = new URLSearchParams(more);
  for (const name of Object.keys(cellDefaults)) {
    const value = given.get(name);
    if (value) kept.set(name, value);
  }
  return kept.size > 0 ? `?${kept}` : '';
}
