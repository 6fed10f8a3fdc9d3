import { useWatch } from 'react-hook-form';
import { CheckboxField, TextAreaField, TextField } from '../../../forms/fields.tsx';
import type { FormPart } from './form-control.ts';

/** The API calls that create, list and delete a webhook registration. */
export function RegistrationFields({ control }: Pick<FormPart, 'control'>) {
  const secret = useWatch({ control, name: 'events.secret' });
  const at = { control, mono: true } as const;
  return (
    <fieldset className="grid min-w-0 gap-3 rounded-lg border border-line-2 p-3">
      <legend className="px-1 text-12 font-medium text-fg-2">Webhook registration calls</legend>
      <TextField
        {...at}
        name="events.registration.add.path"
        label="Create path (POST)"
        help="Relative to the base URL."
      />
      <TextAreaField
        {...at}
        name="events.registration.add.body"
        label="Request body"
        rows={5}
        spellCheck={false}
        help={
          secret === 'ours'
            ? 'JSON. {url} is the webhook URL, {secret} the signing secret, {events} the list of event names, {event} the first one.'
            : 'JSON. {url} is the webhook URL, {events} the list of event names, {event} the first one.'
        }
      />
      <CheckboxField control={control} name="events.registration.add.form" label="Send as a form instead of JSON" />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField {...at} name="events.registration.id" label="ID in the response" />
        {secret === 'theirs' ? (
          <TextField
            {...at}
            name="events.registration.secret"
            label="Secret in the response"
            optional
            help="If the app returns one."
          />
        ) : null}
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField {...at} name="events.registration.list.path" label="List path (GET)" />
        <TextField
          {...at}
          name="events.registration.list.items"
          label="List in the response"
          optional
          help="Leave empty if the response is the list."
        />
        <TextField {...at} name="events.registration.list.id" label="ID in an item" />
        <TextField {...at} name="events.registration.list.url" label="URL in an item" />
      </div>
      <TextField
        {...at}
        name="events.registration.remove.path"
        label="Delete path (DELETE)"
        help="{id} is the ID of the webhook."
      />
    </fieldset>
  );
}
