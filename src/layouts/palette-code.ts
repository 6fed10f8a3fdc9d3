/** What the palette finds in code: typed in quotes or between slashes, first in public functions, then in one's own. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FileCode, Search } from 'lucide-react';
import { readQuery } from '../../contract/search-query.ts';
import type { SearchReply } from '../api/entities.ts';
import { q } from '../api/queries.ts';
import { plural } from '../lib/format.ts';
import { path } from '../lib/path.ts';
import type { CommandGroup } from '../ui/CommandPalette.tsx';

type Go = (to: string) => () => void;
type Owner = 'SELF' | 'ALL';

/** Functions of each kind, and lines in all. */
const FUNCTIONS = 4;
const LINES = 5;
const MOST_CHARS = 1_000;

export function useCodeFound(typed: string, go: Go): { groups: CommandGroup[]; pending: boolean } {
  const { mode, query } = readQuery(typed);
  const asked = mode !== 'ranked' && query !== '' && typed.length <= MOST_CHARS;
  const ask = (owner: Owner) => ({
    ...q('functionSearch', { query: { q: typed, limit: FUNCTIONS, ...(owner === 'ALL' ? { owner } : {}) } }),
    enabled: asked,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const everybody = useQuery(ask('ALL'));
  const mine = useQuery(ask('SELF'));
  if (!asked) {
    const search = (label: string, owner: Owner) => ({
      id: `search ${owner}`,
      label,
      icon: Search,
      onSelect: go(path.functionSearch({ q: typed, ...(owner === 'ALL' ? { owner } : {}) })),
    });
    const commands = [
      search(`Search functions for ${typed}`, 'SELF'),
      search(`Search public functions for ${typed}`, 'ALL'),
    ];
    return { groups: typed ? [{ label: 'Search', found: true, commands }] : [], pending: false };
  }
  return {
    groups: [
      codeGroup('In public code', typed, 'ALL', everybody.data, go),
      codeGroup('In code of this account', typed, 'SELF', mine.data, go),
    ],
    pending: everybody.isFetching || mine.isFetching,
  };
}

function codeGroup(label: string, typed: string, owner: Owner, reply: SearchReply | undefined, go: Go): CommandGroup {
  const functions = reply?.functions ?? [];
  const hits = functions.reduce((sum, { hit_count }) => sum + hit_count, 0);
  const lines = functions
    .flatMap(({ function_id, name, version, hits: found }) =>
      found.slice(0, 2).map((hit) => ({ function_id, name, version, hit })),
    )
    .slice(0, LINES);
  return {
    label,
    found: true,
    commands: [
      {
        id: `search ${owner}`,
        label: `Every hit for ${typed}`,
        note: reply ? (reply.truncated ? `${plural(hits, 'hit')} and more` : plural(hits, 'hit')) : undefined,
        icon: Search,
        onSelect: go(path.functionSearch({ q: typed, ...(owner === 'ALL' ? { owner } : {}) })),
      },
      ...lines.map(({ function_id, name, version, hit }) => ({
        id: `hit ${owner} ${function_id} ${hit.path} ${hit.line}`,
        label: `${name} ${hit.path}:${hit.line}`,
        note: hit.text.trim().slice(0, 200),
        icon: FileCode,
        onSelect: go(path.functionLine(function_id, { version, file: hit.path, line: hit.line })),
      })),
    ],
  };
}
