import { FilePlus2 } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod/mini';
import { RUNTIMES } from '../../../../contract/states.ts';
import type { Destination, HostedFunction } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { Link } from '../../../components/Link.tsx';
import { Form } from '../../../forms/Form.tsx';
import { SelectField, TextField } from '../../../forms/fields.tsx';
import { useSchemaForm } from '../../../forms/use-schema-form.ts';
import { path } from '../../../lib/path.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { functionQuery } from '../function-queries.ts';
import { nameField } from '../settings/function-settings.ts';
import { STARTERS } from './starters.ts';
import { destinationQuery, functionsQuery, type Place } from './transform-queries.ts';

const schema = z.object({ name: nameField, runtime: z.enum(RUNTIMES) });
const RUNTIME_OPTIONS = RUNTIMES.map((value) => ({ value, label: value }));

interface ChooseFunctionProps {
  readonly place: Place;
  readonly destination: Destination;
  readonly functions: readonly HostedFunction[];
  /** The function of the destination was deleted. */
  readonly isDeleted: boolean;
  readonly onChoose: (function_id: string) => void;
}

/** Creates a function from a starter for the destination, or chooses one of the account. */
export function ChooseFunction({ place, destination, functions, isDeleted, onChoose }: ChooseFunctionProps) {
  const [chosen, setChosen] = useState('');
  const reason = useReason('functionCreate');
  const form = useSchemaForm(schema, { name: `Transform for ${destination.name}`.slice(0, 100), runtime: RUNTIMES[0] });
  const use = useApiMutation('destinationUpdate', {
    failure: 'inline',
    invalidates: ['triggerGet'],
    onSuccess: (reply) =>
      queryClient.setQueryData(destinationQuery(place.trigger_id, place.destination_id).queryKey, reply),
  });
  const create = useApiMutation('functionCreate', {
    failure: 'inline',
    invalidates: ['functionList', 'functionSearch'],
    onSuccess: async ({ function: fn }) => {
      queryClient.setQueryData(functionQuery(fn.function_id).queryKey, { function: fn });
      queryClient.setQueryData(functionsQuery.queryKey, (was) => was && { ...was, functions: [fn, ...was.functions] });
      await use.mutateAsync({ params: place, body: { transform: { function_id: fn.function_id } } });
      onChoose(fn.function_id);
    },
  });
  return (
    <>
      <PageHead
        title="Transform events"
        meta={
          <Link
            className="link inline-flex min-h-6 items-center"
            to={path.destination(place.trigger_id, place.destination_id)}
          >
            {destination.name}
          </Link>
        }
      />
      {isDeleted ? (
        <Banner tone="bad">
          The function of this destination was deleted: its deliveries fail until you choose another.
        </Banner>
      ) : null}
      <div className="grid max-w-4xl grid-cols-2 gap-x-8 gap-y-6 overflow-y-auto border-t border-line px-4 py-4 max-md:grid-cols-1 max-sm:px-3">
        <p className="col-span-full max-w-[70ch] text-fg-2">
          A function turns each event into the request: method, path, headers and body, or nothing to skip it. It has
          one second. The request is signed afterwards.
        </p>
        <section aria-labelledby="create-function">
          <h2 id="create-function" className="mb-2 text-14">
            Create a function
          </h2>
          <Form
            form={form}
            onSubmit={({ name, runtime }) => create.mutate({ body: { name, runtime, ...STARTERS[runtime] } })}
            submitError={create.error ?? use.error}
            loading={create.isPending}
            submitLabel="Create and edit"
            submitReason={reason}
            note="Its starter changes nothing, so deliveries continue as before."
          >
            <TextField control={form.control} name="name" label="Name" autoFocus />
            <SelectField control={form.control} name="runtime" label="Runtime" options={RUNTIME_OPTIONS} mono />
          </Form>
        </section>
        <section aria-labelledby="choose-function">
          <h2 id="choose-function" className="mb-2 text-14">
            Choose a function
          </h2>
          {functions.length === 0 ? (
            <p className="text-fg-2">This account has no function yet.</p>
          ) : (
            <>
              <Field label="Function" help="You can test it with events before the destination uses it.">
                <Select
                  value={chosen}
                  placeholder="Select a function"
                  options={functions.map(({ function_id, name }) => ({ value: function_id, label: name }))}
                  onChange={({ target }) => setChosen(target.value)}
                />
              </Field>
              <div className="mt-3">
                <Button
                  icon={FilePlus2}
                  reason={chosen === '' ? 'Select a function first.' : undefined}
                  onClick={() => onChoose(chosen)}
                >
                  Open
                </Button>
              </div>
            </>
          )}
        </section>
      </div>
    </>
  );
}
