/** Queries, addresses and words of the pages about shadows. */
import type { ShadowOutcome } from '../../../../contract/states.ts';
import type { Reply } from '../../../api/operation.ts';
import { pages, q } from '../../../api/queries.ts';
import type { CrumbArgs } from '../../../layouts/handle.ts';

export type Shadow = Reply<'shadowGet'>['shadow'];
export type ShadowRequest = Reply<'shadowRequestList'>['requests'][number];

export const shadowIdIn = (params: CrumbArgs['params']): string => params['shadowId'] ?? '';

export const shadowsQuery = (function_id: string) => q('shadowList', { params: { function_id } });
export const shadowQuery = (function_id: string, shadow_id: string) =>
  q('shadowGet', { params: { function_id, shadow_id } });
export const requestsQuery = (function_id: string, shadow_id: string, differs: boolean) =>
  pages('shadowRequestList', { params: { function_id, shadow_id }, query: differs ? { differs: 'true' } : {} });
export const requestQuery = (function_id: string, shadow_id: string, run_id: string) =>
  q('shadowRequestGet', { params: { function_id, shadow_id, run_id } });

/** What the deploy of a version makes stale. */
export const DEPLOYED = ['functionGet', 'functionList', 'functionFiles', 'versionList', 'functionSearch'] as const;

export const OUTCOME_WORDS: Record<ShadowOutcome, string> = {
  SUCCESS: 'Success',
  FAILURE: 'Failure',
  BLOCKED: 'Blocked call',
};
