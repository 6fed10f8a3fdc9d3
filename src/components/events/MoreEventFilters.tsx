import { Pin } from 'lucide-react';
import { useState } from 'react';
import { middleCut } from '../../lib/format.ts';
import { STATUS_CLASSES } from '../../lib/status-classes.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { AddFilter, FilterChip } from '../../ui/controls/FilterChip.tsx';
import { Select } from '../../ui/controls/Select.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { Popover } from '../../ui/overlays/Popover.tsx';
import type { EventFilters } from './event-query.ts';
import type { EventList } from './use-event-list.ts';
import { type EventPlaces, useEventPlaces } from './use-event-places.ts';

/** The response status of the last attempt. */
const RESPONSE = /^(?:[1-5]\d\d|[1-5]xx|none)$/;

/** The names and values of the less common filters. */
export function rareFilterWords(filters: EventFilters, { destinations }: EventPlaces) {
  const named = destinations.find(({ value }) => value === filters.destination)?.label;
  const answer = STATUS_CLASSES.find(({ value }) => value === filters.response)?.label ?? filters.response;
  return [
    { key: 'destination', name: 'Destination', value: named ?? middleCut(filters.destination) },
    { key: 'response', name: 'Response', value: answer },
    { key: 'source', name: 'Source', value: filters.source },
    { key: 'pinned', name: 'Pinned', value: filters.pinned === '' ? '' : 'Yes' },
    { key: 'replay', name: 'Replay', value: middleCut(filters.replay) },
  ] as const;
}

/**
 * Filters for destination, response, source, pins and replay: a chip for each active one, one button for the others.
 */
export function MoreEventFilters({ events }: { events: EventList }) {
  const { filters, setFilters, triggerId } = events;
  const places = useEventPlaces(triggerId ?? filters.trigger);
  return (
    <>
      {rareFilterWords(filters, places).map(({ key, name, value }) =>
        value === '' ? null : (
          <FilterChip key={key} name={name} value={value} onClear={() => setFilters({ [key]: '' })} />
        ),
      )}
      <Popover label="More filters" trigger={(trigger) => <AddFilter {...trigger} name="More filters" />}>
        {(close) => (
          <FilterForm
            filters={filters}
            places={places}
            withSource={triggerId === undefined}
            onChange={(change) => {
              setFilters(change);
              close();
            }}
          />
        )}
      </Popover>
    </>
  );
}

interface FilterFormProps {
  readonly filters: EventFilters;
  readonly places: EventPlaces;
  /** False in the list of a trigger, which has one source. */
  readonly withSource: boolean;
  readonly onChange: (change: Partial<EventFilters>) => void;
}

function FilterForm({ filters, places, withSource, onChange }: FilterFormProps) {
  const [response, setResponse] = useState(filters.response);
  const wrong = response === '' || RESPONSE.test(response) ? undefined : 'Enter a status such as 404, 5xx or none.';
  return (
    <div className="grid w-64 gap-3">
      <Field label="Destination">
        <Select
          placeholder="Any"
          options={places.destinations}
          value={filters.destination}
          onChange={({ target }) => onChange({ destination: target.value })}
        />
      </Field>
      {withSource ? (
        <Field label="Source">
          <Select
            placeholder="Any"
            options={places.sources}
            value={filters.source}
            onChange={({ target }) => onChange({ source: target.value })}
          />
        </Field>
      ) : null}
      <Button size="sm" icon={Pin} onClick={() => onChange({ pinned: 'true' })}>
        Pinned events only
      </Button>
      <form
        className="grid gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (!wrong) onChange({ response });
        }}
      >
        <Field label="Last response" error={wrong} help="A status such as 404, or one of these:">
          <TextInput mono maxLength={4} value={response} onChange={({ target }) => setResponse(target.value.trim())} />
        </Field>
        <div className="flex flex-wrap gap-1.5">
          {STATUS_CLASSES.map(({ value, label }) => (
            <Button
              key={value}
              size="sm"
              aria-pressed={filters.response === value}
              onClick={() => onChange({ response: value })}
            >
              {label}
            </Button>
          ))}
        </div>
        <Button type="submit" size="sm" reason={wrong}>
          Filter by response
        </Button>
      </form>
    </div>
  );
}
