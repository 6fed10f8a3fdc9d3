import { useWatch } from 'react-hook-form';
import { CheckboxField, RadioCardsField, SelectField, TextAreaField, TextField } from '../../../forms/fields.tsx';
import type { FormPart } from './form-control.ts';
import { PlaceFields } from './PlaceFields.tsx';

const SIGNATURES = ['HMAC-SHA1', 'HMAC-SHA256', 'PLAINTEXT'].map((value) => ({ value, label: value }));

/** The three URLs of RFC 5849 and the signature method. */
export function OAuth1Fields({ control }: FormPart) {
  const address = { control, mono: true, inputMode: 'url' } as const;
  return (
    <>
      <TextField {...address} name="OAUTH1.request_url" label="Request token URL" />
      <TextField {...address} name="OAUTH1.authorize_url" label="Authorization URL" />
      <TextField {...address} name="OAUTH1.access_url" label="Access token URL" />
      <SelectField
        control={control}
        name="OAUTH1.signature"
        label="Signature"
        options={SIGNATURES}
        mono
        className="max-w-52"
      />
    </>
  );
}

const GRANTS = [
  {
    value: 'authorization_code',
    title: 'Authorization code',
    description: 'Users authorize on the app’s page, through a client that this account registers there once.',
  },
  {
    value: 'device_code',
    title: 'Device code',
    description: 'Users enter a code on the app’s page, in any browser, through a client of this account.',
  },
  {
    value: 'client_credentials',
    title: 'Client credentials',
    description: 'Each user enters their own client ID and secret.',
  },
  {
    value: 'token_exchange',
    title: 'Token exchange',
    description: 'Users enter a token of another issuer, which the app exchanges, through a client of this account.',
  },
] as const;
const CLIENT_AUTH = [
  { value: 'post', label: 'Form fields' },
  { value: 'basic', label: 'HTTP Basic' },
  { value: 'basic_raw', label: 'HTTP Basic, not form-encoded' },
  { value: 'json', label: 'HTTP Basic, with a JSON body' },
];
const SEPARATORS = [
  { value: ' ', label: 'spaces' },
  { value: ',', label: 'commas' },
];

/** The authorization URL, token URLs and scopes. */
export function OAuth2Fields({ control }: FormPart) {
  const grant = useWatch({ control, name: 'OAUTH2.grant' });
  const person = grant === 'authorization_code';
  const address = { control, mono: true, inputMode: 'url' } as const;
  const lines = { control, optional: true, mono: true, rows: 2, spellCheck: false } as const;
  return (
    <>
      <RadioCardsField control={control} name="OAUTH2.grant" label="Grant type" options={GRANTS} />
      {person ? <TextField {...address} name="OAUTH2.authorize_url" label="Authorization URL" /> : null}
      {grant === 'device_code' ? (
        <TextField {...address} name="OAUTH2.device_url" label="Device authorization URL" />
      ) : null}
      {grant === 'token_exchange' ? (
        <TextField {...address} name="OAUTH2.subject_token_type" label="Subject token type" />
      ) : null}
      <TextField {...address} name="OAUTH2.token_url" label="Token URL" />
      <TextField
        {...address}
        name="OAUTH2.refresh_url"
        label="Refresh URL"
        optional
        help="If different from the token URL."
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField control={control} name="OAUTH2.client_auth" label="Client authentication" options={CLIENT_AUTH} />
        <SelectField control={control} name="OAUTH2.scope_separator" label="Scope separator" options={SEPARATORS} />
      </div>
      <TextAreaField {...lines} name="OAUTH2.scopes" label="Scopes" placeholder="read write" help="Requested scopes." />
      {person ? (
        <CheckboxField
          control={control}
          name="OAUTH2.pkce"
          label="PKCE (S256)"
          help="Turn off only if the provider rejects it."
        />
      ) : null}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {person ? (
          <TextAreaField
            {...lines}
            name="OAUTH2.authorize_params"
            label="Extra authorization parameters"
            placeholder="access_type: offline"
            help="One per line."
          />
        ) : null}
        <TextAreaField
          {...lines}
          name="OAUTH2.token_params"
          label="Extra token parameters"
          placeholder="audience: api"
          help="One per line."
        />
      </div>
      <PlaceFields control={control} name="OAUTH2.place" token="{access_token}" />
    </>
  );
}
