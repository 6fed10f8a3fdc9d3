import { type FieldPath, type FieldValues, useWatch } from 'react-hook-form';
import { isMailUrl } from '../../../../../contract/text/mail-url.ts';
import { SelectField, TextField } from '../../../../forms/fields.tsx';
import type { DestinationFieldsProps } from './AddressFields.tsx';
import { TemplateField, type TemplateFieldProps } from './TemplateField.tsx';

const SOURCES = [
  { value: 'EVENT', label: 'The event, or a template' },
  { value: 'ORIGINAL', label: 'The original body, unchanged' },
];

const FORMATS = [
  { value: 'JSON', label: 'JSON' },
  { value: 'FORM', label: 'Form' },
  { value: 'TEXT', label: 'Text' },
];
const FORMAT_HELP: Record<string, string | undefined> = {
  FORM: 'The template makes a JSON object. Each of its members is sent as a field of a form.',
  TEXT: 'Values are inserted as text.',
};

/** The body: the event, a template, or the source's original bytes. */
export function BodyFields<In extends FieldValues, Out>(props: TemplateFieldProps<In, Out>) {
  const { control, at, readOnly } = props;
  const name = `${at}body_source` as FieldPath<In>;
  const format = `${at}body_format` as FieldPath<In>;
  const [source, chosen, url] = useWatch({ control, name: [name, format, `${at}url` as FieldPath<In>] });
  const isOriginal = source === 'ORIGINAL';
  return (
    <>
      <SelectField
        control={control}
        name={name}
        label="Body"
        options={SOURCES}
        disabled={readOnly}
        help={
          isOriginal
            ? 'The bytes that the source sent, with their content type, so that the receiver can verify the source’s signature. An event without a request is sent as its payload.'
            : undefined
        }
      />
      {isOriginal || isMailUrl(String(url)) ? null : (
        <SelectField
          control={control}
          name={format}
          label="Format"
          options={FORMATS}
          disabled={readOnly}
          help={FORMAT_HELP[String(chosen)]}
        />
      )}
      {isOriginal ? null : <TemplateField {...props} />}
    </>
  );
}

/** Names of headers of the source's request that are sent on. */
export function ForwardHeadersField<In extends FieldValues, Out>(props: DestinationFieldsProps<In, Out>) {
  const { control, at, readOnly } = props;
  return (
    <TextField
      control={control}
      name={`${at}forward_headers` as FieldPath<In>}
      label="Forward headers"
      optional
      mono
      readOnly={readOnly}
      placeholder="X-GitHub-Event, X-Hub-Signature-256"
      help="Headers of the source’s request to send on, separated by commas. Credentials are never sent."
    />
  );
}
