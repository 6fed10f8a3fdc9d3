import { Plus } from 'lucide-react';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import type { App } from '../../../api/entities.ts';
import { useReason } from '../../../api/session.ts';
import { AppIcon } from '../../../components/apps/AppIcon.tsx';
import { Link } from '../../../components/Link.tsx';
import { useDebouncedFilter } from '../../../hooks/use-debounced-filter.ts';
import { ScrollPage } from '../../../layouts/ScrollPage.tsx';
import { plural } from '../../../lib/format.ts';
import { METHOD_NAMES } from '../../../lib/method-names.ts';
import { path } from '../../../lib/path.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { SearchInput } from '../../../ui/controls/SearchInput.tsx';
import { Tag } from '../../../ui/Tag.tsx';
import { type AppGroup, findApps, groupsOf } from './app-search.ts';
import { CategoryChips } from './CategoryChips.tsx';
import { useGridWalk } from './use-grid-walk.ts';

export interface AppPickerProps {
  readonly apps: readonly App[];
  readonly query: string;
  readonly category: string;
  readonly onQuery: (text: string) => void;
  readonly onCategory: (category: string) => void;
  /** Adds a custom app; the search text may be its name. */
  readonly onCustom: (name: string) => void;
}

/** All connectable apps. Enter opens the first match, arrow keys move through the matches. */
export function AppPicker({ apps, query, category, onQuery, onCategory, onCustom }: AppPickerProps) {
  // the list is filtered at once and the URL follows after a pause, unless a navigation is pending, which a URL update
  // would cancel
  const leaving = useRef(false);
  const [text, setText] = useDebouncedFilter(query, (typed) => {
    if (!leaving.current) onQuery(typed);
  });
  const choose = () => {
    leaving.current = true;
  };
  const navigate = useNavigate();
  const reason = useReason('appCreate');
  const search = useRef<HTMLDivElement>(null);
  const walk = useGridWalk<HTMLDivElement>(() => search.current?.querySelector('input')?.focus());
  const groups = groupsOf(apps);
  const chosen = groups.find((group) => group.category === category);
  const wanted = text.trim();
  const found = findApps(chosen?.apps ?? apps, wanted);
  const [first] = found;
  return (
    <>
      <search aria-label="Apps" className="grid flex-none grid-cols-[minmax(0,1fr)] gap-2 px-4 pb-3 max-sm:px-3">
        <div className="flex items-center gap-2">
          <div ref={search} className="min-w-0 flex-1 max-w-[560px]">
            <SearchInput
              label="Find an app"
              placeholder="Name or purpose"
              size="lg"
              value={text}
              onChange={setText}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && first) {
                  choose();
                  void navigate(path.app(first.app));
                }
                if (event.key !== 'ArrowDown' || !first) return;
                event.preventDefault();
                walk.focusFirst();
              }}
            />
          </div>
          <Button
            icon={Plus}
            size="lg"
            reason={reason}
            onClick={() => {
              choose();
              onCustom(wanted);
            }}
          >
            Custom app…
          </Button>
        </div>
        <CategoryChips groups={groups} total={apps.length} value={chosen?.category ?? ''} onChange={onCategory} />
        <p role="status" className="sr-only">
          {wanted ? plural(found.length, 'app') : ''}
        </p>
      </search>
      <ScrollPage label="Apps">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move among the links inside */}
        <div ref={walk.list} onKeyDown={walk.onKeyDown} className="border-t border-line pb-4">
          {found.length === 0 ? (
            <NothingFound text={wanted} chosen={chosen} onEverywhere={() => onCategory('')} />
          ) : wanted || chosen ? (
            <AppList apps={found} onChoose={choose} />
          ) : (
            groups.map((group) => (
              <section key={group.category} aria-label={group.name}>
                <h2 className="sticky top-0 z-1 bg-sunken px-4 py-1.5 text-12 font-medium text-fg-2 max-sm:px-3">
                  {group.name}
                </h2>
                <AppList apps={group.apps} onChoose={choose} />
              </section>
            ))
          )}
        </div>
      </ScrollPage>
    </>
  );
}

interface NothingFoundProps {
  readonly text: string;
  readonly chosen: AppGroup<App> | undefined;
  readonly onEverywhere: () => void;
}

function NothingFound({ text, chosen, onEverywhere }: NothingFoundProps) {
  return (
    <div className="px-4 py-4 max-sm:px-3">
      <p className="text-fg-2">
        No app{chosen ? ` of ${chosen.name}` : ''} matches{' '}
        <span className="font-medium wrap-anywhere text-fg">{text}</span>. Any HTTP API or MCP server can be added as a
        custom app.
      </p>
      {chosen ? (
        <div className="mt-2">
          <Button size="sm" onClick={onEverywhere}>
            Search all apps
          </Button>
        </div>
      ) : null}
    </div>
  );
}

interface AppListProps {
  readonly apps: readonly App[];
  readonly onChoose: () => void;
}

function AppList({ apps, onChoose }: AppListProps) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,380px),1fr))] border-b border-line">
      {apps.map((app) => (
        <AppRow key={app.app} app={app} onChoose={onChoose} />
      ))}
    </ul>
  );
}

function AppRow({ app, onChoose }: { app: App; onChoose: () => void }) {
  return (
    <li className="-mb-px min-w-0 border-b border-line">
      <Link
        to={path.app(app.app)}
        onClick={onChoose}
        className="flex min-h-14 items-center gap-3 px-4 py-2 text-fg no-underline hover:bg-hover focus-visible:-outline-offset-2 max-sm:px-3"
      >
        <AppIcon app={app.app} name={app.name} size="md" />
        <span className="min-w-0 flex-1">
          <span className="flex min-w-0 items-center gap-2">
            <span className="truncate font-medium">{app.name}</span>
            <Methods app={app} />
          </span>
          {app.description ? (
            <span className="block truncate text-12 text-fg-3">{app.description}</span>
          ) : (
            <span className="data block truncate text-fg-3">{app.base_url}</span>
          )}
        </span>
      </Link>
    </li>
  );
}

/** More methods would leave no room for the name. */
const METHODS_SHOWN = 3;

function Methods({ app: { methods } }: { app: App }) {
  const shown = methods.length > METHODS_SHOWN ? methods.slice(0, METHODS_SHOWN - 1) : methods;
  const rest = methods.slice(shown.length).map(({ method }) => METHOD_NAMES[method]);
  return (
    <span className="ml-auto flex flex-none items-center gap-1">
      {shown.map(({ method }) => (
        <Tag key={method}>{METHOD_NAMES[method]}</Tag>
      ))}
      {rest.length > 0 ? (
        <Tag>
          <span aria-hidden>+{rest.length}</span>
          <span className="sr-only">{rest.join(', ')}</span>
        </Tag>
      ) : null}
    </span>
  );
}
