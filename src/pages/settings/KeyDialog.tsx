import { useState } from 'react';
import * as z from 'zod/mini';
import type { ApiKey } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import type { Reply } from '../../api/operation.ts';
import { q, usePrefetchedQuery } from '../../api/queries.ts';
import { curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { Form } from '../../forms/Form.tsx';
import { SelectField, TextField } from '../../forms/fields.tsx';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';

const DAY_MS = 86_400_000;
const EXPIRY = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];
const KEEP = { value: 'keep', label: 'Keep current' };

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(100)),
  expires_at: z.string(),
});

function instantOf(choice: string): string | null {
  return choice === 'never' ? null : new Date(Date.now() + Number(choice) * DAY_MS).toISOString();
}

type Typed = z.infer<typeof schema>;
const bodyOf = ({ name, expires_at }: Typed) =>
  expires_at === 'keep' ? { name } : { name, expires_at: instantOf(expires_at) };

/** Creates a key and shows it once; or edits the name and expiry of a key. */
export function KeyDialog({ apiKey, onClose }: { apiKey?: ApiKey; onClose: () => void }) {
  const [made, setMade] = useState<Reply<'apiKeyCreate'>>();
  const form = useSchemaForm(schema, { name: apiKey?.name ?? '', expires_at: apiKey ? 'keep' : 'never' });
  const lists = ['apiKeyList', 'auditList'] as const;
  const create = useApiMutation('apiKeyCreate', { failure: 'inline', invalidates: lists, onSuccess: setMade });
  const update = useApiMutation('apiKeyUpdate', { failure: 'inline', invalidates: lists, onSuccess: onClose });

  if (made) return <KeyOnce made={made} onClose={onClose} />;
  const params = { key_id: apiKey?.key_id ?? '' };
  const send = (typed: Typed) => {
    if (apiKey) update.mutate({ params, body: bodyOf(typed) });
    else create.mutate({ body: bodyOf(typed) });
  };
  const curl = () => {
    const body = bodyOf(form.getValues());
    return apiKey ? curlText('apiKeyUpdate', { params, body }) : curlText('apiKeyCreate', { body });
  };
  return (
    <Dialog open onClose={onClose} title={apiKey ? `Change ${apiKey.name}` : 'New API key'}>
      <Form
        form={form}
        onSubmit={send}
        submitError={apiKey ? update.error : create.error}
        loading={create.isPending || update.isPending}
        submitLabel={apiKey ? 'Save key' : 'Create key'}
        onCancel={onClose}
        curl={curl}
      >
        <TextField
          control={form.control}
          name="name"
          label="Name"
          help="For example the program or integration that uses the key."
          autoFocus
        />
        <SelectField
          control={form.control}
          name="expires_at"
          label="Expires"
          options={apiKey ? [KEEP, ...EXPIRY] : EXPIRY}
        />
      </Form>
    </Dialog>
  );
}

const accountQuery = q('accountGet');

/** The key in clear text, shown once. */
function KeyOnce({ made, onClose }: { made: Reply<'apiKeyCreate'>; onClose: () => void }) {
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`${made.api_key.name} is ready`}
      description="Copy the key now. It is stored as a hash and can’t be shown again."
      foot={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex items-center gap-2 rounded border border-line-2 bg-sunken py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 flex-1 wrap-anywhere select-all">{made.key}</code>
        <CopyButton text={made.key} label="Copy key" size="md" variant="default">
          Copy key
        </CopyButton>
      </div>
      <TryIt apiKey={made.key} />
    </Dialog>
  );
}

function TryIt({ apiKey }: { apiKey: string }) {
  const { account } = usePrefetchedQuery(accountQuery).data;
  const command = `export API_KEY='${apiKey}'\ncurl ${account.addresses.base_url}/account -H "Authorization: Bearer $API_KEY"`;
  return (
    <div className="mt-3 grid gap-1">
      <p className="text-12 text-fg-2">Try it in a terminal. Every “Copy as curl” in the console reads $API_KEY.</p>
      <div className="flex items-start gap-2 rounded border border-line bg-sunken py-1.5 pr-1.5 pl-3">
        <pre className="min-w-0 flex-1 py-0.5 wrap-anywhere whitespace-pre-wrap">{command}</pre>
        <CopyButton text={command} label="Copy command" />
      </div>
    </div>
  );
}
