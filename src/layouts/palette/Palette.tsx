import { useQuery } from '@tanstack/react-query';
import { BookOpen, Braces, Clock, Hash, Keyboard, Plug, Plus, Settings, Zap } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { readQuery } from '../../../contract/search/search-query.ts';
import { q } from '../../api/queries.ts';
import { useReason } from '../../api/session.ts';
import { useIdLookup } from '../../components/use-id-lookup.ts';
import { LOOKUP_WORDS, pathOfMatch } from '../../lib/lookup.ts';
import { path } from '../../lib/path.ts';
import { type Command, type CommandGroup, CommandPalette } from '../../ui/overlays/CommandPalette.tsx';
import { newestTriggersQuery } from '../attention.ts';
import { PLACES } from '../Navigation.tsx';
import { useShownActions } from './page-actions.ts';
import { codeSearchOf, useCodeFound, useRecentSearchCommands } from './palette-code.ts';
import { useDocsFound } from './palette-docs.ts';
import { recentVisits } from './recent.ts';

const SETTINGS = [
  { label: 'Account settings', to: path.settings('account') },
  { label: 'API keys', to: path.settings('keys') },
  { label: 'Members', to: path.settings('members') },
  { label: 'Audit log', to: path.settings('audit') },
  { label: 'API reference', to: path.apiReference() },
];

/** The maximum number of recent pages, to leave room for the other groups. */
const MAX_RECENT = 5;

export interface PaletteProps {
  onClose: () => void;
  onOpenKeys: () => void;
  /** Returns the text typed before the palette's field was rendered; called once it is. */
  takeOver: () => string;
  /** The element that had the focus. */
  before: HTMLElement | undefined;
}

/** The command palette: actions of the page, pages, recent pages, and all resources by name. */
export default function Palette({ onClose, onOpenKeys, takeOver, before }: PaletteProps) {
  const [query, setQuery] = useState('');
  const onFieldMount = useCallback(
    (input: HTMLInputElement | null) => {
      if (!input) return;
      // before the placeholder field is removed, so that no keystroke is lost
      input.focus();
      setQuery((typed) => typed + takeOver());
    },
    [takeOver],
  );
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const go = (to: string) => () => void navigate(to);
  const actions = useShownActions();
  const things = useThings(go);

  const code = useCodeFound(query, go);
  const isCode = readQuery(codeSearchOf(query)).mode !== 'ranked';
  const named = useIdLookup(query);

  const docs = useDocsFound(query, go);

  const groups: CommandGroup[] = [
    {
      label: 'ID matches',
      found: true,
      commands: named.matches.map((match) => ({
        id: `id ${match.kind} ${match.id}`,
        label: `${LOOKUP_WORDS[match.kind]} ${match.name}`,
        note: match.detail ?? undefined,
        icon: Hash,
        onSelect: go(pathOfMatch(match, query)),
      })),
    },
    ...(isCode ? code.groups : []),
    {
      label: 'On this page',
      commands: actions.flatMap((action) =>
        action.reason ? [] : [{ ...action, id: `do ${action.label}`, icon: action.icon }],
      ),
    },
    {
      label: 'Recent',
      commands: recentVisits()
        .filter(({ to }) => to !== pathname)
        .slice(0, MAX_RECENT)
        .map(({ title, to }) => ({ id: `recent ${to}`, label: title, icon: Clock, onSelect: go(to) })),
    },
    { label: 'Recent searches', commands: useRecentSearchCommands(go) },
    {
      label: 'Go to',
      commands: [...PLACES, ...SETTINGS].map((place) => ({
        id: place.to,
        label: place.label,
        icon: 'icon' in place ? place.icon : Settings,
        onSelect: go(place.to),
      })),
    },
    { label: 'Create', commands: useMakers(go) },
    ...(query ? things.groups : []),
    {
      label: 'Help',
      commands: [
        { id: 'docs', label: 'Documentation', icon: BookOpen, onSelect: go(path.docs()) },
        { id: 'keys', label: 'Keyboard shortcuts', icon: Keyboard, kbd: '?', onSelect: onOpenKeys },
      ],
    },
    docs,
    ...(isCode ? [] : code.groups),
  ];
  return (
    <CommandPalette
      inputRef={onFieldMount}
      finalFocus={before}
      onClose={onClose}
      query={query}
      onQueryChange={setQuery}
      groups={groups}
      busy={Boolean(query) && (things.pending || code.pending || named.pending)}
    />
  );
}

type Go = (to: string) => () => void;

function useMakers(go: Go): Command[] {
  const makers = [
    { label: 'New connection', to: path.connectionNew(), reason: useReason('connectionCreate') },
    { label: 'New trigger', to: path.triggerNew(), reason: useReason('triggerCreate') },
    { label: 'New function', to: path.functionNew(), reason: useReason('functionCreate') },
  ];
  return makers.flatMap(({ label, to, reason }) =>
    reason ? [] : [{ id: to, label, icon: Plus, keywords: 'create add make', onSelect: go(to) }],
  );
}

/** The resources of the account by name, loaded when the palette opens. */
function useThings(go: Go): { groups: CommandGroup[]; pending: boolean } {
  const triggers = useQuery(newestTriggersQuery);
  const functions = useQuery(q('functionList', { query: { limit: 200 } }));
  const connections = useQuery(q('connectionList', { query: { limit: 200 } }));
  const groups = [
    {
      label: 'Triggers',
      commands: (triggers.data?.triggers ?? []).map((trigger) => ({
        id: trigger.trigger_id,
        label: trigger.name,
        note: trigger.event_type,
        icon: Zap,
        onSelect: go(path.trigger(trigger.trigger_id)),
      })),
    },
    {
      label: 'Functions',
      commands: (functions.data?.functions ?? []).map((fn) => ({
        id: fn.function_id,
        label: fn.name,
        note: fn.runtime,
        icon: Braces,
        onSelect: go(path.function(fn.function_id)),
      })),
    },
    {
      label: 'Connections',
      commands: (connections.data?.connections ?? []).map((connection) => ({
        id: connection.connection_id,
        label: connection.name ?? connection.app,
        note: connection.name ? connection.app : undefined,
        icon: Plug,
        onSelect: go(path.connection(connection.connection_id)),
      })),
    },
  ];
  return { groups, pending: triggers.isPending || functions.isPending || connections.isPending };
}
