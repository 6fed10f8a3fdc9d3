import type { FieldPath, FieldValues } from 'react-hook-form';
import { TextAreaField } from '../../forms/fields.tsx';
import type { DestinationFieldsProps } from './AddressFields.tsx';

/** What is sent instead of the event as it is. */
export function TemplateField<In extends FieldValues, Out>({ control, at, readOnly }: DestinationFieldsProps<In, Out>) {
  return (
    <TextAreaField
      control={control}
      name={`${at}body_template` as FieldPath<In>}
      label="Body template"
      optional
      mono
      rows={4}
      readOnly={readOnly}
      placeholder={'{ "due": {{ payload.data.amount_due }}, "from": "{{ trigger_name }}" }'}
      help={
        <>
          Empty sends the whole event as JSON. A template puts in <code>{'{{ payload }}'}</code>,{' '}
          <code>{'{{ payload.a.b }}'}</code>, <code>{'{{ event_id }}'}</code>, <code>{'{{ event_type }}'}</code>,{' '}
          <code>{'{{ source }}'}</code>, <code>{'{{ trigger_id }}'}</code>, <code>{'{{ trigger_name }}'}</code> and{' '}
          <code>{'{{ received_at }}'}</code>: as text between quotes, as JSON elsewhere.
        </>
      }
    />
  );
}
