import { type FieldPath, type FieldValues, useWatch } from 'react-hook-form';
import { SelectField, TextField } from '../../../../forms/fields.tsx';
import type { DestinationFieldsProps } from './AddressFields.tsx';
import { TemplateField, type TemplateFieldProps } from './TemplateField.tsx';

const SOURCES = [
  { value: 'EVENT', label: 'The event, or a template' },
  { value: 'ORIGINAL', label: 'The original body, unchanged' },
];

/** The body: the event, a template, or the source's original bytes. */
export function BodyFields<In extends FieldValues, Out>(props: TemplateFieldProps<In, Out>) {
  const { control, at, readOnly } = props;
  const name = `${at}body_source` as FieldPath<In>;
  const isOriginal = useWatch({ control, name }) === 'ORIGINAL';
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
