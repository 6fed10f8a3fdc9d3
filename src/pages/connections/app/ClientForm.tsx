import { useWatch } from 'react-hook-form';
import type { App } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { UnsavedChanges } from '../../../components/UnsavedChanges.tsx';
import { Form } from '../../../forms/Form.tsx';
import { CheckboxField, TextAreaField, TextField } from '../../../forms/fields.tsx';
import { useSchemaForm } from '../../../forms/use-schema-form.ts';
import { credentialsQuery } from '../connection-queries.ts';
import { type ClientValues, type Credential, clientBody, clientSchema, clientValues } from './client-form.ts';

export interface ClientFormProps {
  readonly app: App;
  readonly credential: Credential;
  readonly onCancel: (() => void) | undefined;
  readonly onSaved: () => void;
}

/** OAuth 1 and OAuth 2 use different names for the same two values. */
const LABELS: Record<Credential['method'], { id: string; secret: string }> = {
  OAUTH1: { id: 'Consumer key', secret: 'Consumer secret' },
  OAUTH2: { id: 'Client ID', secret: 'Client secret' },
};

/** Adds or edits the client. The secret is write-only. */
export function ClientForm({ app, credential, onCancel, onSaved }: ClientFormProps) {
  const { method, default_scopes, client_id, has_secret } = credential;
  const params = { app: app.app, method };
  const kept = client_id !== null && has_secret;
  const reason = useReason('appCredentialPut');
  const form = useSchemaForm(clientSchema(kept), clientValues(credential));
  const { control, formState } = form;
  const isPublic = useWatch({ control, name: 'is_public' });
  const put = useApiMutation('appCredentialPut', {
    failure: 'inline',
    invalidates: ['appList', 'appGet', 'appCredentialList', 'auditList'],
    onSuccess: ({ credential: after }) => {
      queryClient.setQueryData(
        credentialsQuery(app.app).queryKey,
        (known) =>
          known && { credentials: known.credentials.map((each) => (each.method === after.method ? after : each)) },
      );
      form.reset(clientValues(after));
      onSaved();
    },
  });
  const label = LABELS[method];
  const readOnly = reason !== undefined;
  return (
    <Form
      form={form}
      onSubmit={(values: ClientValues) => put.mutate({ params, body: clientBody(values, method) })}
      submitError={put.error}
      loading={put.isPending}
      submitLabel={client_id === null ? 'Save client' : 'Save changes'}
      submitReason={reason}
      onCancel={onCancel}
      curl={() => {
        const typed = form.getValues();
        // a secret must not reach the clipboard or a shell history
        const client_secret = typed.client_secret && '<the secret>';
        return curlText('appCredentialPut', { params, body: clientBody({ ...typed, client_secret }, method) });
      }}
    >
      <UnsavedChanges dirty={formState.isDirty && !put.isSuccess} what="Your changes to the client" />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField control={control} name="client_id" label={label.id} mono readOnly={readOnly} />
        {isPublic ? null : (
          <TextField
            control={control}
            name="client_secret"
            label={label.secret}
            type="password"
            mono
            autoComplete="new-password"
            readOnly={readOnly}
            optional={kept}
            placeholder={kept ? '••••••••' : undefined}
            help={kept ? 'Leave empty to keep the stored one.' : 'Write-only: never shown again.'}
          />
        )}
      </div>
      {method === 'OAUTH2' ? (
        <>
          <CheckboxField control={control} name="is_public" label="Public client (no secret)" />
          <TextAreaField
            control={control}
            name="scopes"
            label="Scopes"
            optional
            mono
            rows={2}
            spellCheck={false}
            readOnly={readOnly}
            placeholder={default_scopes.join(' ')}
            help={
              default_scopes.length === 0
                ? 'Requested scopes, separated by spaces. Leave empty to request none.'
                : `Requested scopes, separated by spaces. Leave empty for the default: ${default_scopes.join(' ')}`
            }
          />
        </>
      ) : null}
    </Form>
  );
}
