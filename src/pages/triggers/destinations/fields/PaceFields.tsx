import type { FieldPath, FieldValues } from 'react-hook-form';
import { useWatch } from 'react-hook-form';
import { ATTEMPT_TIMEOUT_MS, IN_FLIGHT } from '../../../../../contract/limits.ts';
import { RATE_PERIODS } from '../../../../../contract/states.ts';
import { SelectField, TextField } from '../../../../forms/fields.tsx';
import type { DestinationFieldsProps } from './AddressFields.tsx';

const PERIODS = RATE_PERIODS.map((value) => ({ value, label: value }));

/** Rate limit, concurrency and time limit. */
export function PaceFields<In extends FieldValues, Out>({ control, at, readOnly }: DestinationFieldsProps<In, Out>) {
  const name = (field: string) => `${at}${field}` as FieldPath<In>;
  const isLimited = String(useWatch({ control, name: name('rate_limit.requests') }) ?? '').trim() !== '';
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-start gap-x-2 gap-y-3">
        <TextField
          control={control}
          name={name('rate_limit.requests')}
          label="Rate limit"
          optional
          readOnly={readOnly}
          placeholder="no limit"
          inputMode="numeric"
          className="min-w-28 flex-1 basis-28"
        />
        <SelectField
          control={control}
          name={name('rate_limit.per')}
          label="Per"
          options={PERIODS}
          disabled={readOnly || !isLimited}
          className="w-28"
        />
        <TextField
          control={control}
          name={name('max_in_flight')}
          label="Concurrency"
          optional
          readOnly={readOnly}
          placeholder={`${IN_FLIGHT.default} per node`}
          inputMode="numeric"
          className="min-w-28 flex-1 basis-28"
        />
        <TextField
          control={control}
          name={name('timeout_seconds')}
          label="Timeout, seconds"
          optional
          readOnly={readOnly}
          placeholder={String(ATTEMPT_TIMEOUT_MS / 1000)}
          inputMode="numeric"
          className="min-w-28 flex-1 basis-28"
        />
      </div>
      <p className="text-12 text-fg-3">
        Requests per period, and at the same time, of new events, retries and replays from all nodes. Further deliveries
        wait in the queue.
      </p>
    </div>
  );
}
