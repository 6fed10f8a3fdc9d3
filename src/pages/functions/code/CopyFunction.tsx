import { useState } from 'react';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { toApiError } from '../../../api/api-error.ts';
import type { HostedFunction } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Form } from '../../../forms/Form.tsx';
import { TextField } from '../../../forms/fields.tsx';
import { useSchemaForm } from '../../../forms/use-schema-form.ts';
import { path } from '../../../lib/path.ts';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import { NAME_HELP } from './name-help.ts';

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(100, 'Enter at most 100 characters.')),
  env: z.record(z.string(), z.string().check(z.maxLength(32_768, 'Enter at most 32,768 characters.'))),
});

const KEY = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

interface CopyFunctionProps {
  fn: HostedFunction;
  version: number;
  /** The environment variables that the code reads. */
  keys: readonly string[];
  /** The apps that the code calls through the gateway. */
  apps: readonly string[];
  onClose: () => void;
}

/** Copies another account's function: its files, a name, and values for its environment variables. */
export function CopyFunction({ fn, version, keys, apps, onClose }: CopyFunctionProps) {
  const asked = keys.filter((key) => KEY.test(key));
  const form = useSchemaForm(schema, { name: fn.name, env: Object.fromEntries(asked.map((key) => [key, ''])) });
  const navigate = useNavigate();
  const [pending, setPending] = useState(false);
  const params = { function_id: fn.function_id };
  const copy = useApiMutation('functionCopy', { failure: 'inline', invalidates: ['functionList', 'functionSearch'] });
  const fill = useApiMutation('envCreate', { failure: 'inline', invalidates: ['envList'] });

  const send = async ({ name, env }: z.infer<typeof schema>) => {
    setPending(true);
    const made = await copy.mutateAsync({ params, body: { name, version } }).catch(() => undefined);
    if (!made) return setPending(false);
    const { function_id } = made.function;
    const given = Object.entries(env).flatMap(([key, value]) => (value === '' ? [] : [{ key, value }]));
    // the copy exists, even if setting its variables fails
    const refused =
      given.length === 0
        ? undefined
        : await fill.mutateAsync({ params: { function_id }, body: { env: given } }).then(() => undefined, toApiError);
    const missing = made.env.length - (refused ? 0 : given.length);
    toast({
      title: `${made.function.name} created`,
      description: refused
        ? `Its variables were not set: ${refused.message}`
        : missing > 0
          ? 'Some of its variables have no value yet.'
          : 'Only this account can see and call it.',
      tone: refused ? 'bad' : 'ok',
    });
    onClose();
    return navigate(path.function(function_id, missing > 0 ? 'environment' : 'code'));
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Copy ${fn.name} to this account`}
      description={`The files of version ${version}, as a private function with the same network policy.`}
    >
      <Form
        form={form}
        onSubmit={(values) => void send(values)}
        submitError={copy.error}
        loading={pending}
        submitLabel="Copy function"
        onCancel={onClose}
        curl={() => curlText('functionCopy', { params, body: { name: form.getValues().name, version } })}
      >
        <TextField control={form.control} name="name" label="Name" autoFocus help={NAME_HELP} />
        {apps.length > 0 ? (
          <p className="text-12 text-fg-2">
            Its code calls <span className="data wrap-anywhere">{apps.join(', ')}</span>. The copy may use no connection
            until you grant it in its settings.
          </p>
        ) : null}
        {asked.length > 0 ? (
          <fieldset className="grid gap-3">
            <legend className="mb-2 text-12 text-fg-2">
              Its code reads these variables. Values are encrypted and never shown again. Empty ones can be set later.
            </legend>
            {asked.map((key) => (
              <TextField key={key} control={form.control} name={`env.${key}`} label={key} mono optional />
            ))}
          </fieldset>
        ) : null}
      </Form>
    </Dialog>
  );
}
