import { Plus, X } from 'lucide-react';
import { useFieldArray, useFormState, useWatch } from 'react-hook-form';
import { TextAreaField, TextField } from '../../../forms/fields.tsx';
import { useFormField } from '../../../forms/form-fields.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { newEventType } from './event-values.ts';
import type { FormPart } from './form-control.ts';

/** The limit of the API. */
const TYPES_MAX = 100;

/** The event types, each with a sample payload. */
export function EventTypeRows({ control }: Pick<FormPart, 'control'>) {
  useFormField('events.types');
  const { fields, append, remove } = useFieldArray({ control, name: 'events.types' });
  const registers = useWatch({ control, name: 'events.registers' });
  const wrong = useFormState({ control, name: 'events.types' }).errors.events?.types;
  const problem = wrong?.root?.message ?? wrong?.message;
  return (
    <fieldset className="grid min-w-0 gap-3" aria-describedby={problem ? 'types-error' : undefined}>
      <legend className="mb-1 text-12 font-medium text-fg-2">Event types</legend>
      {fields.map((field, index) => (
        <fieldset key={field.id} className="min-w-0 rounded-lg border border-line-2 p-3">
          <legend className="sr-only">Event type {index + 1}</legend>
          <div className="mb-2 flex min-h-6 items-center">
            <span className="flex-1 text-12 font-medium text-fg-3" aria-hidden>
              Event type {index + 1}
            </span>
            <Button size="sm" variant="ghost" icon={X} onClick={() => remove(index)}>
              Remove event type {index + 1}
            </Button>
          </div>
          <div className="grid gap-3">
            <div className="grid items-start gap-4 sm:grid-cols-2">
              <TextField
                control={control}
                name={`events.types.${index}.event_type`}
                label="Event type"
                mono
                placeholder="order.paid"
                help="As the app names it. A prefix matches all types below it; * matches everything."
              />
              <TextField
                control={control}
                name={`events.types.${index}.description`}
                label="Description"
                optional
                maxLength={500}
                placeholder="An order was paid."
              />
            </div>
            <TextAreaField
              control={control}
              name={`events.types.${index}.sample`}
              label="Sample payload"
              mono
              rows={4}
              spellCheck={false}
              help="A body as the app sends it, used for test events and template previews."
            />
            {registers ? (
              <TextField
                control={control}
                name={`events.types.${index}.api_names`}
                label="Name in the API"
                optional
                mono
                placeholder="ORDER_PAID"
                help="If different; separate several with spaces."
              />
            ) : null}
          </div>
        </fieldset>
      ))}
      {problem ? (
        <p id="types-error" role="alert" className="text-12 text-bad-fg">
          {problem}
        </p>
      ) : null}
      <div>
        <Button
          icon={Plus}
          reason={fields.length >= TYPES_MAX ? `At most ${TYPES_MAX} event types.` : undefined}
          onClick={() => append(newEventType())}
        >
          Add event type
        </Button>
      </div>
    </fieldset>
  );
}
