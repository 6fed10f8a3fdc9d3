import { useWatch } from 'react-hook-form';
import { CheckboxField, RadioCardsField, SelectField, TextField } from '../../../forms/fields.tsx';
import { EventTypeRows } from './EventTypeRows.tsx';
import type { FormPart } from './form-control.ts';
import { RegistrationFields } from './RegistrationFields.tsx';

type Part = Pick<FormPart, 'control'>;

const KINDS = [
  { value: 'hmac', label: 'HMAC of what it sends' },
  { value: 'standard', label: 'Standard Webhooks' },
  { value: 'token', label: 'A shared token' },
];
const ALGORITHMS = ['sha1', 'sha256', 'sha512'].map((value) => ({ value, label: value.toUpperCase() }));
const ENCODINGS = [
  { value: 'hex', label: 'hexadecimal' },
  { value: 'base64', label: 'base64' },
];
const SECRETS = [
  { value: 'ours', title: 'Made here', description: 'Entered in the app, or given to its API.' },
  { value: 'theirs', title: 'Shown by the app', description: 'Entered with each trigger, or handed out by its API.' },
] as const;
const PLACES = [
  { value: 'none', label: 'nowhere' },
  { value: 'header', label: 'in a header' },
  { value: 'body', label: 'in the body' },
];
const HANDSHAKES = [
  { value: 'none', label: 'No verification' },
  { value: 'challenge', label: 'A body with a text to send back' },
  { value: 'query', label: 'A GET with a text to send back' },
];

/** What it sends to addresses of triggers: how it is verified, identified and stored once. */
export function EventsPart({ control }: Part) {
  const [on, registers] = useWatch({ control, name: ['events.on', 'events.registers'] });
  return (
    <>
      <CheckboxField
        control={control}
        name="events.on"
        label="It sends webhooks"
        help="Triggers can then listen to it: each gets an address, and what comes is verified as you say here."
      />
      {on ? (
        <>
          <SignatureFields control={control} />
          <RadioCardsField
            control={control}
            name="events.secret"
            label="The secret it signs with is"
            options={SECRETS}
          />
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
            help="What comes again with an id is stored once."
          />
          <HandshakeFields control={control} />
          <EventTypeRows control={control} />
          <CheckboxField
            control={control}
            name="events.registers"
            label="Register webhooks through its API"
            help="A trigger with a connection then registers itself, and takes itself away."
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
          <TextField control={control} name="events.signature.header" label="In the header" mono />
        )}
      </div>
      {kind === 'hmac' ? (
        <>
          <div className="grid items-start gap-4 sm:grid-cols-3">
            <SelectField control={control} name="events.signature.algorithm" label="Algorithm" options={ALGORITHMS} />
            <SelectField control={control} name="events.signature.encoding" label="Written in" options={ENCODINGS} />
            <TextField
              control={control}
              name="events.signature.prefix"
              label="After the prefix"
              optional
              mono
              placeholder="sha256="
            />
          </div>
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <TextField
              control={control}
              name="events.signature.signed"
              label="What is signed"
              mono
              help="{body}, and {timestamp} where a header has the time."
            />
            <TextField
              control={control}
              name="events.signature.timestamp_header"
              label="Header with the time"
              optional
              mono
              placeholder="X-Timestamp"
              help="Seconds since 1970; older than five minutes is refused."
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
        <SelectField
          control={control}
          name="events.handshake.kind"
          label="It makes sure of an address by"
          options={HANDSHAKES}
        />
        {kind === 'query' ? (
          <TextField control={control} name="events.handshake.name" label="Query parameter" mono />
        ) : null}
        {kind === 'challenge' ? (
          <TextField
            control={control}
            name="events.handshake.reply"
            label="Text to send back"
            mono
            help="Its path in the body."
          />
        ) : null}
      </div>
      {kind === 'challenge' ? (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField control={control} name="events.handshake.when.path" label="In a body where" mono />
          <TextField control={control} name="events.handshake.when.equals" label="Is" mono />
        </div>
      ) : null}
    </>
  );
}
