import { useWatch } from 'react-hook-form';
import { CheckboxField, TextAreaField, TextField } from '../../../forms/fields.tsx';
import type { FormPart } from './form-control.ts';

/** Which calls of its API add a webhook, find it again and take it away. */
export function RegistrationFields({ control }: Pick<FormPart, 'control'>) {
  const secret = useWatch({ control, name: 'events.secret' });
  const at = { control, mono: true } as const;
  return (
    <fieldset className="grid min-w-0 gap-3 rounded-lg border border-line-2 p-3">
      <legend className="px-1 text-12 font-medium text-fg-2">Calls that register an address</legend>
      <TextField {...at} name="events.registration.add.path" label="Add: POST to" help="Below the base address." />
      <TextAreaField
        {...at}
        name="events.registration.add.body"
        label="With the body"
        rows={5}
        spellCheck={false}
        help={
          secret === 'ours'
            ? 'JSON. {url} is the trigger’s address, {secret} what to sign with, {events} the list of its event’s names, {event} the first.'
            : 'JSON. {url} is the trigger’s address, {events} the list of its event’s names, {event} the first.'
        }
      />
      <CheckboxField control={control} name="events.registration.add.form" label="Send it as a form instead of JSON" />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField {...at} name="events.registration.id" label="Its answer has the id at" />
        {secret === 'theirs' ? (
          <TextField
            {...at}
            name="events.registration.secret"
            label="And the secret at"
            optional
            help="Where it hands one out."
          />
        ) : null}
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField {...at} name="events.registration.list.path" label="List: GET" />
        <TextField
          {...at}
          name="events.registration.list.items"
          label="Its answer has the list at"
          optional
          help="Empty where the answer is the list."
        />
        <TextField {...at} name="events.registration.list.id" label="Each has its id at" />
        <TextField {...at} name="events.registration.list.url" label="And its address at" />
      </div>
      <TextField
        {...at}
        name="events.registration.remove.path"
        label="Remove: DELETE"
        help="{id} is the id of the webhook."
      />
    </fieldset>
  );
}
