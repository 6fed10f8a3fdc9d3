import { useState } from 'react';
import * as z from 'zod/mini';
import { INVITE_DAYS } from '../../../contract/limits.ts';
import type { Role } from '../../../contract/states.ts';
import { useApiMutation } from '../../api/mutations.ts';
import type { Reply } from '../../api/operation.ts';
import { curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { emailAddress } from '../../forms/credentials.ts';
import { Form } from '../../forms/Form.tsx';
import { RadioCardsField, TextField } from '../../forms/fields.tsx';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import type { RadioCard } from '../../ui/controls/RadioCards.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';

const ROLE_CARDS: readonly RadioCard<Role>[] = [
  { value: 'VIEWER', title: 'Viewer', description: 'Can view everything.' },
  { value: 'ADMIN', title: 'Admin', description: 'Can also manage connections, triggers, functions and keys.' },
  { value: 'OWNER', title: 'Owner', description: 'Can also manage members and their roles.' },
];

const schema = z.object({
  email: emailAddress,
  role: z.enum(['VIEWER', 'ADMIN', 'OWNER']),
});

/** Invites a user and shows the invitation link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<Reply<'memberCreate'>>();
  const form = useSchemaForm(schema, { email: '', role: 'ADMIN' });
  const invite = useApiMutation('memberCreate', {
    failure: 'inline',
    invalidates: ['memberList', 'auditList'],
    onSuccess: setMade,
  });
  if (made) return <LinkOnce made={made} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title="Invite a member">
      <Form
        form={form}
        onSubmit={(body) => invite.mutate({ body })}
        submitError={invite.error}
        loading={invite.isPending}
        submitLabel="Create invitation"
        onCancel={onClose}
        curl={() => curlText('memberCreate', { body: form.getValues() })}
      >
        <TextField control={form.control} name="email" label="Email" type="email" autoFocus />
        <RadioCardsField control={form.control} name="role" label="Role" options={ROLE_CARDS} />
      </Form>
    </Dialog>
  );
}

function LinkOnce({ made, onClose }: { made: Reply<'memberCreate'>; onClose: () => void }) {
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`${made.member.email ?? made.member.name} is invited`}
      description={`Send them this link. It works once, for ${INVITE_DAYS} days, and is not shown again.`}
      foot={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex items-center gap-2 rounded border border-line-2 bg-sunken py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 flex-1 wrap-anywhere select-all">{made.invite_url}</code>
        <CopyButton text={made.invite_url} label="Copy link" size="md" variant="default">
          Copy link
        </CopyButton>
      </div>
    </Dialog>
  );
}
