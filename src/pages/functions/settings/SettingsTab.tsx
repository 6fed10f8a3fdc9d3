import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import type { HostedFunction } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { History } from '../../../components/history/History.tsx';
import { IdText } from '../../../components/IdText.tsx';
import { ChangedElsewhere } from '../../../forms/ChangedElsewhere.tsx';
import { Form } from '../../../forms/Form.tsx';
import { RadioCardsField, TextAreaField, TextField } from '../../../forms/fields.tsx';
import { keepTyped } from '../../../forms/keep-typed.ts';
import { useSchemaForm } from '../../../forms/use-schema-form.ts';
import type { Handle } from '../../../layouts/handle.ts';
import { ScrollPage } from '../../../layouts/ScrollPage.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { KeyValueList } from '../../../ui/KeyValueList.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import { Time } from '../../../ui/Time.tsx';
import { functionQuery, idIn, VISIBILITY } from '../function-queries.ts';
import { DeleteFunction } from './DeleteFunction.tsx';
import {
  changedSettings,
  GATEWAY_OPTIONS,
  grantsIn,
  INVOKE_OPTIONS,
  NETWORK_OPTIONS,
  settingsOf,
  settingsSchema,
} from './function-settings.ts';
import { MissingGrants } from './MissingGrants.tsx';
import { SettingsImpact } from './SettingsImpact.tsx';

export const handle: Handle = { crumb: 'Settings' };
export const loader = async ({ params }: LoaderFunctionArgs) => ensure(functionQuery(idIn(params)));

const visibilityOptions = (['PRIVATE', 'UNLISTED', 'PUBLIC'] as const).map((value) => ({
  value,
  title: VISIBILITY[value].word,
  description: VISIBILITY[value].meaning,
}));

/** The settings of a function: name, visibility, authentication, network access, timeout. */
export function Component() {
  const functionId = idIn(useParams());
  const { function: fn } = usePrefetchedQuery(functionQuery(functionId)).data;
  const [deleting, setDeleting] = useState(false);
  const mayDelete = useReason('functionDelete');
  return (
    <ScrollPage label="Settings">
      <div className="max-w-[720px] divide-y divide-line">
        <section className="px-4 py-4 max-sm:px-3">
          <SettingsForm fn={fn} />
        </section>
        <section className="px-4 py-4 max-sm:px-3">
          <KeyValueList
            items={[
              { name: 'Function ID', value: <IdText id={fn.function_id} whole noun="function ID" /> },
              { name: 'Runtime', value: fn.runtime, mono: true },
              { name: 'Created', value: <Time at={fn.created_at} as="full" /> },
              { name: 'Updated', value: <Time at={fn.updated_at} as="full" /> },
            ]}
          />
        </section>
        <section className="px-4 py-4 max-sm:px-3">
          <h2 className="mb-1 text-14">Changes</h2>
          <History
            id={fn.function_id}
            update="functionUpdate"
            params={{ function_id: fn.function_id }}
            current={fn}
            invalidates={['functionGet', 'functionList', 'functionSearch']}
          />
        </section>
        <section className="px-4 py-4 max-sm:px-3">
          <h2 className="text-14">Delete this function</h2>
          <p className="mt-1 mb-3 text-fg-2">
            Its versions, environment, runs and logs are deleted with it, and its URL stops responding.
          </p>
          <Button variant="danger" icon={Trash2} reason={mayDelete} onClick={() => setDeleting(true)}>
            Delete function…
          </Button>
        </section>
      </div>
      {deleting ? <DeleteFunction fn={fn} onClose={() => setDeleting(false)} /> : null}
    </ScrollPage>
  );
}

function SettingsForm({ fn }: { fn: HostedFunction }) {
  const params = { function_id: fn.function_id };
  const form = useSchemaForm(settingsSchema, settingsOf(fn));
  const reason = useReason('functionUpdate');
  const visibility = useWatch({ control: form.control, name: 'visibility' });
  const policy = useWatch({ control: form.control, name: 'network_policy' });
  const [gateway, grants] = useWatch({ control: form.control, name: ['gateway_policy', 'gateway_grants'] });
  const save = useApiMutation('functionUpdate', {
    failure: 'inline',
    invalidates: ['functionGet', 'functionList', 'functionSearch', 'auditList'],
    onSuccess: (reply) => {
      const { function: saved } = reply;
      queryClient.setQueryData(functionQuery(saved.function_id).queryKey, reply);
      toast({ title: `${saved.name} saved`, tone: 'ok' });
    },
  });
  const { isDirty, dirtyFields } = form.formState;
  const send = (values: Parameters<typeof changedSettings>[0]) => {
    const show = keepTyped(form);
    save.mutate(
      { params, body: changedSettings(values, dirtyFields) },
      { onSuccess: (reply) => show(settingsOf(reply.function)) },
    );
  };
  return (
    <Form
      form={form}
      onSubmit={send}
      submitError={save.error}
      loading={save.isPending}
      submitLabel="Save settings"
      submitReason={reason ?? (isDirty ? undefined : 'There are no changes to save.')}
      onCancel={isDirty ? () => form.reset(settingsOf(fn)) : undefined}
      note={
        <CopyAsCurl
          text={() => curlText('functionUpdate', { params, body: changedSettings(form.getValues(), dirtyFields) })}
          what="save these settings"
        />
      }
      saveKey
    >
      <ChangedElsewhere
        form={form}
        latest={settingsOf(fn)}
        noun="function"
        id={fn.function_id}
        saving={save.isPending}
      />
      <TextField
        control={form.control}
        name="name"
        label="Name"
        help="Determines the URL. After a change, the old URL stays reserved for this account for 90 days. A URL that another account uses, or used in the last 90 days, gets a suffix."
      />
      <TextAreaField control={form.control} name="description" label="Description" optional rows={2} />
      <RadioCardsField control={form.control} name="visibility" label="Visibility" options={visibilityOptions} />
      <RadioCardsField
        control={form.control}
        name="invoke_access"
        label="Authentication"
        options={INVOKE_OPTIONS.map((option) =>
          option.value === 'ANYONE' && visibility === 'PRIVATE'
            ? { ...option, reason: 'Private functions can only be called by their owner.' }
            : option,
        )}
      />
      <RadioCardsField control={form.control} name="network_policy" label="Network access" options={NETWORK_OPTIONS} />
      {policy === 'ALLOW_LIST' ? (
        <TextAreaField
          control={form.control}
          name="allowed_hosts"
          label="Allowed hosts"
          help="One per line: api.example.com, or *.example.com for all its subdomains."
          mono
        />
      ) : null}
      <RadioCardsField control={form.control} name="gateway_policy" label="Connections" options={GATEWAY_OPTIONS} />
      {gateway === 'ALLOW_LIST' ? (
        <TextAreaField
          control={form.control}
          name="gateway_grants"
          label="Granted connections"
          help="One app per line: github. With the ID of a connection after it, only that connection."
          mono
        />
      ) : null}
      <MissingGrants
        fn={fn}
        granted={{ gateway_policy: gateway, gateway_grants: grantsIn(grants) }}
        onGrant={(apps) => {
          const before = gateway === 'ALLOW_LIST' ? grants.trim() : '';
          const text = [before, ...apps].filter(Boolean).join('\n');
          form.setValue('gateway_grants', text, { shouldDirty: true });
          form.setValue('gateway_policy', 'ALLOW_LIST', { shouldDirty: true });
        }}
      />
      <TextField
        control={form.control}
        name="timeout_seconds"
        label="Timeout in seconds"
        help="From 1 to 300. Longer runs are stopped and return 504."
        inputMode="numeric"
        className="max-w-48"
      />
      <SettingsImpact fn={fn} control={form.control} />
    </Form>
  );
}
