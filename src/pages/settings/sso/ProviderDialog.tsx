import { ROLES } from '../../../../contract/states.ts';
import type { IdentityProvider } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Form } from '../../../forms/Form.tsx';
import { CheckboxField, SelectField, TextAreaField, TextField } from '../../../forms/fields.tsx';
import { useSchemaForm } from '../../../forms/use-schema-form.ts';
import { sentenceCase } from '../../../lib/format.ts';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { bodyOf, schema, type Typed, typedOf } from './provider-form.ts';

const LISTS = ['identityProviderList', 'auditList'] as const;
const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: sentenceCase(value) }));

export interface ProviderDialogProps {
  /** Undefined for a new one. */
  readonly provider: IdentityProvider | undefined;
  readonly redirectUrl: string;
  readonly onClose: () => void;
}

/** Creates or edits an identity provider. */
export function ProviderDialog({ provider, redirectUrl, onClose }: ProviderDialogProps) {
  const form = useSchemaForm(schema, typedOf(provider));
  const given = { failure: 'inline', invalidates: LISTS, onSuccess: onClose } as const;
  const create = useApiMutation('identityProviderCreate', given);
  const update = useApiMutation('identityProviderUpdate', given);
  const params = { provider_id: provider?.provider_id ?? '' };
  const changeOf = (typed: Typed) => {
    const { issuer: _, ...change } = bodyOf(typed);
    return change;
  };
  const send = (typed: Typed) => {
    if (provider) update.mutate({ params, body: changeOf(typed) });
    else create.mutate({ body: bodyOf(typed) });
  };
  const curl = () => {
    const typed = form.getValues();
    return provider
      ? curlText('identityProviderUpdate', { params, body: changeOf(typed) })
      : curlText('identityProviderCreate', { body: bodyOf(typed) });
  };
  const { control } = form;
  return (
    <Dialog open wide onClose={onClose} title={provider ? `Edit ${provider.name}` : 'New identity provider'}>
      <div className="mb-4 flex items-center gap-2 rounded border border-line bg-sunken py-1.5 pr-1.5 pl-3 text-12">
        <span className="flex-none text-fg-2">Redirect URL</span>
        <code className="min-w-0 flex-1 wrap-anywhere select-all">{redirectUrl}</code>
        <CopyButton text={redirectUrl} label="Copy redirect URL" />
      </div>
      <Form
        form={form}
        onSubmit={send}
        submitError={provider ? update.error : create.error}
        loading={create.isPending || update.isPending}
        submitLabel={provider ? 'Save provider' : 'Create provider'}
        onCancel={onClose}
        curl={curl}
      >
        <TextField control={control} name="name" label="Name" help="On the button: Continue with …" autoFocus />
        <TextField
          control={control}
          name="issuer"
          label="Issuer"
          help={
            provider ? 'The issuer does not change. Create another provider instead.' : 'Its metadata is read first.'
          }
          readOnly={provider !== undefined}
        />
        <TextField control={control} name="client_id" label="Client ID" autoComplete="off" />
        <TextField
          control={control}
          name="client_secret"
          label="Client secret"
          type="password"
          optional
          help={provider?.has_secret ? 'Empty: keep the current secret.' : 'Empty for a public client.'}
          autoComplete="new-password"
        />
        <TextField
          control={control}
          name="allowed_domains"
          label="Email domains"
          help="Separated by commas. Others can’t sign in through this provider."
        />
        <CheckboxField
          control={control}
          name="creates_members"
          label="Create members at their first sign-in"
          help="Otherwise an owner invites them first. A removed member who signs in again becomes a new one."
        />
        <SelectField control={control} name="default_role" label="Default role" options={ROLE_OPTIONS} />
        <TextField
          control={control}
          name="role_claim"
          label="Role claim"
          optional
          help="A claim with the user’s groups or roles, such as groups or realm_access.roles. Applied at each sign-in."
        />
        <TextAreaField
          control={control}
          name="role_mapping"
          label="Roles by value of the claim"
          optional
          rows={3}
          help="One a line, such as ops = ADMIN. The highest role applies; without a match, the default role."
        />
        <TextField
          control={control}
          name="scopes"
          label="Additional scopes"
          optional
          help="Beside openid, email and profile."
        />
      </Form>
    </Dialog>
  );
}
