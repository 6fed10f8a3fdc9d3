import { useQuery } from '@tanstack/react-query';
import type { Control, FieldValues } from 'react-hook-form';
import { q } from '../../../api/queries.ts';
import { Link } from '../../../components/Link.tsx';
import { SchemaFields } from '../../../forms/SchemaFields.tsx';
import type { SchemaField } from '../../../forms/schema-fields.ts';
import { path } from '../../../lib/path.ts';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';

export interface SearchFieldProps<In extends FieldValues, Out> {
  readonly control: Control<In, unknown, Out>;
  readonly fields: readonly SchemaField[];
  readonly readOnly?: boolean | undefined;
}

/** The saved search that a trigger of `code.matched` watches, chosen by name. */
export function SearchField<In extends FieldValues, Out>({ control, fields, readOnly }: SearchFieldProps<In, Out>) {
  const { data, isPending } = useQuery(q('savedSearchList'));
  if (isPending) return <SkeletonLines lines={1} label="Loading saved searches" />;
  const choices = (data?.saved_searches ?? [])
    .filter(({ is_code }) => is_code)
    .map(({ saved_search_id, name }) => ({ value: saved_search_id, label: name, given: saved_search_id }));
  if (choices.length === 0)
    return (
      <p className="text-fg-2">
        Save a search of code first, in the{' '}
        <Link className="link underline underline-offset-2" to={path.functionSearch()}>
          search of functions
        </Link>
        .
      </p>
    );
  const named = fields.map((field): SchemaField => ({ ...field, kind: 'choice', choices, help: undefined }));
  return <SchemaFields control={control} name="parameters" fields={named} readOnly={readOnly} />;
}
