import { Rocket } from 'lucide-react';
import { useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useLocation, useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { RUNTIMES } from '../../../../contract/states.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { StarterField } from '../../../components/starters/StarterField.tsx';
import type { Starter } from '../../../components/starters/starter.ts';
import { STARTERS, starterOf } from '../../../components/starters/starters.ts';
import { SETTLED } from '../../../components/UnsavedChanges.tsx';
import { SentError } from '../../../forms/Form.tsx';
import { SelectField, TextField } from '../../../forms/fields.tsx';
import { useSchemaForm } from '../../../forms/use-schema-form.ts';
import { useHotkey } from '../../../hooks/use-hotkey.ts';
import type { Handle } from '../../../layouts/handle.ts';
import { path } from '../../../lib/path.ts';
import { type SetUrlState, useUrlState } from '../../../lib/url-state.ts';
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
const defaults = { file: '', starter: '' };

const bodyOf = (values: Values, files: Files) => ({ ...values, files });

/** The code that another page sends with a link. */
const givenIn = (state: unknown): Starter | undefined => (state as { starter?: Starter } | null)?.starter;

/** The code of the new function: that of the chosen starter or of the runtime, until it is edited. */
function useStarter(
  form: UseFormReturn<Values>,
  chosen: Starter | undefined,
  sent: Starter | undefined,
  setUrl: SetUrlState<typeof defaults>,
) {
  const runtime = useWatch({ control: form.control, name: 'runtime' });
  const [given, setGiven] = useState(sent);
  const starter = chosen ?? given ?? LANGUAGES[runtime];
  const [edited, setEdited] = useState<Files>();
  const files = edited ?? starter.files;
  const onRuntime = () => {
    const next = form.getValues('runtime');
    if (given && given.runtime !== next) setGiven(undefined);
    const isUntouched = [...Object.values(LANGUAGES), ...STARTERS].some(
      ({ handler }) => handler === form.getValues('handler'),
    );
    if (isUntouched) form.setValue('handler', LANGUAGES[next].handler);
    // the edited code stays, whatever the language
    if (chosen && chosen.runtime !== next) setUrl({ starter: undefined, file: undefined });
  };
  const onStarter = (next: Starter | undefined) => {
    setEdited(undefined);
    setGiven(undefined);
    setUrl({ starter: next?.id, file: undefined });
    const name = form.getValues('name');
    if (name === '' || STARTERS.some((each) => each.name === name)) form.setValue('name', next?.name ?? '');
    const settings = next ?? { runtime: RUNTIMES[0], handler: LANGUAGES[RUNTIMES[0]].handler };
    form.setValue('runtime', settings.runtime);
    form.setValue('handler', settings.handler);
  };
  return { starter, files, setEdited, onRuntime, onStarter };
}

/** Creates a function in the browser: settings, code, and the deploy of its first version. */
export function Component() {
  const [url, setUrl] = useUrlState(defaults);
  const chosen = starterOf(url.starter);
  const sent = givenIn(useLocation().state);
  const [begin] = useState(chosen ?? sent);
  const form = useSchemaForm(schema, {
    name: begin?.name ?? '',
    description: '',
    runtime: begin?.runtime ?? (RUNTIMES[0] as Values['runtime']),
    visibility: 'PRIVATE' as const,
    handler: begin?.handler ?? LANGUAGES[RUNTIMES[0]].handler,
  });
  const visibility: string = useWatch({ control: form.control, name: 'visibility' });
  const { starter, files, setEdited, onRuntime, onStarter } = useStarter(form, chosen, sent, setUrl);
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
          <div className="grid items-start gap-3 border-b border-line px-4 pb-3 max-sm:px-3 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-[160px_minmax(200px,3fr)_minmax(120px,2fr)_120px_104px_160px]">
            <StarterField
              value={url.starter}
              isEdited={changesOf(starter.files, files).size > 0}
              onChoose={onStarter}
            />
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
          {chosen ? <p className="border-b border-line px-4 pb-3 text-fg-2 max-sm:px-3">{chosen.what}</p> : null}
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
