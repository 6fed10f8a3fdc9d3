import { type FieldPath, type FieldValues, useWatch } from 'react-hook-form';
import { ORDER_ENDS } from '../../../../../contract/states.ts';
import { SelectField, TextField } from '../../../../forms/fields.tsx';
import type { DestinationFieldsProps } from './AddressFields.tsx';

const SCOPES = [
  { value: 'NONE', label: 'none' },
  { value: 'KEY', label: 'by key' },
  { value: 'ALL', label: 'all events' },
];
const ENDS: Record<(typeof ORDER_ENDS)[number], string> = { BLOCK: 'later events wait', SKIP: 'later events are sent' };
const END_OPTIONS = ORDER_ENDS.map((value) => ({ value, label: ENDS[value] }));
const HELP: Readonly<Record<string, string>> = {
  NONE: 'Events are sent at the same time, and a retry may arrive after newer events.',
  KEY: 'Events with the same value at this path of the payload are sent one after the other. A failed delivery delays only its key. Events without a value there wait for no other.',
  ALL: 'Events are sent one after the other. A failed delivery delays all later ones.',
};

/** The order of deliveries, and what a delivery that failed for good does to those behind it. */
export function OrderFields<In extends FieldValues, Out>({ control, at, readOnly }: DestinationFieldsProps<In, Out>) {
  const name = (field: string) => `${at}ordering.${field}` as FieldPath<In>;
  const by = String(useWatch({ control, name: name('by') }));
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-start gap-x-2 gap-y-3">
        <SelectField
          control={control}
          name={name('by')}
          label="Order"
          options={SCOPES}
          disabled={readOnly}
          className="w-32"
        />
        {by === 'KEY' ? (
          <TextField
            control={control}
            name={name('key')}
            label="Order key"
            mono
            readOnly={readOnly}
            placeholder="payload.customer.id"
            className="min-w-40 flex-1 basis-40"
          />
        ) : null}
        {by === 'NONE' ? null : (
          <SelectField
            control={control}
            name={name('after_last_attempt')}
            label="After the last attempt"
            options={END_OPTIONS}
            disabled={readOnly}
            className="w-44"
          />
        )}
      </div>
      <p className="text-12 text-fg-3">{HELP[by]}</p>
    </div>
  );
}
