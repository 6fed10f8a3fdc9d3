import { lazy, Suspense, useMemo } from 'react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { SelectField, TextField } from '../../../forms/fields.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';

const SchedulePreview = lazy(() => import('./SchedulePreview.tsx'));

const COMMON = [
  { label: 'Every minute', value: '* * * * *' },
  { label: 'Every 5 minutes', value: '*/5 * * * *' },
  { label: 'Every hour', value: '0 * * * *' },
  { label: 'Every day at 9', value: '0 9 * * *' },
  { label: 'Weekdays at 9', value: '0 9 * * 1-5' },
];

/** The time zones of the browser; UTC and the local zone come first. */
function useZones(chosen: string) {
  return useMemo(() => {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const known = Intl.supportedValuesOf('timeZone');
    return [...new Set(['UTC', here, ...(chosen ? [chosen] : []), ...known])].map((value) => ({ value, label: value }));
  }, [chosen]);
}

export interface ScheduleFieldsProps<In extends FieldValues, Out> {
  readonly control: Control<In, unknown, Out>;
  readonly readOnly?: boolean | undefined;
}

/** The schedule: cron expression and time zone, with a preview. */
export function ScheduleFields<In extends FieldValues, Out>({ control, readOnly }: ScheduleFieldsProps<In, Out>) {
  const cron = 'parameters.cron_expression' as FieldPath<In>;
  const zone = 'parameters.timezone' as FieldPath<In>;
  const expression = useController({ control, name: cron }).field;
  const timezone = String(useController({ control, name: zone }).field.value);
  const zones = useZones(timezone);
  const written = String(expression.value ?? '').trim();
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-start gap-x-2 gap-y-3">
        <TextField
          control={control}
          name={cron}
          label="Cron expression"
          mono
          readOnly={readOnly}
          placeholder="*/5 * * * *"
          className="min-w-40 flex-1"
          help="Minute, hour, day of the month, month, day of the week."
        />
        <SelectField
          control={control}
          name={zone}
          label="Time zone"
          options={zones}
          disabled={readOnly}
          className="w-56 max-w-full"
        />
      </div>
      {readOnly ? null : (
        <div className="flex flex-wrap gap-1.5">
          {COMMON.map(({ label, value }) => (
            <Button key={value} size="sm" aria-pressed={written === value} onClick={() => expression.onChange(value)}>
              {label}
            </Button>
          ))}
        </div>
      )}
      {written === '' ? null : (
        // reserves the height of ten firings, so that nothing below moves while it loads
        <div className="min-h-61.5 rounded border border-line bg-sunken px-3 py-2 sm:min-h-36.5">
          <Suspense fallback={<SkeletonLines lines={5} />}>
            <SchedulePreview expression={written} timezone={timezone || 'UTC'} />
          </Suspense>
        </div>
      )}
    </div>
  );
}
