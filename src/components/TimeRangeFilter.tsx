import { useState } from 'react';
import { usePreference } from '../hooks/use-preference.ts';
import { formatAbsolute, type TimeZone } from '../lib/format.ts';
import { timeZone } from '../stores/time-zone.ts';
import { Button } from '../ui/controls/Button.tsx';
import { Field } from '../ui/controls/Field.tsx';
import { AddFilter, FilterChip } from '../ui/controls/FilterChip.tsx';
import { TextInput } from '../ui/controls/TextInput.tsx';
import { Popover } from '../ui/overlays/Popover.tsx';
import { TIME_RANGES } from './events/event-query.ts';

export interface TimeRange {
  /** A relative range by name; empty for an absolute range. */
  readonly time: string;
  /** Instants; empty for an open end. */
  readonly after: string;
  readonly before: string;
}

export interface TimeRangeFilterProps {
  readonly range: TimeRange;
  readonly onChange: (range: TimeRange) => void;
}

const ANY: TimeRange = { time: '', after: '', before: '' };

/** The label of a range; undefined if it is unlimited. */
export function rangeWords({ time, after, before }: TimeRange, zone: TimeZone): string | undefined {
  const moving = TIME_RANGES.find(({ value }) => value === time);
  if (moving) return moving.label;
  const written = (at: string) => (Number.isNaN(Date.parse(at)) ? at : formatAbsolute(new Date(at), zone).slice(0, 16));
  if (after && before) {
    const [from, to] = [written(after), written(before)];
    // omit the second date if it is the same
    return `${from} to ${from.slice(0, 11) === to.slice(0, 11) ? to.slice(11) : to}`;
  }
  if (after) return `since ${written(after)}`;
  return before ? `until ${written(before)}` : undefined;
}

/** A filter by time: a relative or an absolute range. */
export function TimeRangeFilter({ range, onChange }: TimeRangeFilterProps) {
  const [zone] = usePreference(timeZone);
  const words = rangeWords(range, zone);
  return (
    <Popover
      label="Time"
      trigger={(trigger) =>
        words === undefined ? (
          <AddFilter {...trigger} name="Time" />
        ) : (
          <FilterChip name="Time" value={words} onClear={() => onChange(ANY)} trigger={trigger} />
        )
      }
    >
      {(close) => (
        <RangeForm
          range={range}
          zone={zone}
          onChange={(next) => {
            onChange(next);
            close();
          }}
        />
      )}
    </Popover>
  );
}

/** Converts an instant to the value of a datetime-local input, and back. */
function toField(at: string, zone: TimeZone): string {
  return at === '' || Number.isNaN(Date.parse(at))
    ? ''
    : formatAbsolute(new Date(at), zone).slice(0, 16).replace(' ', 'T');
}
function fromField(text: string, zone: TimeZone): string {
  return text === '' ? '' : new Date(zone === 'utc' ? `${text}Z` : text).toISOString();
}

function RangeForm({ range, zone, onChange }: TimeRangeFilterProps & { zone: TimeZone }) {
  const [from, setFrom] = useState(() => toField(range.after, zone));
  const [to, setTo] = useState(() => toField(range.before, zone));
  const wrong = from !== '' && to !== '' && from >= to ? 'Enter a time after From.' : undefined;
  const whose = zone === 'utc' ? 'UTC' : 'local time';
  return (
    <div className="grid w-60 gap-3">
      <div className="grid grid-cols-2 gap-1.5">
        {TIME_RANGES.map(({ value, label }) => (
          <Button
            key={value}
            size="sm"
            aria-pressed={range.time === value}
            onClick={() => onChange({ ...ANY, time: value })}
          >
            {label}
          </Button>
        ))}
      </div>
      <form
        className="grid gap-3 border-t border-line pt-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!wrong) onChange({ time: '', after: fromField(from, zone), before: fromField(to, zone) });
        }}
      >
        <Field label="From" optional aside={whose}>
          <TextInput type="datetime-local" mono value={from} onChange={(event) => setFrom(event.target.value)} />
        </Field>
        <Field label="To" optional aside={whose} error={wrong}>
          <TextInput type="datetime-local" mono value={to} onChange={(event) => setTo(event.target.value)} />
        </Field>
        <Button type="submit" size="sm" reason={from === '' && to === '' ? 'Set From or To.' : wrong}>
          Apply
        </Button>
      </form>
    </div>
  );
}
