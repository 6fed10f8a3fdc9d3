/** Queries of the function pages, and display names of a function's properties. */
import { Globe, Link2, Lock } from 'lucide-react';
import type { Visibility } from '../../../contract/states.ts';
import type { HostedFunction, Run } from '../../api/entities.ts';
import { pages, q } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import type { CrumbArgs } from '../../layouts/handle.ts';
import type { Icon } from '../../ui/icon.ts';

const LINES_A_PAGE = 1000;

export const functionQuery = (function_id: string) => q('functionGet', { params: { function_id } });
export const versionsQuery = (function_id: string) => pages('versionList', { params: { function_id } });
/** Without a version: the files of the live version. */
export const filesQuery = (function_id: string, version?: number) =>
  q('functionFiles', { params: { function_id }, query: { version } });
export const gradualQuery = (function_id: string) => q('gradualGet', { params: { function_id } });
export const envQuery = (function_id: string) => q('envList', { params: { function_id } });
/** All lines of a run, or those that match a pattern. */
export const runLogsQuery = ({ function_id, run_id }: Pick<Run, 'function_id' | 'run_id'>, filter_pattern?: string) =>
  pages('runLogList', { params: { function_id, run_id }, query: { limit: LINES_A_PAGE, filter_pattern } });
export const runQuery = (function_id: string, run_id: string) => q('runGet', { params: { function_id, run_id } });

/** The function ID in the route's path. */
export function idIn(params: CrumbArgs['params']): string {
  return params['functionId'] ?? '';
}

export const functionCrumb = ({ params, cached }: CrumbArgs): string =>
  cached(functionQuery(idIn(params)))?.function.name ?? 'Function';

/** Whether the account owns the function: public functions of others are read-only. */
export function useIsOwn(fn: HostedFunction): boolean {
  return fn.account_id === useSession().account_id;
}

export const VISIBILITY: Record<Visibility, { word: string; icon: Icon; meaning: string }> = {
  PRIVATE: { word: 'Private', icon: Lock, meaning: 'Only this account can see and call it.' },
  UNLISTED: { word: 'Unlisted', icon: Link2, meaning: 'Not listed and not searchable. Can be opened to all callers.' },
  PUBLIC: {
    word: 'Public',
    icon: Globe,
    meaning: 'All accounts of this installation can find it and read the code of the live version and later ones.',
  },
};
