import * as z from 'zod/mini';
import type { ApiError } from '../../api/api-error.ts';
import { Form } from '../../forms/Form.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { Dialog } from '../../ui/overlays/Dialog.tsx';

export interface TextDialogProps {
  readonly title: string;
  readonly label: string;
  readonly value: string;
  readonly maxLength: number;
  readonly optional?: boolean | undefined;
  readonly help?: string | undefined;
  readonly submitLabel: string;
  readonly error: ApiError | null;
  readonly pending: boolean;
  readonly onSubmit: (text: string) => void;
  readonly onClose: () => void;
}

const schemaOf = (maxLength: number, optional: boolean) =>
  z.object({
    name: z.string().check(
      z.trim(),
      z.refine((text) => optional || text !== '', 'Enter a name.'),
      z.maxLength(maxLength, `Enter at most ${maxLength} characters.`),
    ),
  });

/** A dialog with one line of text. */
export function TextDialog(props: TextDialogProps) {
  const {
    title,
    label,
    value,
    maxLength,
    optional = false,
    help,
    submitLabel,
    error,
    pending,
    onSubmit,
    onClose,
  } = props;
  const form = useSchemaForm(schemaOf(maxLength, optional), { name: value });
  return (
    <Dialog open onClose={onClose} title={title}>
      <Form
        form={form}
        onSubmit={({ name }) => onSubmit(name)}
        submitError={error}
        loading={pending}
        submitLabel={submitLabel}
        onCancel={onClose}
      >
        <TextField control={form.control} name="name" label={label} optional={optional} help={help} autoFocus />
      </Form>
    </Dialog>
  );
}
