import { useState } from 'react';
import type { KeyLimits } from '../../../../contract/keys/key-limits.ts';
import type { ApiKey } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import type { Reply } from '../../../api/operation.ts';
import { curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { History } from '../../../components/history/History.tsx';
import { Form } from '../../../forms/Form.tsx';
import { SelectField, TextField } from '../../../forms/fields.tsx';
import { useSchemaForm } from '../../../forms/use-schema-form.ts';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { KeyOnce } from './KeyOnce.tsx';
import { KeyTest } from './KeyTest.tsx';
import { bodyOf, EXPIRY, KEEP, type KeyValues, keySchema, valuesOf } from './key-form.ts';
import { LimitFields } from './LimitFields.tsx';

interface KeyDialogProps {
  readonly apiKey?: ApiKey;
  /** Limits to begin with, instead of those of the key. */
  readonly proposal?: KeyLimits | undefined;
  readonly onClose: () => void;
}

/** Creates a key and shows it once; or edits the name, expiry and limits of a key. */
export function KeyDialog({ apiKey, proposal, onClose }: KeyDialogProps) {
  const [made, setMade] = useState<Reply<'apiKeyCreate'>>();
  const begin = proposal && { ...proposal, ip_ranges: apiKey?.ip_ranges ?? null };
  const form = useSchemaForm(keySchema, valuesOf(apiKey, begin ?? apiKey));
  const lists = ['apiKeyList', 'auditList'] as const;
  const create = useApiMutation('apiKeyCreate', { failure: 'inline', invalidates: lists, onSuccess: setMade });
  const update = useApiMutation('apiKeyUpdate', { failure: 'inline', invalidates: lists, onSuccess: onClose });

  if (made) return <KeyOnce made={made} onClose={onClose} />;
  const params = { key_id: apiKey?.key_id ?? '' };
  const send = (typed: KeyValues) => {
    if (apiKey) update.mutate({ params, body: bodyOf(typed) });
    else create.mutate({ body: bodyOf(typed) });
  };
  const curl = () => {
    const body = bodyOf(form.getValues());
    return apiKey ? curlText('apiKeyUpdate', { params, body }) : curlText('apiKeyCreate', { body });
  };
  return (
    <Dialog open wide onClose={onClose} title={apiKey ? `Change ${apiKey.name}` : 'New API key'}>
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
        <LimitFields control={form.control} />
        {apiKey ? <KeyTest keyId={apiKey.key_id} control={form.control} /> : null}
      </Form>
      {apiKey ? (
        <div className="mt-3">
          <History id={apiKey.key_id} update="apiKeyUpdate" params={params} current={apiKey} invalidates={lists} />
        </div>
      ) : null}
    </Dialog>
  );
}
