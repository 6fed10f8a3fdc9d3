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
  { value: 'utf8', label: 'Text' },
  { value: 'hex', label: 'Hexadecimal' },
  { value: 'base64', label: 'Base64' },
];
const STYLES = [
  { value: 'none', label: 'Sent with every call' },
  { value: 'rfc7523', label: 'Exchange for access token (JWT bearer)' },
  { value: 'bearer', label: 'Exchange for access token (bearer of an empty POST)' },
];

/** The fields of a signed token: claims, key, and how the token is used. */
export function JwtFields({ control, setValue }: FormPart) {
  const [algorithm, style, template] = useWatch({
    control,
    name: ['JWT.algorithm', 'JWT.exchange.style', 'JWT.place.template'],
  });
  const setStyle = (next: Style) => {
    setValue('JWT.exchange.style', next, { shouldDirty: true });
    // the token in the header has another placeholder now
    const token = next === 'none' ? '{token}' : '{access_token}';
    setValue('JWT.place.template', template.replace(/\{(?:access_)?token\}/, token), { shouldDirty: true });
  };
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField control={control} name="JWT.algorithm" label="Algorithm" options={ALGORITHMS} />
        {algorithm === 'HS256' ? (
          <SelectField control={control} name="JWT.key_encoding" label="Secret encoding" options={ENCODINGS} />
        ) : null}
        <TextField
          control={control}
          name="JWT.lives_seconds"
          label="Lifetime (seconds)"
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
          help="One per line, besides iat and exp. Users enter the value of a placeholder in braces when connecting."
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
          help="One per line, besides alg and typ."
        />
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Signed token">
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
          label="Token URL"
          mono
          inputMode="url"
          placeholder="https://auth.example.com/token"
        />
      )}
      <PlaceFields control={control} name="JWT.place" token={style === 'none' ? '{token}' : '{access_token}'} />
    </>
  );
}
