import { useEffect } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import { useApiMutation } from '../../api/mutations.ts';
import { usePrefetchedQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { useReason } from '../../api/session.ts';
import { curlText } from '../../components/CopyAsCurl.tsx';
import { UnsavedChanges } from '../../components/UnsavedChanges.tsx';
import { Form } from '../../forms/Form.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { SegmentedControl } from '../../ui/SegmentedControl.tsx';
import { accountQuery, appsQuery } from './connection-queries.ts';
import { type CustomApp, customAppSchema, exampleOf, idFrom, newCustomApp, USUAL } from './custom-app.ts';

const PLACES = [
  { value: 'header', label: 'Header' },
  { value: 'query', label: 'Query' },
] as const;

export interface CustomAppFormProps {
  readonly onMade: (app: string) => void;
  readonly onCancel: () => void;
}

/** Describes an app: where it is and where its key goes. What results stands beside it. */
export function CustomAppForm({ onMade, onCancel }: CustomAppFormProps) {
  const form = useSchemaForm(customAppSchema, newCustomApp);
  const reason = useReason('appCreate');
  const create = useApiMutation('appCreate', {
    failure: 'inline',
    invalidates: ['appList'],
    onSuccess: ({ app }) => {
      queryClient.setQueryData(appsQuery.queryKey, (known) => known && { apps: [...known.apps, app] });
      onMade(app.app);
    },
  });
  const { control, setValue } = form;
  const { isDirty, dirtyFields } = form.formState;
  const [name, place] = useWatch({ control, name: ['name', 'methods.0.place.in'] });
  // the id follows the name until somebody writes it
  useEffect(() => {
    if (!dirtyFields.app) setValue('app', idFrom(name));
  }, [name, dirtyFields.app, setValue]);
  return (
    <section className="px-4 py-4 max-sm:px-3">
      <h2 className="text-14">Custom app</h2>
      <p className="mt-1 mb-4 text-fg-2">
        Any HTTP API that takes a key. It is then in the list of apps of this account; it can’t be changed afterwards.
      </p>
      <Form
        form={form}
        onSubmit={(body) => create.mutate({ body })}
        submitError={create.error}
        loading={create.isPending}
        submitLabel="Add app"
        submitReason={reason}
        onCancel={onCancel}
        curl={() => curlText('appCreate', { body: form.getValues() })}
      >
        <UnsavedChanges dirty={isDirty && !create.isSuccess} what="What you typed about this app" />
        <div className="grid grid-cols-2 items-start gap-4 max-sm:grid-cols-1">
          <TextField control={control} name="name" label="Name" autoFocus maxLength={100} placeholder="Order ledger" />
          <TextField control={control} name="app" label="Id" mono help="Stands in the gateway’s address." />
        </div>
        <TextField
          control={control}
          name="base_url"
          label="Base address"
          mono
          placeholder="https://api.example.com/v1"
          help="What a call adds comes after it. A part in braces, such as {shop}, is asked for with the key."
        />
        <div className="grid grid-cols-[max-content_minmax(0,1fr)_minmax(0,1.4fr)] items-start gap-4 max-sm:grid-cols-1">
          <div>
            <p aria-hidden className="mb-1 text-12 font-medium text-fg-2">
              Key goes in
            </p>
            <SegmentedControl
              label="Key goes in"
              options={PLACES}
              value={place}
              onChange={(value) =>
                setValue('methods.0.place', USUAL[value], { shouldDirty: true, shouldValidate: true })
              }
            />
          </div>
          <TextField control={control} name="methods.0.place.name" label="Called" mono />
          <TextField
            control={control}
            name="methods.0.place.template"
            label="With the value"
            mono
            help="{api_key} stands for the key."
          />
        </div>
        <Example control={control} />
      </Form>
    </section>
  );
}

function Example({ control }: { control: Control<CustomApp, unknown, CustomApp> }) {
  const { addresses } = usePrefetchedQuery(accountQuery).data.account;
  const { call, request } = exampleOf(useWatch({ control }) as CustomApp, addresses.base_url);
  return (
    <div className="grid gap-1.5">
      <p className="text-12 text-fg-3">A call of</p>
      <CodeBlock label="A call through the gateway" code={call} wrap />
      <p className="text-12 text-fg-3">reaches the app as</p>
      <CodeBlock label="The request the app gets" code={request} wrap />
    </div>
  );
}
