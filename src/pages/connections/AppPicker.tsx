import { ChevronRight, Plus } from 'lucide-react';
import { useNavigate } from 'react-router';
import type { App } from '../../api/entities.ts';
import { useReason } from '../../api/session.ts';
import { AppIcon } from '../../components/AppIcon.tsx';
import { Link } from '../../components/Link.tsx';
import { useTypedFilter } from '../../components/use-typed-filter.ts';
import { plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/Button.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { Tag } from '../../ui/Tag.tsx';

export interface AppPickerProps {
  readonly apps: readonly App[];
  readonly query: string;
  readonly onQuery: (text: string) => void;
  readonly onCustom: () => void;
}

/** Every app that can be connected, with what it offers. Enter takes the first that is found. */
export function AppPicker({ apps, query, onQuery, onCustom }: AppPickerProps) {
  // what is typed is found at once; the address follows when the typing rests
  const [text, setText] = useTypedFilter(query, onQuery);
  const navigate = useNavigate();
  const reason = useReason('appCreate');
  const wanted = text.trim().toLowerCase();
  const found = apps.filter(({ app, name }) => app.includes(wanted) || name.toLowerCase().includes(wanted));
  const [first] = found;
  return (
    <section aria-label="Apps" className="px-4 py-4 max-sm:px-3">
      <SearchInput
        label="Find an app"
        size="lg"
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && first) void navigate(path.connectionNew({ app: first.app }));
        }}
      />
      <p role="status" className="sr-only">
        {wanted ? plural(found.length, 'app') : ''}
      </p>
      {found.length === 0 ? (
        <p className="mt-3 text-fg-2">
          No app is called <span className="font-medium wrap-anywhere text-fg">{text}</span>. Describe it below, and it
          can be connected like the others.
        </p>
      ) : (
        <ul className="mt-3 overflow-clip rounded-lg border border-line-2 [overflow-clip-margin:4px]">
          {found.map((app) => (
            <AppRow key={app.app} app={app} />
          ))}
        </ul>
      )}
      <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button icon={Plus} reason={reason} onClick={onCustom}>
          Custom app…
        </Button>
        <p className="text-12 text-fg-3">Any HTTP API that takes a key: its address, and where the key goes.</p>
      </div>
    </section>
  );
}

function AppRow({ app }: { app: App }) {
  const events = app.event_types.length;
  return (
    <li className="border-t border-line first:border-t-0">
      <Link
        to={path.connectionNew({ app: app.app })}
        className="flex min-h-11 items-center gap-3 px-3 py-1.5 text-fg no-underline hover:bg-hover"
      >
        <AppIcon app={app.app} name={app.name} />
        <span className="min-w-0 flex-1">
          <span className="flex min-w-0 items-center gap-1.5">
            <span className="truncate font-medium">{app.name}</span>
            {app.custom ? <Tag>Custom</Tag> : null}
          </span>
          <span className="data block truncate text-12 text-fg-3">{app.base_url}</span>
        </span>
        <span className="flex flex-none items-center gap-1.5">
          {events > 0 ? <Tag>{plural(events, 'event type')}</Tag> : null}
          {app.methods.map(({ method }) => (
            <Tag key={method} mono>
              {method}
            </Tag>
          ))}
        </span>
        <ChevronRight size={14} aria-hidden className="flex-none text-fg-3" />
      </Link>
    </li>
  );
}
