/** Code search in the palette, for quoted text or a regular expression: first public functions, then the account's. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FileCode, Search } from 'lucide-react';
import { readQuery } from '../../../contract/search/search-query.ts';
import { toApiError } from '../../api/api-error.ts';
import type { SearchReply } from '../../api/entities.ts';
import { q } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { asTyped, hostSearch } from '../../lib/search-as-typed.ts';
import { type Marker, useMarker } from '../../lib/search-marks.ts';
import type { Command, CommandGroup } from '../../ui/overlays/CommandPalette.tsx';
import { rememberSearch, useRecentSearches } from './recent-searches.ts';

type Go = (to: string) => () => void;
type Owner = 'SELF' | 'ALL';

/** The maximum number of functions per group and of lines per group. */
const FUNCTIONS = 4;
const LINES = 5;
const MOST_CHARS = 1_000;
/** The maximum number of recent searches, to leave room for the other groups. */
const MAX_RECENT = 4;

/** The code search for the typed text; for a host, the literal search for it. */
export const codeSearchOf = (typed: string): string => hostSearch(typed) ?? asTyped(typed).asked;

export function useCodeFound(typed: string, goTo: Go): { groups: CommandGroup[]; pending: boolean } {
  const { account_id } = useSession();
  const closed = codeSearchOf(typed);
  const { mode, query } = readQuery(closed);
  const asked = mode !== 'ranked' && query !== '' && [...closed].length <= MOST_CHARS;
  const going = (owner: Owner) => (to: string) => () => {
    rememberSearch(account_id, { q: closed, owner });
    goTo(to)();
  };
  const ask = (owner: Owner) => ({
    ...q('functionSearch', { query: { q: closed, limit: FUNCTIONS, ...(owner === 'ALL' ? { owner } : {}) } }),
    enabled: asked,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const marker = useMarker({ mode, query }, 'auto');
  const everybody = useQuery(ask('ALL'));
  const mine = useQuery(ask('SELF'));
  if (!asked) {
    const search = (label: string, owner: Owner) => ({
      id: `search ${owner}`,
      label,
      icon: Search,
      onSelect: going(owner)(path.functionSearch({ q: typed, ...(owner === 'ALL' ? { owner } : {}) })),
    });
    const commands = [
      search(`Search functions for ${typed}`, 'SELF'),
      search(`Search public functions for ${typed}`, 'ALL'),
    ];
    return { groups: typed ? [{ label: 'Search', found: true, commands }] : [], pending: false };
  }
  const publicLines = linesOf(everybody.data).slice(0, LINES);
  // public functions of this account are in both responses
  const listed = new Set(publicLines.map(({ id }) => id));
  const ownLines = linesOf(mine.data)
    .filter(({ id }) => !listed.has(id))
    .slice(0, LINES);
  return {
    groups: [
      codeGroup('Public code', closed, 'ALL', { ...everybody, lines: publicLines, marker }, going('ALL')),
      codeGroup('Code in this account', closed, 'SELF', { ...mine, lines: ownLines, marker }, going('SELF')),
    ],
    pending: everybody.isFetching || mine.isFetching,
  };
}

/** Commands that repeat recent searches. */
export function useRecentSearchCommands(go: Go): Command[] {
  const { account_id } = useSession();
  return useRecentSearches(account_id)
    .slice(0, MAX_RECENT)
    .map(({ q: searched, owner }) => ({
      id: `searched ${owner} ${searched}`,
      label: searched,
      note: owner === 'ALL' ? 'in public functions' : 'in functions of this account',
      icon: Search,
      onSelect: go(path.functionSearch({ q: searched, ...(owner === 'ALL' ? { owner } : {}) })),
    }));
}

type Line = ReturnType<typeof linesOf>[number];

/** The first lines of each function found. */
function linesOf(reply: SearchReply | undefined) {
  return (reply?.functions ?? []).flatMap(({ function_id, name, version, hits }) =>
    hits.slice(0, 2).map((hit) => ({ id: `${function_id} ${hit.path} ${hit.line}`, function_id, name, version, hit })),
  );
}

type Asked = { data: SearchReply | undefined; error: Error | null; lines: readonly Line[]; marker: Marker };

function codeGroup(
  label: string,
  typed: string,
  owner: Owner,
  { data: reply, error, lines, marker }: Asked,
  go: Go,
): CommandGroup {
  const functions = reply?.functions ?? [];
  const hits = functions.reduce((sum, { hit_count }) => sum + hit_count, 0);
  return {
    label,
    found: true,
    commands: [
      {
        id: `search ${owner}`,
        label: `All results for ${typed}`,
        note: error
          ? toApiError(error).message.replace(/^q: /, '')
          : reply && `${plural(hits, 'hit')}${reply.truncated ? ' and more' : ''}`,
        icon: Search,
        onSelect: go(path.functionSearch({ q: typed, ...(owner === 'ALL' ? { owner } : {}) })),
      },
      ...lines.map(({ id, function_id, name, version, hit }) => ({
        id: `hit ${owner} ${id}`,
        label: `${shortName(name)} ${shortPath(hit.path)}:${hit.line}`,
        title: `${name} ${hit.path}:${hit.line}`,
        isCode: true,
        note: partOf(hit.text, marker),
        icon: FileCode,
        onSelect: go(path.functionLine(function_id, { version, file: hit.path, line: hit.line, q: typed })),
      })),
    ],
  };
}

/** The part of a line around the hit that fits. */
function partOf(text: string, marker: Marker): string {
  const at = marker(text)[0]?.[0] ?? 0;
  const from = at > LEAD_CHARS + 1 ? at - LEAD_CHARS : 0;
  return `${from > 0 ? '…' : ''}${text.slice(from).trim().slice(0, NOTE_CHARS)}`;
}

/** Lengths at which name, path and line number fit a phone. */
const NAME_CHARS = 18;
const PATH_CHARS = 24;

const shortName = (name: string) => (name.length > NAME_CHARS ? `${name.slice(0, NAME_CHARS - 1).trimEnd()}…` : name);
/** The end of a path says most. */
const shortPath = (file: string) => (file.length > PATH_CHARS ? `…${file.slice(1 - PATH_CHARS)}` : file);

/** The number of characters shown before a hit, and in total. */
const LEAD_CHARS = 30;
const NOTE_CHARS = 200;
