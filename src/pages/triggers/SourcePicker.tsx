import { useState } from 'react';
import type { App } from '../../api/entities.ts';
import { SourceMark } from '../../components/SourceMark.tsx';
import { plural } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { Select } from '../../ui/Select.tsx';

export interface SourcePickerProps {
  readonly sources: readonly App[];
  readonly source: App;
  readonly eventType: string;
  /** Apps there is a connection to: these come before the others. */
  readonly connected: ReadonlySet<string>;
  readonly onChange: (source: string, eventType: string) => void;
}

/** So many are shown at once; the rest is found by typing. */
const SHOWN = 8;
const CARDS_MAX = 5;

/** Who sends, and what. With one source and one type there is nothing to choose, but it is said. */
export function SourcePicker({ sources, source, eventType, connected, onChange }: SourcePickerProps) {
  const [query, setQuery] = useState('');
  const [all, setAll] = useState(false);
  const found = sourcesFor(sources, query, connected);
  const shown = all || query !== '' ? found : found.filter((each, index) => index < SHOWN || each === source);
  const types = source.event_types;
  return (
    <div className="grid gap-4">
      {sources.length > SHOWN ? <SearchInput label="Search sources" value={query} onChange={setQuery} /> : null}
      <div className="grid gap-2">
        {shown.length === 0 ? (
          <p role="status" className="text-fg-2">
            No source is called “{query}”. What has no source of its own can post to a webhook.
          </p>
        ) : (
          <RadioCards
            label="Source"
            options={shown.map(({ app, name, event_types }) => ({
              value: app,
              title: name,
              description: event_types.length === 1 ? event_types[0]?.description : `${event_types.length} event types`,
              aside: <SourceMark source={app} />,
            }))}
            value={source.app}
            onChange={(app) =>
              onChange(app, sources.find((each) => each.app === app)?.event_types[0]?.event_type ?? '')
            }
          />
        )}
        {shown.length < found.length ? (
          <div>
            <Button size="sm" onClick={() => setAll(true)}>
              Show {plural(found.length - shown.length, 'more source')}
            </Button>
          </div>
        ) : null}
      </div>
      {types.length > CARDS_MAX ? (
        <Field label="Event type" help={types.find((each) => each.event_type === eventType)?.description}>
          <Select
            mono
            className="max-w-80"
            options={types.map(({ event_type }) => ({ value: event_type, label: event_type }))}
            value={eventType}
            onChange={({ target }) => onChange(source.app, target.value)}
          />
        </Field>
      ) : types.length > 1 ? (
        <RadioCards
          label="Event type"
          options={types.map(({ event_type, description }) => ({ value: event_type, title: event_type, description }))}
          value={eventType}
          onChange={(type) => onChange(source.app, type)}
        />
      ) : (
        <p className="text-fg-2">
          Its events are of the type <span className="data text-fg">{eventType}</span>.
        </p>
      )}
    </div>
  );
}

/** Those whose name, id or event types have what is typed: what is built in, what is connected, then the alphabet. */
function sourcesFor(sources: readonly App[], query: string, connected: ReadonlySet<string>): readonly App[] {
  const wanted = query.trim().toLowerCase();
  const fits = ({ app, name, event_types }: App) =>
    [app, name, ...event_types.map(({ event_type }) => event_type)].some((text) => text.toLowerCase().includes(wanted));
  const rank = ({ app, category }: App) => (category === 'built-in' ? 0 : connected.has(app) ? 1 : 2);
  return sources.filter(fits).sort((a, b) => rank(a) - rank(b) || order(a, b));
}

/** The clock first: it needs nobody. */
const order = (a: App, b: App): number =>
  Number(b.app === 'schedule') - Number(a.app === 'schedule') || a.name.localeCompare(b.name);
