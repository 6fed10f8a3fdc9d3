import { useWatch } from 'react-hook-form';
import { SelectField, TextAreaField, TextField } from '../../../forms/fields.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import type { FormPart } from './form-control.ts';
import { PlaceFields } from './PlaceFields.tsx';
import type { AppValues } from './values.ts';

type Style = AppValues['JWT']['exchange']['style'];

const ALGORITHMS = [
  { value: 'RS256', label: 'RS256: an RSA key in PEM' },
  { value: 'ES256', label: 'ES256: an EC key in PEM' },
  { value: 'HS256', label: 'HS256: a shared secret' },
];
const ENCODINGS = [
  { value: 'utf8', label: 'as text' },
  { value: 'hex', label: 'in hexadecimal' },
  { value: 'base64', label: 'in base64' },
];
const STYLES = [
  { value: 'none', label: 'Is sent with every call' },
  { value: 'rfc7523', label: 'Exchange for access token (JWT bearer)' },
  { value: 'bearer', label: 'Buys one as bearer of an empty POST' },
];

/** What is signed, with which key, and what becomes of it. */
export function JwtFields({ control, setValue }: FormPart) {
  const [algorithm, style, template] = useWatch({
    control,
    name: ['JWT.algorithm', 'JWT.exchange.style', 'JWT.place.template'],
  });
  const setStyle = (next: Style) => {
    setValue('JWT.exchange.style', next, { shouldDirty: true });
    // the value that is sent is another one now
    const token = next === 'none' ? '{token}' : '{access_token}';
    setValue('JWT.place.template', template.replace(/\{(?:access_)?token\}/, token), { shouldDirty: true });
  };
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField control={control} name="JWT.algorithm" label="Signed with" options={ALGORITHMS} />
        {algorithm === 'HS256' ? (
          <SelectField control={control} name="JWT.key_encoding" label="The secret is given" options={ENCODINGS} />
        ) : null}
        <TextField
          control={control}
          name="JWT.lives_seconds"
          label="Lives for (seconds)"
          mono
          inputMode="numeric"
          className="max-w-52"
        />
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextAreaField
          control={control}
          name="JWT.claims"
          label="Claims"
          optional
          mono
          rows={3}
          spellCheck={false}
          placeholder={'iss: {issuer}\naud: https://api.example.com'}
          help="One a line, beside iat and exp. A name in braces is asked for."
        />
        <TextAreaField
          control={control}
          name="JWT.header"
          label="Header"
          optional
          mono
          rows={3}
          spellCheck={false}
          placeholder="kid: {key_id}"
          help="One a line, beside alg and typ."
        />
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="The signed token">
          <Select options={STYLES} value={style} onChange={(event) => setStyle(event.target.value as Style)} />
        </Field>
        {style === 'rfc7523' ? (
          <TextField control={control} name="JWT.exchange.scopes" label="Scopes" optional mono />
        ) : null}
      </div>
      {style === 'none' ? null : (
        <TextField
          control={control}
          name="JWT.exchange.url"
          label="Token address"
          mono
          inputMode="url"
          placeholder="https://auth.example.com/token"
        />
      )}
      <PlaceFields control={control} name="JWT.place" token={style === 'none' ? '{token}' : '{access_token}'} />
    </>
  );
}
