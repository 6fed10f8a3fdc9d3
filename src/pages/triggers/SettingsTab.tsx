import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { App, Trigger } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { usePrefetchedQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { useReason } from '../../api/session.ts';
import { curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { History } from '../../components/history/History.tsx';
import { IdText } from '../../components/IdText.tsx';
import { UnsavedChanges } from '../../components/UnsavedChanges.tsx';
import { ChangedElsewhere } from '../../forms/ChangedElsewhere.tsx';
import { Form } from '../../forms/Form.tsx';
import { TextAreaField, TextField } from '../../forms/fields.tsx';
import { keepTyped } from '../../forms/keep-typed.ts';
import { fieldsOf, initialValues, type SchemaField } from '../../forms/schema-fields.ts';
import { readValues } from '../../forms/schema-values.ts';
import { showProblems } from '../../forms/show-problems.ts';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { ScrollPage } from '../../layouts/ScrollPage.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { KeyValueList } from '../../ui/KeyValueList.tsx';
import { Time } from '../../ui/Time.tsx';
import { DeleteTrigger } from './DeleteTrigger.tsx';
import { FilterField } from './destinations/fields/FilterField.tsx';
import { readFilter, writeFilter } from './destinations/fields/filter-text.ts';
import { ConnectionField } from './new/ConnectionField.tsx';
import { FormSection } from './new/FormSection.tsx';
import { ParameterFields } from './new/ParameterFields.tsx';
import { type TriggerSettings, triggerSettingsSchema } from './new/trigger-form.ts';
import { appsQuery, connectionsQuery, takesConnection, triggerQuery, useTemplateEvents } from './trigger-queries.ts';

/** The settings of a trigger, and its deletion. */
export function SettingsTab({ trigger }: { trigger: Trigger }) {
  const { apps } = usePrefetchedQuery(appsQuery).data;
  const source = apps.find(({ app }) => app === trigger.source);
  return (
    <ScrollPage label="Trigger settings">
      <div className="max-w-[720px] divide-y divide-line">
        <FormSection title="Settings">
          <Settings trigger={trigger} source={source} />
        </FormSection>
        <FormSection title="Changes">
          <History
            id={trigger.trigger_id}
            update="triggerUpdate"
            params={{ trigger_id: trigger.trigger_id }}
            current={trigger}
            invalidates={['triggerGet', 'triggerList']}
          />
        </FormSection>
        <FormSection title="Details">
          <KeyValueList
            items={[
              { name: 'Trigger ID', value: <IdText id={trigger.trigger_id} whole noun="trigger ID" /> },
              { name: 'Source', value: source?.name ?? trigger.source },
              { name: 'Event type', value: trigger.event_type, mono: true },
              { name: 'Created', value: <Time at={trigger.created_at} as="full" /> },
              { name: 'Updated', value: <Time at={trigger.updated_at} as="full" /> },
              { name: 'Last event', value: <Time at={trigger.last_event_at} as="full" /> },
              { name: 'Next firing', value: <Time at={trigger.next_fire_at} as="full" /> },
            ]}
          />
        </FormSection>
        <Ending trigger={trigger} />
      </div>
    </ScrollPage>
  );
}

function settingsOf(trigger: Trigger, fields: readonly SchemaField[]): TriggerSettings {
  return {
    name: trigger.name,
    description: trigger.description ?? '',
    parameters: initialValues(fields, trigger.parameters),
    connection_id: trigger.connection_id ?? '',
    filter: writeFilter(trigger.filter),
    secret: '',
  };
}

function filterOf({ filter }: TriggerSettings) {
  const read = readFilter(filter);
  return read.ok ? read.filter : null;
}

function Settings({ trigger, source }: { trigger: Trigger; source: App | undefined }) {
  const { trigger_id } = trigger;
  const { connections } = usePrefetchedQuery(connectionsQuery).data;
  const events = useTemplateEvents(trigger);
  const reason = useReason('triggerUpdate');
  const type = source?.event_types.find(({ event_type }) => event_type === trigger.event_type);
  const fields = (type && fieldsOf(type.parameters)) ?? [];
  const form = useSchemaForm(triggerSettingsSchema, settingsOf(trigger, fields));
  const { isDirty, dirtyFields } = form.formState;
  const update = useApiMutation('triggerUpdate', {
    failure: 'inline',
    invalidates: ['triggerList'],
    onSuccess: (reply) => queryClient.setQueryData(triggerQuery(trigger_id).queryKey, reply),
  });
  // only edited fields are sent, so a concurrent change to another field is kept
  const bodyOf = (values: TriggerSettings, parameters: Readonly<Record<string, unknown>>) => ({
    ...(dirtyFields.name ? { name: values.name } : {}),
    ...(dirtyFields.description ? { description: values.description || null } : {}),
    ...(dirtyFields.parameters ? { parameters } : {}),
    ...(dirtyFields.connection_id ? { connection_id: values.connection_id || null } : {}),
    ...(dirtyFields.filter ? { filter: filterOf(values) } : {}),
    ...(dirtyFields.secret && values.secret !== '' ? { secret: values.secret } : {}),
  });
  const save = (values: TriggerSettings) => {
    const read = readValues(fields, values.parameters);
    if (!read.ok) return showProblems(form, read.problems, 'parameters.');
    const show = keepTyped(form);
    return update.mutate(
      { params: { trigger_id }, body: bodyOf(values, read.values) },
      { onSuccess: (reply) => show(settingsOf(reply.trigger, fields)) },
    );
  };
  const asCurl = () => {
    const values = form.getValues();
    const read = readValues(fields, values.parameters);
    return curlText('triggerUpdate', { params: { trigger_id }, body: bodyOf(values, read.ok ? read.values : {}) });
  };
  const readOnly = reason !== undefined;
  return (
    <Form
      form={form}
      saveKey
      onSubmit={save}
      submitError={update.error}
      loading={update.isPending}
      submitLabel="Save changes"
      submitReason={reason ?? (isDirty ? undefined : 'There are no changes to save.')}
      onCancel={isDirty ? () => form.reset(settingsOf(trigger, fields)) : undefined}
      curl={asCurl}
    >
      <UnsavedChanges dirty={isDirty} what={`Your changes to ${trigger.name}`} />
      <ChangedElsewhere
        form={form}
        latest={settingsOf(trigger, fields)}
        noun="trigger"
        id={trigger_id}
        saving={update.isPending}
      />
      <TextField control={form.control} name="name" label="Name" readOnly={readOnly} className="max-w-80" />
      <TextAreaField
        control={form.control}
        name="description"
        label="Description"
        optional
        rows={2}
        readOnly={readOnly}
      />
      {type ? (
        <ParameterFields control={form.control} source={trigger.source} fields={fields} readOnly={readOnly} />
      ) : null}
      {source && takesConnection(source) ? (
        <ConnectionField control={form.control} app={source} connections={connections} />
      ) : null}
      {trigger.ingress?.secret === 'theirs' ? (
        <TextField
          control={form.control}
          name="secret"
          label={`Secret of ${source?.name ?? trigger.source}`}
          optional
          mono
          autoComplete="off"
          readOnly={readOnly}
          className="max-w-[480px]"
          placeholder={trigger.ingress.has_secret ? 'a secret is stored; a new one replaces it' : undefined}
          help="The signing secret as the source shows it. It is not shown again here."
        />
      ) : null}
      <FilterField
        control={form.control}
        at=""
        readOnly={readOnly}
        payload={events[0]?.payload}
        triggerId={trigger_id}
        help="Only events with a matching payload are delivered; the others are marked Skipped. Leave empty to deliver all events."
      />
    </Form>
  );
}

function Ending({ trigger }: { trigger: Trigger }) {
  const [deleting, setDeleting] = useState(false);
  const reason = useReason('triggerDelete');
  return (
    <FormSection title="Delete this trigger">
      <p className="mb-3 text-fg-2">
        Its destinations are deleted with it, and its events can no longer be read. To stop it temporarily, disable it
        instead.
      </p>
      <Button variant="danger" icon={Trash2} reason={reason} onClick={() => setDeleting(true)}>
        Delete trigger…
      </Button>
      {deleting ? <DeleteTrigger trigger={trigger} onClose={() => setDeleting(false)} /> : null}
    </FormSection>
  );
}
