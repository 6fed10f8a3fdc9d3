import { Rocket } from 'lucide-react';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { RUNTIMES } from '../../../../contract/states.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { SETTLED } from '../../../components/UnsavedChanges.tsx';
import { SentError } from '../../../forms/Form.tsx';
import { SelectField, TextField } from '../../../forms/fields.tsx';
import { useSchemaForm } from '../../../forms/use-schema-form.ts';
import { useHotkey } from '../../../hooks/use-hotkey.ts';
import type { Handle } from '../../../layouts/handle.ts';
import { path } from '../../../lib/path.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { filesQuery, functionQuery } from '../function-queries.ts';
import { LANGUAGES } from '../languages.ts';
import { descriptionField, nameField } from '../settings/function-settings.ts';
import { publicVersionsText } from '../settings/settings-impact.ts';
import { CodeWorkspace } from './CodeWorkspace.tsx';
import { changesOf, type Files, mainFile } from './draft.ts';
import { NAME_HELP } from './name-help.ts';
import { UnsavedGuard } from './UnsavedGuard.tsx';

export const handle: Handle = { crumb: 'New' };

const schema = z.object({
  name: nameField,
  description: descriptionField,
  runtime: z.enum(RUNTIMES),
  visibility: z.enum(['PRIVATE', 'UNLISTED', 'PUBLIC']),
  handler: z
    .string()
    .check(z.trim(), z.regex(/^[^\s]+\.[A-Za-z_$][\w$]*$/, 'Enter file.export, such as src/index.default.')),
});
type Values = z.infer<typeof schema>;

const RUNTIME_OPTIONS = RUNTIMES.map((value) => ({ value, label: value }));
const VISIBILITIES = [
  { value: 'PRIVATE', label: 'Private' },
  { value: 'UNLISTED', label: 'Unlisted' },
  { value: 'PUBLIC', label: 'Public' },
];
const defaults = { file: '' };

const bodyOf = (values: Values, files: Files) => ({ ...values, files });

/** Creates a function in the browser: settings, code, and the deploy of its first version. */
export function Component() {
  const form = useSchemaForm(schema, {
    name: '',
    description: '',
    runtime: RUNTIMES[0] as Values['runtime'],
    visibility: 'PRIVATE' as const,
    handler: LANGUAGES[RUNTIMES[0]].handler,
  });
  const runtime = useWatch({ control: form.control, name: 'runtime' });
  const visibility: string = useWatch({ control: form.control, name: 'visibility' });
  const starter = LANGUAGES[runtime];
  // The initial code follows the runtime until it is edited.
  const [edited, setEdited] = useState<Files>();
  const files = edited ?? starter.files;
  const onRuntime = () => {
    const isUntouched = Object.values(LANGUAGES).some(({ handler }) => handler === form.getValues('handler'));
    if (isUntouched) form.setValue('handler', LANGUAGES[form.getValues('runtime')].handler);
  };
  const [url, setUrl] = useUrlState(defaults);
  const reason = useReason('functionCreate');
  const navigate = useNavigate();
  const create = useApiMutation('functionCreate', {
    failure: 'inline',
    invalidates: ['functionList', 'functionSearch'],
    onSuccess: async ({ function: fn }, { body }) => {
      const handler = form.getValues('handler');
      queryClient.setQueryData(functionQuery(fn.function_id).queryKey, { function: fn });
      queryClient.setQueryData(filesQuery(fn.function_id).queryKey, { version: 1, handler, files: body.files });
      toast({ title: `${fn.name} is deployed`, description: fn.url, tone: 'ok' });
      await navigate(`${path.function(fn.function_id)}?test=on`, { replace: true, state: SETTLED });
    },
  });
  const deploy = form.handleSubmit((values) => {
    if (!reason && !create.isPending) create.mutate({ body: bodyOf(values, files) });
  });
  useHotkey('mod+s', () => void deploy());

  const problems = create.error?.problems ?? [];
  const { isDirty } = form.formState;
  const unsaved = isDirty || changesOf(starter.files, files).size > 0;
  return (
    <>
      <form noValidate aria-label="New function" onSubmit={(event) => void deploy(event)} className="flex-none">
        <PageHead
          title="New function"
          actions={
            <>
              <CopyAsCurl
                text={() => curlText('functionCreate', { body: bodyOf(form.getValues(), files) })}
                what="create this function"
              />
              <Button
                type="submit"
                variant="primary"
                icon={Rocket}
                pending={create.isPending}
                reason={reason}
                kbd="mod+s"
              >
                Deploy
              </Button>
            </>
          }
        >
          <div className="grid grid-cols-[minmax(140px,1fr)_minmax(160px,2fr)_120px_120px_180px] items-start gap-3 border-b border-line px-4 pb-3 max-lg:grid-cols-2 max-sm:grid-cols-1 max-sm:px-3">
            <TextField control={form.control} name="name" label="Name" autoFocus help={NAME_HELP} />
            <TextField control={form.control} name="description" label="Description" optional />
            <SelectField
              control={form.control}
              name="runtime"
              label="Runtime"
              options={RUNTIME_OPTIONS}
              mono
              onChosen={onRuntime}
            />
            <SelectField
              control={form.control}
              name="visibility"
              label="Visibility"
              options={VISIBILITIES}
              help={visibility === 'PUBLIC' ? publicVersionsText(1, 1) : undefined}
            />
            <TextField control={form.control} name="handler" label="Handler" mono />
          </div>
        </PageHead>
        {create.error && problems.length === 0 ? (
          <div className="border-b border-line px-4 py-2">
            <SentError error={create.error} />
          </div>
        ) : null}
      </form>
      <CodeWorkspace
        scope="new"
        files={files}
        file={files[url.file] === undefined ? mainFile(files, starter.handler) : url.file}
        onOpen={(file) => setUrl({ file })}
        onChange={setEdited}
        problems={problems}
        onSave={() => void deploy()}
      />
      <UnsavedGuard unsaved={unsaved ? 'This new function' : undefined} />
    </>
  );
}
