import { useRef } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { CONNECT_LOGO, CONNECT_ORIGINS_MAX } from '../../../contract/limits.ts';
import { useApiMutation } from '../../api/mutations.ts';
import type { Reply } from '../../api/operation.ts';
import { useReason } from '../../api/session.ts';
import { curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { Form } from '../../forms/Form.tsx';
import { TextAreaField, TextField } from '../../forms/fields.tsx';
import { keepTyped } from '../../forms/keep-typed.ts';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { toast } from '../../ui/overlays/toast.ts';

type Settings = Reply<'connectSettingsGet'>['settings'];

const originsOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

const schema = z.object({
  allowed_origins: z.string().check(
    z.refine((text) => originsOf(text).length <= CONNECT_ORIGINS_MAX, `Enter at most ${CONNECT_ORIGINS_MAX} origins.`),
    z.refine(
      (text) => originsOf(text).every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
      'Enter one origin per line, such as https://app.example.com, without a path.',
    ),
  ),
  accent: z.string().check(z.trim(), z.regex(/^(?:#[0-9a-f]{6})?$/i, 'Enter a color such as #1f5bd0.')),
  /** A data URL, or empty. */
  logo: z.string(),
});

const valuesOf = ({ allowed_origins, accent, logo }: Settings) => ({
  allowed_origins: allowed_origins.join('\n'),
  accent: accent ?? '',
  logo: logo ?? '',
});
type Values = ReturnType<typeof valuesOf>;
const bodyOf = ({ allowed_origins, accent, logo }: Values) => ({
  allowed_origins: originsOf(allowed_origins),
  accent: accent === '' ? null : accent,
  logo: logo === '' ? null : logo,
});

/** The origins that may open connect sessions, and the look of the connect window. */
export function ConnectWindowSettings({ settings }: { settings: Settings }) {
  const form = useSchemaForm(schema, valuesOf(settings));
  const reason = useReason('connectSettingsUpdate');
  const save = useApiMutation('connectSettingsUpdate', {
    failure: 'inline',
    invalidates: ['connectSettingsGet'],
    onSuccess: () => void toast({ title: 'Connect window saved', tone: 'ok' }),
  });
  const send = (values: Values) => {
    const show = keepTyped(form);
    save.mutate({ body: bodyOf(values) }, { onSuccess: (reply) => show(valuesOf(reply.settings)) });
  };
  const logo = useWatch({ control: form.control, name: 'logo' });
  const unchanged = form.formState.isDirty ? undefined : 'There are no changes to save.';
  const readOnly = reason !== undefined;
  return (
    <Form
      form={form}
      onSubmit={send}
      submitError={save.error}
      loading={save.isPending}
      submitLabel="Save connect window"
      submitReason={reason ?? unchanged}
      curl={() => curlText('connectSettingsUpdate', { body: bodyOf(form.getValues()) })}
    >
      <TextAreaField
        control={form.control}
        name="allowed_origins"
        label="Allowed origins"
        optional
        mono
        rows={2}
        spellCheck={false}
        readOnly={readOnly}
        placeholder="https://app.example.com"
        help="One per line: your pages that open connect sessions, and that their redirects may lead to."
      />
      <TextField
        control={form.control}
        name="accent"
        label="Color"
        optional
        mono
        className="max-w-80"
        readOnly={readOnly}
        placeholder="#1f5bd0"
        help="Of the button and links. It is adjusted as far as their contrast requires."
      />
      <Logo
        logo={logo}
        readOnly={readOnly}
        onChange={(value) => form.setValue('logo', value, { shouldDirty: true })}
        onProblem={(message) => toast({ title: 'The logo was not read', description: message, tone: 'bad' })}
      />
    </Form>
  );
}

interface LogoProps {
  readonly logo: string;
  readonly readOnly: boolean;
  readonly onChange: (logo: string) => void;
  readonly onProblem: (message: string) => void;
}

/** The logo with its buttons. The service checks the file. */
function Logo({ logo, readOnly, onChange, onProblem }: LogoProps) {
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > CONNECT_LOGO.bytes) return onProblem(`Choose a file of at most ${CONNECT_LOGO.bytes / 1024} KiB.`);
    onChange(await dataUrlOf(file));
  };
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-12 font-medium text-fg-2">Logo</legend>
      {logo === '' ? (
        <p className="text-fg-3">None</p>
      ) : (
        <img src={logo} alt="Logo of the connect window" className="h-9 max-w-full justify-self-start object-contain" />
      )}
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg"
        aria-label="Logo file"
        hidden
        onChange={({ target }) => {
          void read(target.files?.[0]);
          target.value = '';
        }}
      />
      {readOnly ? null : (
        <div className="flex gap-2">
          <Button onClick={() => input.current?.click()}>Choose a file</Button>
          {logo === '' ? null : <Button onClick={() => onChange('')}>Remove</Button>}
        </div>
      )}
      <p className="text-12 text-fg-3">PNG or JPEG, at most 64 KiB and 1024 pixels.</p>
    </fieldset>
  );
}

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((ok, refuse) => {
    const reader = new FileReader();
    reader.onload = () => ok(String(reader.result));
    reader.onerror = () => refuse(reader.error ?? new Error('the file could not be read'));
    reader.readAsDataURL(file);
  });
