import { Plus, X } from 'lucide-react';
import { type UseFormReturn, useFieldArray } from 'react-hook-form';
import { DESTINATIONS_PER_TRIGGER } from '../../../../contract/limits.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import type { NewTriggerValues } from '../new/trigger-form.ts';
import { MessageFields, OwnHeaders } from './DestinationFields.tsx';
import { newDestination } from './destination-form.ts';
import { AddressFields } from './fields/AddressFields.tsx';
import type { TemplateEvent } from './fields/template-text.ts';

export interface DestinationRowsProps {
  readonly form: UseFormReturn<NewTriggerValues, unknown, NewTriggerValues>;
  /** The sample event. */
  readonly events: readonly TemplateEvent[];
}

/** The destinations of a new trigger. */
export function DestinationRows({ form, events }: DestinationRowsProps) {
  const { control } = form;
  const { fields, append, remove } = useFieldArray({ control, name: 'destinations' });
  return (
    <div className="grid gap-3">
      {fields.length === 0 ? (
        <p className="text-fg-2">Optional. Without a destination, events are only stored and can be replayed later.</p>
      ) : null}
      {fields.map((field, index) => (
        <fieldset key={field.id} className="min-w-0 rounded-lg border border-line-2 p-3">
          <legend className="sr-only">Destination {index + 1}</legend>
          <div className="mb-2 flex min-h-6 items-center">
            <span className="flex-1 text-12 font-medium text-fg-3" aria-hidden>
              Destination {index + 1}
            </span>
            <Button size="sm" variant="ghost" icon={X} onClick={() => remove(index)}>
              Remove destination {index + 1}
            </Button>
          </div>
          <div className="grid gap-3">
            <AddressFields control={control} at={`destinations.${index}.`} />
            <OwnHeaders control={control} at={`destinations.${index}.`} />
            <details>
              <summary className="cursor-default text-12 font-medium text-fg-2">
                Custom body, filter, retries, limits
              </summary>
              <div className="grid gap-3 pt-2">
                <MessageFields control={control} at={`destinations.${index}.`} events={events} triggerId={undefined} />
              </div>
            </details>
          </div>
        </fieldset>
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          icon={Plus}
          reason={
            fields.length >= DESTINATIONS_PER_TRIGGER ? `At most ${DESTINATIONS_PER_TRIGGER} destinations.` : undefined
          }
          onClick={() => append(newDestination)}
        >
          Add destination
        </Button>
        {fields.length > 0 ? (
          <span className="min-w-0 flex-1 basis-64 text-12 text-fg-3">
            Each gets a signing secret. It is shown once for a destination added to an existing trigger; for one created
            here, rotate it to see a new one.
          </span>
        ) : null}
      </div>
    </div>
  );
}
