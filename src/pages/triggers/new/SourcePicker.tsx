import { useRef, useState } from 'react';
import type { App } from '../../../api/entities.ts';
import { plural } from '../../../lib/format.ts';
import { Field } from '../../../ui/controls/Field.tsx';
import { RadioCards } from '../../../ui/controls/RadioCards.tsx';
import { SearchInput } from '../../../ui/controls/SearchInput.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { type FoundSource, findSources, sourceGroups } from './find-sources.ts';
import { focusTiles, SourceGrid } from './SourceGrid.tsx';

export interface SourcePickerProps {
  readonly sources: readonly App[];
  readonly source: App;
  readonly eventType: string;
  /** Connected apps: these come first. */
  readonly connected: ReadonlySet<string>;
  readonly onChange: (source: string, eventType: string) => void;
}

const CARDS_MAX = 5;

/** The source and event type. The search covers names and event types; Enter selects the first match. */
export function SourcePicker({ sources, source, eventType, connected, onChange }: SourcePickerProps) {
  const [query, setQuery] = useState('');
  const search = useRef<HTMLDivElement>(null);
  const tiles = useRef<HTMLFieldSetElement>(null);
  const searching = query.trim() !== '';
  const found = findSources(sources, query);
  const [first] = found;
  const groups = searching
    ? [{ name: undefined, found }]
    : sourceGroups(sources, connected).map(({ name, sources: those }) => ({
        name,
        found: those.map((each): FoundSource<App> => ({ source: each, eventType: undefined })),
      }));
  const choose = ({ source: { app, event_types }, eventType: fitting }: FoundSource<App>) =>
    onChange(app, fitting ?? event_types[0]?.event_type ?? '');
  return (
    <div className="grid gap-4">
      <div ref={search} className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <SearchInput
          label="Search sources"
          placeholder="Name or event type"
          value={query}
          onChange={setQuery}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              event.preventDefault();
              if (searching && first) choose(first);
            }
            if (event.key !== 'ArrowDown' || !first) return;
            event.preventDefault();
            focusTiles(tiles.current);
          }}
        />
        <span role="status" className="text-12 text-fg-3">
          {searching ? plural(found.length, 'source') : ''}
        </span>
      </div>
      {first ? (
        <SourceGrid
          at={tiles}
          groups={groups}
          value={source.app}
          onChange={choose}
          onLeave={() => search.current?.querySelector('input')?.focus()}
        />
      ) : (
        <p className="text-fg-2">No source matches “{query}”. Any service can post to a webhook trigger.</p>
      )}
      <EventTypes source={source} eventType={eventType} onChange={(type) => onChange(source.app, type)} />
    </div>
  );
}

interface EventTypesProps {
  readonly source: App;
  readonly eventType: string;
  readonly onChange: (eventType: string) => void;
}

/** A single event type needs no choice, but is displayed. */
function EventTypes({ source: { name, event_types: types }, eventType, onChange }: EventTypesProps) {
  const chosen = types.find(({ event_type }) => event_type === eventType);
  if (types.length > CARDS_MAX)
    return (
      <Field label={`Event type of ${name}`} help={chosen?.description}>
        <Select
          mono
          className="max-w-80"
          options={types.map(({ event_type }) => ({ value: event_type, label: event_type }))}
          value={eventType}
          onChange={({ target }) => onChange(target.value)}
        />
      </Field>
    );
  if (types.length > 1)
    return (
      <RadioCards
        label={`Event type of ${name}`}
        options={types.map(({ event_type, description }) => ({ value: event_type, title: event_type, description }))}
        value={eventType}
        onChange={onChange}
      />
    );
  return (
    <p className="text-fg-2">
      {name} sends events of the type <span className="data text-fg">{eventType}</span>. {chosen?.description}
    </p>
  );
}
