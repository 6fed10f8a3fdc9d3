import { useWatch } from 'react-hook-form';
import { CheckboxField, RadioCardsField, SelectField, TextField } from '../../../forms/fields.tsx';
import { EventTypeRows } from './EventTypeRows.tsx';
import type { FormPart } from './form-control.ts';
import { RegistrationFields } from './RegistrationFields.tsx';

type Part = Pick<FormPart, 'control'>;

const KINDS = [
  { value: 'hmac', label: 'HMAC signature' },
  { value: 'standard', label: 'Standard Webhooks' },
  { value: 'token', label: 'Shared token' },
];
const ALGORITHMS = ['sha1', 'sha256', 'sha512'].map((value) => ({ value, label: value.toUpperCase() }));
const ENCODINGS = [
  { value: 'hex', label: 'hexadecimal' },
  { value: 'base64', label: 'base64' },
];
const SECRETS = [
  { value: 'ours', title: 'Generated here', description: 'Entered in the app, or passed to its API.' },
  { value: 'theirs', title: 'Shown by the app', description: 'Entered with each trigger, or returned by its API.' },
] as const;
const PLACES = [
  { value: 'none', label: 'None' },
  { value: 'header', label: 'Header' },
  { value: 'body', label: 'Body' },
];
const HANDSHAKES = [
  { value: 'none', label: 'No verification' },
  { value: 'challenge', label: 'Body with a challenge to return' },
  { value: 'query', label: 'GET with a challenge to return' },
];

/** The app's webhooks: signature verification, event type, event ID and registration. */
export function EventsPart({ control }: Part) {
  const [on, registers] = useWatch({ control, name: ['events.on', 'events.registers'] });
  return (
    <>
      <CheckboxField
        control={control}
        name="events.on"
        label="Sends webhooks"
        help="Makes the app a trigger source. Each trigger gets a webhook URL, and requests are verified as configured here."
      />
      {on ? (
        <>
          <SignatureFields control={control} />
          <RadioCardsField control={control} name="events.secret" label="Signing secret" options={SECRETS} />
          <PlaceFields
            control={control}
            name="events.name"
            label="Event type location"
            help="Distinguishes event types."
          />
          <PlaceFields
            control={control}
            name="events.id"
            label="Event ID location"
            help="Events with the same ID are stored once."
          />
          <HandshakeFields control={control} />
          <EventTypeRows control={control} />
          <CheckboxField
            control={control}
            name="events.registers"
            label="Register webhooks through its API"
            help="The webhook of a trigger with a connection is registered and removed automatically."
          />
          {registers ? <RegistrationFields control={control} /> : null}
        </>
      ) : null}
    </>
  );
}

function SignatureFields({ control }: Part) {
  const kind = useWatch({ control, name: 'events.signature.kind' });
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField control={control} name="events.signature.kind" label="Verification" options={KINDS} />
        {kind === 'standard' ? null : (
          <TextField control={control} name="events.signature.header" label="Verification header" mono />
        )}
      </div>
      {kind === 'hmac' ? (
        <>
          <div className="grid items-start gap-4 sm:grid-cols-3">
            <SelectField control={control} name="events.signature.algorithm" label="Algorithm" options={ALGORITHMS} />
            <SelectField control={control} name="events.signature.encoding" label="Encoding" options={ENCODINGS} />
            <TextField
              control={control}
              name="events.signature.prefix"
              label="Prefix"
              optional
              mono
              placeholder="sha256="
            />
          </div>
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <TextField
              control={control}
              name="events.signature.signed"
              label="Signed content"
              mono
              help="{body}, and {timestamp} if a header has the time."
            />
            <TextField
              control={control}
              name="events.signature.timestamp_header"
              label="Timestamp header"
              optional
              mono
              placeholder="X-Timestamp"
              help="Unix time in seconds; requests older than five minutes are rejected."
            />
          </div>
        </>
      ) : null}
    </>
  );
}

interface PlaceFieldsProps extends Part {
  readonly name: 'events.name' | 'events.id';
  readonly label: string;
  readonly help: string;
}

function PlaceFields({ control, name, label, help }: PlaceFieldsProps) {
  const where = useWatch({ control, name: `${name}.in` });
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <SelectField control={control} name={`${name}.in`} label={label} options={PLACES} help={help} />
      <TextField
        control={control}
        name={`${name}.at`}
        label={where === 'header' ? 'Header' : 'Path'}
        optional={where === 'none'}
        disabled={where === 'none'}
        mono
        placeholder={where === 'header' ? 'X-Event' : 'data.type'}
      />
    </div>
  );
}

function HandshakeFields({ control }: Part) {
  const kind = useWatch({ control, name: 'events.handshake.kind' });
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField control={control} name="events.handshake.kind" label="URL verification" options={HANDSHAKES} />
        {kind === 'query' ? (
          <TextField control={control} name="events.handshake.name" label="Query parameter" mono />
        ) : null}
        {kind === 'challenge' ? (
          <TextField
            control={control}
            name="events.handshake.reply"
            label="Challenge"
            mono
            help="Path of the value to return."
          />
        ) : null}
      </div>
      {kind === 'challenge' ? (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField control={control} name="events.handshake.when.path" label="Condition field" mono />
          <TextField control={control} name="events.handshake.when.equals" label="Equals" mono />
        </div>
      ) : null}
    </>
  );
}
