import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { matchesFilter, readsRequest } from '../../../../../contract/event-filter.ts';
import { toApiError } from '../../../../api/api-error.ts';
import { q } from '../../../../api/queries.ts';
import { Link } from '../../../../components/Link.tsx';
import { useFormField } from '../../../../forms/form-fields.ts';
import { formatCount } from '../../../../lib/format.ts';
import { path } from '../../../../lib/path.ts';
import { Button } from '../../../../ui/controls/Button.tsx';
import { Chip, statusIcons } from '../../../../ui/controls/Chip.tsx';
import { Field } from '../../../../ui/controls/Field.tsx';
import { SegmentedControl } from '../../../../ui/controls/SegmentedControl.tsx';
import { TextArea } from '../../../../ui/controls/TextArea.tsx';
import { Menu } from '../../../../ui/overlays/Menu.tsx';
import { MenuHead, MenuItem } from '../../../../ui/overlays/MenuItem.tsx';
import { Time } from '../../../../ui/Time.tsx';
import type { DestinationFieldsProps } from './AddressFields.tsx';
import { FilterRows } from './FilterRows.tsx';
import { type Condition, conditionsOf, filterOf } from './filter-rows.ts';
import { examplesFor, payloadLeaves, readFilter, writeFilter } from './filter-text.ts';

export interface FilterFieldProps<In extends FieldValues, Out> extends DestinationFieldsProps<In, Out> {
  /** The payload that the examples use. */
  readonly payload: unknown;
  /** The trigger whose past events test the filter; undefined while the trigger is being created. */
  readonly triggerId: string | undefined;
  /** The owner of the filter: the trigger or one destination. */
  readonly help: string;
}

/** The filter editor, with a test on recent events. */
export function FilterField<In extends FieldValues, Out>(props: FilterFieldProps<In, Out>) {
  const { control, at, readOnly = false, payload, triggerId, help } = props;
  const name = `${at}filter` as FieldPath<In>;
  useFormField(name);
  const { field, fieldState } = useController({ control, name });
  const text = String(field.value);
  const read = useMemo(() => readFilter(text), [text]);
  const leaves = useMemo(() => payloadLeaves(payload), [payload]);
  const own = useConditions(text, field.onChange);
  const aside = (
    <span className="flex items-center gap-2">
      {readOnly ? null : <Examples payload={payload} onChoose={field.onChange} />}
      <SegmentedControl
        label="Filter as"
        size="sm"
        options={read.ok && own.rows === undefined ? ONLY_JSON : SHOWN_AS}
        value={own.as}
        onChange={own.setAs}
      />
    </span>
  );
  return (
    <div>
      {own.as === 'rows' && own.rows !== undefined ? (
        <fieldset className="min-w-0">
          <legend className="sr-only">Filter</legend>
          <div className="mb-1 flex flex-wrap items-center gap-1.5">
            <span aria-hidden className="text-12 font-medium text-fg-2">
              Filter
            </span>
            <span className="text-12 text-fg-3">optional</span>
            <span className="ml-auto">{aside}</span>
          </div>
          <FilterRows rows={own.rows} leaves={leaves} readOnly={readOnly} onChange={own.setRows} />
          <p className="mt-1 text-12 text-fg-3">{help}</p>
        </fieldset>
      ) : (
        <Field
          label="Filter"
          optional
          error={read.ok ? fieldState.error?.message : read.message}
          help={help}
          aside={aside}
        >
          <TextArea
            mono
            rows={3}
            {...field}
            value={text}
            onChange={(event) => {
              // text is not converted to rows while it has the focus
              own.setAs('json');
              field.onChange(event);
            }}
            readOnly={readOnly}
            placeholder={'{ "data.amount_due": { "$gte": 5000 } }'}
          />
        </Field>
      )}
      {read.ok && read.filter && triggerId === undefined ? (
        <p role="status" className="mt-1 text-12 text-fg-2">
          {readsRequest(read.filter)
            ? 'The sample event has no request. Test the filter on received events once the trigger exists.'
            : matchesFilter(read.filter, payload)
              ? 'The sample event matches.'
              : 'The sample event does not match.'}
        </p>
      ) : null}
      {read.ok && read.filter && triggerId !== undefined ? (
        <BackTest triggerId={triggerId} filter={JSON.stringify(read.filter)} />
      ) : null}
    </div>
  );
}

const SHOWN_AS = [
  { value: 'rows', label: 'Conditions' },
  { value: 'json', label: 'JSON' },
] as const;
type ShownAs = (typeof SHOWN_AS)[number]['value'];
/** The filter is too complex for rows. */
const ONLY_JSON = SHOWN_AS.filter(({ value }) => value === 'json');

interface Conditions {
  readonly as: ShownAs;
  readonly setAs: (as: ShownAs) => void;
  /** Undefined if only JSON can express the filter. */
  readonly rows: readonly Condition[] | undefined;
  readonly setRows: (rows: readonly Condition[]) => void;
}

/** The filter text as rows. Incomplete rows are stored beside it until another change of the text. */
function useConditions(text: string, onChange: (text: string) => void): Conditions {
  const [as, setAs] = useState<ShownAs>('rows');
  const [draft, setDraft] = useState<{ readonly text: string; readonly rows: readonly Condition[] }>();
  const rows = useMemo(() => {
    if (draft?.text === text) return draft.rows;
    const read = readFilter(text);
    return read.ok ? conditionsOf(read.filter) : undefined;
  }, [text, draft]);
  return {
    as: rows === undefined ? 'json' : as,
    setAs,
    rows,
    setRows: (next) => {
      const written = writeFilter(filterOf(next));
      setDraft({ text: written, rows: next });
      onChange(written);
    },
  };
}

function Examples({ payload, onChoose }: { payload: unknown; onChoose: (text: string) => void }) {
  const examples = useMemo(() => examplesFor(payload), [payload]);
  return (
    <Menu
      label="Example filters"
      align="end"
      trigger={(opener) => (
        <Button {...opener} size="sm" variant="ghost" className="-my-1">
          Examples
          <ChevronDown size={12} aria-hidden />
        </Button>
      )}
    >
      {examples.length === 0 ? <MenuHead>No event to build examples from</MenuHead> : null}
      {examples.map(({ label, filter }) => (
        <MenuItem key={label} onSelect={() => onChoose(writeFilter(filter))}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}

const SHOWN = 50;

/** `37 of the last 412 events match`, with the matching events. */
function BackTest({ triggerId, filter }: { triggerId: string; filter: string }) {
  const tried = useDeferredValue(filter);
  const [only, setOnly] = useState<'matching' | 'others'>();
  const { data, error } = useQuery({
    ...q('triggerFilterTest', { params: { trigger_id: triggerId }, query: { filter: tried } }),
    placeholderData: (before) => before,
  });
  if (error)
    return <p className="mt-1 text-12 text-bad-fg">The filter could not be tested: {toApiError(error).message}</p>;
  if (!data) return <p className="mt-1 text-12 text-fg-3">Testing on past events…</p>;
  if (data.total === 0) return <p className="mt-1 text-12 text-fg-3">No events yet to test it on.</p>;
  const listed = data.events.filter(({ matches }) => matches === (only === 'matching'));
  const show = (which: typeof only) => setOnly(only === which ? undefined : which);
  return (
    <div className="mt-1">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-12">
        <span role="status" className="text-fg-2">
          <b className="font-medium text-fg">{formatCount(data.matched)}</b> of the last {formatCount(data.total)}{' '}
          {data.total === 1 ? 'event matches' : 'events match'}
        </span>
        <Button size="sm" variant="ghost" aria-expanded={only === 'matching'} onClick={() => show('matching')}>
          Show matches
        </Button>
        <Button size="sm" variant="ghost" aria-expanded={only === 'others'} onClick={() => show('others')}>
          Show others
        </Button>
      </div>
      {only ? (
        <ul
          aria-label={only === 'matching' ? 'Events that match' : 'Events that don’t match'}
          className="mt-1 max-h-44 overflow-y-auto rounded border border-line bg-sunken px-2 py-1 text-12/6"
        >
          {listed.length === 0 ? <li className="text-fg-3">None.</li> : null}
          {listed.slice(0, SHOWN).map(({ event_id, received_at, matches }) => (
            <li key={event_id} className="flex min-w-0 items-center gap-2">
              <Chip quiet tone={matches ? 'ok' : 'mute'} icon={matches ? statusIcons.succeeded : statusIcons.skipped}>
                <span className="sr-only">{matches ? 'Matches' : 'Doesn’t match'}</span>
              </Chip>
              <Time at={received_at} className="flex-none text-fg-3" />
              <Link className="link data min-w-0 truncate" to={path.triggerEvent(triggerId, event_id)}>
                {event_id}
              </Link>
            </li>
          ))}
          {listed.length > SHOWN ? <li className="text-fg-3">and {formatCount(listed.length - SHOWN)} more</li> : null}
        </ul>
      ) : null}
    </div>
  );
}
