import { useState } from 'react';
import * as z from 'zod/mini';
import type { ApiKey } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import type { Reply } from '../../../api/operation.ts';
import { curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Form } from '../../../forms/Form.tsx';
import { SelectField } from '../../../forms/fields.tsx';
import { useSchemaForm } from '../../../forms/use-schema-form.ts';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { KeyOnce } from './KeyOnce.tsx';

const OVERLAPS = [
  { value: '0', label: 'Not at all: it stops working now' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
];
const schema = z.object({ overlap: z.string() });

/** Gives a key a new secret and shows it once. */
export function RotateDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [made, setMade] = useState<Reply<'apiKeyRotate'>>();
  const form = useSchemaForm(schema, { overlap: '24' });
  const rotate = useApiMutation('apiKeyRotate', {
    failure: 'inline',
    invalidates: ['apiKeyList', 'auditList'],
    onSuccess: setMade,
  });
  if (made) return <KeyOnce made={made} onClose={onClose} />;
  const params = { key_id: apiKey.key_id };
  const bodyOf = ({ overlap }: { overlap: string }) => ({ overlap_hours: Number(overlap) });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Rotate ${apiKey.name}`}
      description="The key gets a new secret. Its limits, its ID and its history stay."
    >
      <Form
        form={form}
        onSubmit={(values) => rotate.mutate({ params, body: bodyOf(values) })}
        submitError={rotate.error}
        loading={rotate.isPending}
        submitLabel="Rotate key"
        onCancel={onClose}
        curl={() => curlText('apiKeyRotate', { params, body: bodyOf(form.getValues()) })}
      >
        <SelectField
          control={form.control}
          name="overlap"
          label="The old secret works for"
          options={OVERLAPS}
          help={
            apiKey.old
              ? `The secret ${apiKey.old.prefix}… of the last rotation stops working now.`
              : 'Replace it in the programs that use it before it ends.'
          }
        />
      </Form>
    </Dialog>
  );
}
