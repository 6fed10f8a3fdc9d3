/** Queries of the page of a transformation, and helpers for its route. */
import { q } from '../../../api/queries.ts';
import type { CrumbArgs } from '../../../layouts/handle.ts';

export const destinationQuery = (trigger_id: string, destination_id: string) =>
  q('destinationGet', { params: { trigger_id, destination_id } });
/** Own functions, which may transform. */
export const functionsQuery = q('functionList', { query: { limit: 200 } });

export type Place = { readonly trigger_id: string; readonly destination_id: string };

export const placeIn = (params: CrumbArgs['params']): Place => ({
  trigger_id: params['triggerId'] ?? '',
  destination_id: params['destinationId'] ?? '',
});
