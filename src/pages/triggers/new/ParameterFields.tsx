import type { Control, FieldValues } from 'react-hook-form';
import { SchemaFields } from '../../../forms/SchemaFields.tsx';
import type { SchemaField } from '../../../forms/schema-fields.ts';
import { ScheduleFields } from './ScheduleFields.tsx';
import { SearchField } from './SearchField.tsx';

export interface ParameterFieldsProps<In extends FieldValues, Out> {
  readonly control: Control<In, unknown, Out>;
  readonly source: string;
  readonly fields: readonly SchemaField[];
  readonly readOnly?: boolean | undefined;
}

/** The parameters of an event type; schedules have their own form. */
export function ParameterFields<In extends FieldValues, Out>(props: ParameterFieldsProps<In, Out>) {
  const { control, source, fields, readOnly } = props;
  if (source === 'schedule') return <ScheduleFields control={control} readOnly={readOnly} />;
  if (source === 'sluice' && fields.some(({ name }) => name === 'search_id'))
    return <SearchField control={control} fields={fields} readOnly={readOnly} />;
  if (fields.length === 0) return <p className="text-fg-2">No parameters.</p>;
  return <SchemaFields control={control} name="parameters" fields={fields} readOnly={readOnly} />;
}
