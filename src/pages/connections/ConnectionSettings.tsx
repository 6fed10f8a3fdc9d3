import type { UseFormReturn } from 'react-hook-form';
import type { Connection } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { queryClient } from '../../api/query-client.ts';
import { useReason } from '../../api/session.ts';
import { CopyAsCurl, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { UnsavedChanges } from '../../components/UnsavedChanges.tsx';
import { ChangedElsewhere } from '../../forms/ChangedElsewhere.tsx';
import { Form } from '../../forms/Form.tsx';
import { TextAreaField, TextField } from '../../forms/fields.tsx';
import { keepTyped } from '../../forms/keep-typed.ts';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { Button } from '../../ui/controls/Button.tsx';
import {
  endUserOf,
  metadataOf,
  settingsOf,
  settingsSchema,
  type ConnectionSettings as Values,
} from './connection-form.ts';
import { connectionQuery } from './connection-queries.ts';
import { ownMetadata } from './failure.ts';
import { Section } from './Section.tsx';
import { tagsIn } from './tags.ts';

export interface ConnectionSettingsProps {
  readonly connection: Connection;
  readonly appName: string;
}

/** The editable fields of a connection. */
export function ConnectionSettings({ connection, appName }: ConnectionSettingsProps) {
  return (
    <>
      <Section title="Settings">
        <SettingsForm connection={connection} />
      </Section>
      <Default connection={connection} appName={appName} />
    </>
  );
}

function SettingsForm({ connection }: { connection: Connection }) {
  const { connection_id } = connection;
  const params = { connection_id };
  const reason = useReason('connectionUpdate');
  const known = settingsOf(connection, ownMetadata(connection));
  const form = useSchemaForm(settingsSchema, known);
  const { isDirty, dirtyFields } = form.formState;
  const update = useApiMutation('connectionUpdate', {
    failure: 'inline',
    invalidates: ['connectionList'],
    onSuccess: (reply) => queryClient.setQueryData(connectionQuery(connection_id).queryKey, reply),
  });
  // only edited fields are sent, so a concurrent change to another field is kept
  const bodyOf = (values: Values) => ({
    ...(dirtyFields.name ? { name: values.name || null } : {}),
    ...(dirtyFields.tags ? { tags: tagsIn(values.tags) } : {}),
    ...(dirtyFields.userId || dirtyFields.userEmail || dirtyFields.userName ? { end_user: endUserOf(values) } : {}),
    ...(dirtyFields.metadata ? { metadata: metadataOf(values) } : {}),
  });
  const save = (values: Values) => {
    const show = keepTyped(form);
    const onSuccess = ({ connection: saved }: { connection: Connection }) =>
      show(settingsOf(saved, ownMetadata(saved)));
    update.mutate({ params, body: bodyOf(values) }, { onSuccess });
  };
  return (
    <Form
      form={form}
      saveKey
      onSubmit={save}
      submitError={update.error}
      loading={update.isPending}
      submitLabel="Save changes"
      submitReason={reason ?? (isDirty ? undefined : 'There are no changes to save.')}
      onCancel={isDirty ? () => form.reset(known) : undefined}
      curl={() => curlText('connectionUpdate', { params, body: bodyOf(form.getValues()) })}
    >
      <UnsavedChanges dirty={isDirty} what="Your changes to this connection" />
      <ChangedElsewhere form={form} latest={known} noun="connection" id={connection_id} saving={update.isPending} />
      <TextField
        control={form.control}
        name="name"
        label="Name"
        optional
        maxLength={100}
        readOnly={reason !== undefined}
        className="max-w-80"
      />
      <TextField
        control={form.control}
        name="tags"
        label="Tags"
        optional
        help="Separate several with commas. The list of connections can be filtered by them."
        readOnly={reason !== undefined}
        className="max-w-80"
      />
      <EndUserFields form={form} readOnly={reason !== undefined} />
      <TextAreaField
        control={form.control}
        name="metadata"
        label="Metadata"
        optional
        mono
        rows={4}
        spellCheck={false}
        placeholder={reason === undefined ? '{"team": "sales"}' : undefined}
        help="A JSON object for your own use. It is returned with the connection, so don’t store secrets in it."
        readOnly={reason !== undefined}
      />
    </Form>
  );
}

interface EndUserFieldsProps {
  readonly form: UseFormReturn<Values>;
  readonly readOnly: boolean;
}

function EndUserFields({ form, readOnly }: EndUserFieldsProps) {
  const shared = { control: form.control, optional: true, readOnly, className: 'max-w-80' };
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-12 text-fg-2">The user of your product whose access this is</legend>
      <TextField {...shared} name="userId" label="End user ID" mono />
      <TextField {...shared} name="userName" label="End user name" />
      <TextField {...shared} name="userEmail" label="End user email" inputMode="email" />
    </fieldset>
  );
}

function Default({ connection, appName }: ConnectionSettingsProps) {
  const { connection_id, is_default } = connection;
  const params = { connection_id };
  const reason = useReason('connectionUpdate');
  const update = useApiMutation('connectionUpdate', {
    failure: 'The default was not changed',
    invalidates: ['connectionList', 'connectionGet'],
    onSuccess: (reply) => queryClient.setQueryData(connectionQuery(connection_id).queryKey, reply),
  });
  return (
    <Section
      title="Default"
      lead={
        is_default
          ? `Calls to ${appName} without a connection ID use this connection while it is active. To change that, make another connection the default.`
          : `Calls to ${appName} without a connection ID use its default connection, or else the oldest active one.`
      }
    >
      <div className="flex flex-wrap items-center gap-2">
        <Button
          pending={update.isPending}
          reason={reason ?? (is_default ? 'This is already the default.' : undefined)}
          onClick={() => update.mutate({ params, body: { is_default: true } })}
        >
          Make default
        </Button>
        <span className="ml-auto">
          <CopyAsCurl
            text={() => curlText('connectionUpdate', { params, body: { is_default: true } })}
            what="make default"
          />
        </span>
      </div>
    </Section>
  );
}
