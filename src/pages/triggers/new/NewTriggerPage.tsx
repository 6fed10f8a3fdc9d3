import { type RefObject, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { App, Connection } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import type { CallInput, Reply } from '../../../api/operation.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { NextStep } from '../../../components/NextStep.tsx';
import { SETTLED, UnsavedChanges } from '../../../components/UnsavedChanges.tsx';
import { Form } from '../../../forms/Form.tsx';
import { TextAreaField, TextField } from '../../../forms/fields.tsx';
import { fieldsOf, initialValues } from '../../../forms/schema-fields.ts';
import { readValues } from '../../../forms/schema-values.ts';
import { showProblems } from '../../../forms/show-problems.ts';
import { useSchemaForm } from '../../../forms/use-schema-form.ts';
import { useUnmount } from '../../../hooks/use-unmount.ts';
import type { Handle } from '../../../layouts/handle.ts';
import { ScrollPage } from '../../../layouts/ScrollPage.tsx';
import { path } from '../../../lib/path.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { JsonTree } from '../../../ui/code/JsonTree.tsx';
import { Disclosure } from '../../../ui/controls/Disclosure.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { DestinationRows } from '../destinations/DestinationRows.tsx';
import { bodyOf, newDestination } from '../destinations/destination-form.ts';
import { FilterField } from '../destinations/fields/FilterField.tsx';
import { readFilter } from '../destinations/fields/filter-text.ts';
import {
  appsQuery,
  connectionsQuery,
  functionsQuery,
  sampleEvent,
  sourcesOf,
  takesConnection,
  triggerQuery,
} from '../trigger-queries.ts';
import { ConnectionField } from './ConnectionField.tsx';
import { CreatedTrigger, type CreatedTriggerProps } from './CreatedTrigger.tsx';
import { FormSection } from './FormSection.tsx';
import { ParameterFields } from './ParameterFields.tsx';
import { SourcePicker } from './SourcePicker.tsx';
import { type NewTriggerValues, newTriggerSchema } from './trigger-form.ts';

function NoSources() {
  return (
    <EmptyState
      title="No sources"
      actions={<NextStep to={path.connectionNew({ custom: 'on' })}>Create a custom app</NextStep>}
    >
      This installation has no app that sends events, so you can’t create a trigger.
    </EmptyState>
  );
}

export const handle: Handle = { crumb: 'New trigger' };
export const loader = () => ensure(appsQuery, connectionsQuery, functionsQuery);

/** `search_id`: the saved search that a link gives the trigger to watch. */
const defaults = { source: '', event_type: '', search_id: '' };

/** Creates a trigger on one page, from source to destinations. */
export function Component() {
  const [url, setUrl] = useUrlState(defaults);
  const sources = sourcesOf(usePrefetchedQuery(appsQuery).data.apps);
  const { connections } = usePrefetchedQuery(connectionsQuery).data;
  const source = sources.find(({ app }) => app === (url.source || 'schedule')) ?? sources[0];
  const connected = useMemo(() => new Set(connections.map(({ app }) => app)), [connections]);
  const types = source?.event_types ?? [];
  const type = types.find(({ event_type }) => isNamed(event_type, source?.app, url.event_type)) ?? types[0];
  const [made, setMade] = useState<CreatedTriggerProps>();
  const kept = useRef<Kept>(undefined);
  if (made) {
    return (
      <>
        <PageHead title={`${made.trigger.name} is ready`} />
        <ScrollPage label="Finish setup">
          <CreatedTrigger {...made} />
        </ScrollPage>
      </>
    );
  }
  return (
    <>
      <PageHead title="New trigger" />
      <ScrollPage label="New trigger">
        {source && type ? (
          <div className="max-w-[720px] divide-y divide-line border-t border-line">
            <FormSection title="Source">
              <SourcePicker
                sources={sources}
                source={source}
                eventType={type.event_type}
                connected={connected}
                onChange={(app, event_type) => setUrl({ source: app, event_type })}
              />
            </FormSection>
            <NewTriggerForm
              key={`${source.app} ${type.event_type}`}
              source={source}
              type={type}
              connections={connections}
              kept={kept}
              given={url.search_id ? { search_id: url.search_id } : {}}
              onMade={({ trigger, signing_secrets }) => setMade({ trigger, source, secrets: signing_secrets })}
            />
          </div>
        ) : (
          <NoSources />
        )}
      </ScrollPage>
    </>
  );
}

type EventType = App['event_types'][number];

/** A link may name an event type without its source: `push` for `github.push`. */
const isNamed = (event_type: string, app: string | undefined, name: string) =>
  event_type === name || event_type === `${app}.${name}`;
/** Input that does not depend on the source: it survives a change of source. */
type Kept = Pick<NewTriggerValues, 'name' | 'description' | 'destinations'>;
type Body = CallInput<'triggerCreate'>['body'];

function bodyFor(
  source: App,
  { event_type }: EventType,
  values: NewTriggerValues,
  parameters: Body['parameters'],
): Body {
  const { name, description, connection_id, secret, destinations } = values;
  const read = readFilter(values.filter);
  return {
    source: source.app,
    event_type,
    ...(name === '' ? {} : { name }),
    ...(description === '' ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(connection_id === '' ? {} : { connection_id }),
    ...(read.ok && read.filter ? { filter: read.filter } : {}),
    ...(secret === '' ? {} : { secret }),
    destinations: destinations.map(bodyOf),
  };
}

/** A sample event of the chosen type. */
function SampleSection({ type }: { type: EventType }) {
  return (
    <section className="px-4 py-3 max-sm:px-3">
      <Disclosure summary={`Sample event of type ${type.event_type}`}>
        <JsonTree text={JSON.stringify(type.sample)} label={`Sample of ${type.event_type}`} pathPrefix="payload" />
      </Disclosure>
    </section>
  );
}

interface NewTriggerFormProps {
  readonly source: App;
  readonly type: EventType;
  readonly connections: readonly Connection[];
  readonly kept: RefObject<Kept | undefined>;
  /** Parameters from the link. */
  readonly given: Readonly<Record<string, string>>;
  readonly onMade: (made: Reply<'triggerCreate'>) => void;
}

function NewTriggerForm({ source, type, connections, kept, given, onMade }: NewTriggerFormProps) {
  const navigate = useNavigate();
  const reason = useReason('triggerCreate');
  const fields = fieldsOf(type.parameters) ?? [];
  const events = useMemo(() => {
    const sample = sampleEvent(source, type.event_type);
    return sample ? [sample] : [];
  }, [source, type]);
  const form = useSchemaForm(newTriggerSchema, {
    name: '',
    description: '',
    parameters: initialValues(fields, given),
    connection_id: '',
    filter: '',
    secret: '',
    destinations: [newDestination],
    ...kept.current,
  });
  const dirty = form.formState.isDirty || kept.current !== undefined;
  useUnmount(() => {
    const { name, description, destinations } = form.getValues();
    if (form.formState.isDirty) kept.current = { name, description, destinations };
  });
  const create = useApiMutation('triggerCreate', {
    failure: 'inline',
    invalidates: ['triggerList'],
    onSuccess: (made) => {
      const { trigger, signing_secrets } = made;
      if (trigger.ingress || signing_secrets.length > 0) {
        kept.current = undefined;
        form.reset(form.getValues());
        return onMade(made);
      }
      queryClient.setQueryData(triggerQuery(trigger.trigger_id).queryKey, { trigger });
      return navigate(path.trigger(trigger.trigger_id), { state: SETTLED });
    },
  });
  const submit = (values: NewTriggerValues) => {
    const read = readValues(fields, values.parameters);
    if (read.ok) create.mutate({ body: bodyFor(source, type, values, read.values) });
    else showProblems(form, read.problems, 'parameters.');
  };
  const asCurl = () => {
    const values = form.getValues();
    const read = readValues(fields, values.parameters);
    return curlText('triggerCreate', { body: bodyFor(source, type, values, read.ok ? read.values : {}) });
  };
  return (
    <Form
      form={form}
      saveKey
      onSubmit={submit}
      submitError={create.error}
      loading={create.isPending}
      submitLabel="Create trigger"
      submitReason={reason}
      onCancel={() => void navigate(path.triggers())}
      curl={asCurl}
    >
      <UnsavedChanges dirty={dirty} what="This new trigger" />
      <div className="divide-y divide-line border-b border-line">
        <SampleSection type={type} />
        <FormSection title={source.app === 'schedule' ? 'Schedule' : 'Parameters'}>
          <ParameterFields control={form.control} source={source.app} fields={fields} />
        </FormSection>
        {takesConnection(source) ? (
          <FormSection title="Connection">
            <ConnectionField control={form.control} app={source} connections={connections} />
          </FormSection>
        ) : null}
        {source.source?.secret === 'theirs' ? (
          <FormSection title="Secret">
            <TextField
              control={form.control}
              name="secret"
              label={`Secret of ${source.name}`}
              optional
              mono
              autoComplete="off"
              className="max-w-[480px]"
              help={`${source.name} shows it where you enter the webhook URL. You can add it later in the settings; until then, requests are rejected.`}
            />
          </FormSection>
        ) : null}
        <FormSection title="Filter">
          <FilterField
            control={form.control}
            at=""
            payload={events[0]?.payload}
            triggerId={undefined}
            help="Only events with a matching payload are delivered; the others are marked Skipped. Leave empty to deliver all events."
          />
        </FormSection>
        <FormSection title="Destinations">
          <DestinationRows form={form} events={events} />
        </FormSection>
        <FormSection title="Details">
          <div className="grid gap-4">
            <TextField
              control={form.control}
              name="name"
              label="Name"
              optional
              placeholder="from its source and parameters"
              className="max-w-80"
            />
            <TextAreaField control={form.control} name="description" label="Description" optional rows={2} />
          </div>
        </FormSection>
      </div>
    </Form>
  );
}
