import { pages, q } from '../../api/queries.ts';
import type { CrumbArgs } from '../../layouts/handle.ts';

export const idIn = (params: CrumbArgs['params']): string => params['problemId'] ?? '';

/** The states of each choice of the list. */
export const SHOWN = {
  active: 'OPEN,ACKNOWLEDGED',
  ignored: 'IGNORED',
  resolved: 'RESOLVED',
  all: undefined,
} as const;
export type Shown = keyof typeof SHOWN;
export const listDefaults = { state: 'active' };
export const shownIn = (state: string): Shown => (Object.hasOwn(SHOWN, state) ? (state as Shown) : 'active');

export const problemsQuery = (shown: Shown) => {
  const state = SHOWN[shown];
  return pages('problemList', { query: state === undefined ? {} : { state } });
};
export const problemQuery = (problem_id: string) => q('problemGet', { params: { problem_id } });
export const failuresQuery = (problem_id: string) => pages('problemFailureList', { params: { problem_id } });
export const problemReplaysQuery = (problem_id: string) => q('replayList', { query: { problem_id, limit: 5 } });
export const shadowsQuery = (function_id: string) => q('shadowList', { params: { function_id } });
