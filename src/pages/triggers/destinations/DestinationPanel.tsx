import { useId } from 'react';
import { type LoaderFunctionArgs, useNavigate, useParams } from 'react-router';
import { isConnectionUrl } from '../../../../contract/text/connection-url.ts';
import { isMailUrl } from '../../../../contract/text/mail-url.ts';
import type { Destination, Trigger } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { History } from '../../../components/history/History.tsx';
import { IdText } from '../../../components/IdText.tsx';
import { EnabledChip } from '../../../components/status.tsx';
import { UnsavedChanges } from '../../../components/UnsavedChanges.tsx';
import { ChangedElsewhere } from '../../../forms/ChangedElsewhere.tsx';
import { Form } from '../../../forms/Form.tsx';
import { keepTyped } from '../../../forms/keep-typed.ts';
import { useSchemaForm } from '../../../forms/use-schema-form.ts';
import type { CrumbArgs, Handle } from '../../../layouts/handle.ts';
import { path } from '../../../lib/path.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { KeyCap } from '../../../ui/KeyCap.tsx';
import { Panel } from '../../../ui/overlays/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { EnableActions } from '../EnableActions.tsx';
import { HealthSection } from '../HealthSection.tsx';
import {
  appsQuery,
  connectionsQuery,
  destinationIdIn,
  destinationQuery,
  functionsQuery,
  idIn,
  newestQuery,
  triggerQuery,
  useTemplateEvents,
} from '../trigger-queries.ts';
import { DestinationActions, DestinationMenu, NOT_SAVED } from './DestinationActions.tsx';
import { DestinationNotice } from './DestinationFacts.tsx';
import { DestinationFields } from './DestinationFields.tsx';
import { DiagnosisSection } from './DiagnosisSection.tsx';
import { changesOf, type DestinationValues, namedDestinationSchema, valuesOf } from './destination-form.ts';
import { SigningSection } from './SigningSection.tsx';
import { TransformSection } from './TransformSection.tsx';

const queryIn = (params: CrumbArgs['params']) => destinationQuery(idIn(params), destinationIdIn(params));

export const handle: Handle = {
  crumb: ({ params, cached }) => cached(queryIn(params))?.destination.name ?? 'Destination',
};
export const loader = ({ params }: LoaderFunctionArgs) =>
  ensure(
    queryIn(params),
    triggerQuery(idIn(params)),
    newestQuery(idIn(params)),
    appsQuery,
    connectionsQuery,
    functionsQuery,
  );

/** The editor of a destination, over the list of destinations. */
export function Component() {
  const params = useParams();
  const { destination } = usePrefetchedQuery(queryIn(params)).data;
  const { trigger } = usePrefetchedQuery(triggerQuery(idIn(params))).data;
  return <Editor key={destination.destination_id} destination={destination} trigger={trigger} />;
}

const WORDS: Record<keyof DestinationValues, string> = {
  url: 'address',
  method: 'method',
  name: 'name',
  headers: 'headers',
  body_template: 'body template',
  body_source: 'body',
  body_format: 'format',
  forward_headers: 'forwarded headers',
  filter: 'filter',
  retry_schedule: 'retries',
  rate_limit: 'rate limit',
  max_in_flight: 'concurrency',
  timeout_seconds: 'timeout',
  ordering: 'order',
};

function Editor({ destination, trigger }: { destination: Destination; trigger: Trigger }) {
  const { trigger_id } = trigger;
  const { destination_id } = destination;
  const navigate = useNavigate();
  const formId = useId();
  const events = useTemplateEvents(trigger);
  const reason = useReason('destinationUpdate');
  const form = useSchemaForm(namedDestinationSchema, valuesOf(destination));
  const { isDirty, dirtyFields } = form.formState;
  const update = useApiMutation('destinationUpdate', {
    failure: 'inline',
    invalidates: ['triggerGet', 'triggerList', 'destinationList'],
    onSuccess: (reply) => queryClient.setQueryData(destinationQuery(trigger_id, destination_id).queryKey, reply),
  });
  const save = (values: DestinationValues) => {
    const show = keepTyped(form);
    update.mutate(
      { params: { trigger_id, destination_id }, body: changesOf(values, dirtyFields) },
      { onSuccess: (reply) => show(valuesOf(reply.destination)) },
    );
  };
  const changed = Object.keys(dirtyFields).map((field) => WORDS[field as keyof DestinationValues]);
  return (
    <Panel
      mode="over"
      title={destination.name}
      status={
        <EnabledChip status={destination.status} reason={destination.reason} paused={destination.paused_at !== null} />
      }
      tools={<DestinationMenu destination={destination} trigger={trigger} />}
      meta={
        <>
          <IdText id={destination_id} whole noun="destination ID" />
          <span className="ml-auto flex-none">
            changed <Time at={destination.updated_at} />
          </span>
        </>
      }
      actions={<DestinationActions destination={destination} trigger={trigger} unsaved={isDirty} />}
      foot={
        isDirty ? (
          <>
            <Button type="submit" form={formId} variant="primary" pending={update.isPending} reason={reason}>
              Save changes
            </Button>
            <Button onClick={() => form.reset(valuesOf(destination))}>Discard</Button>
            <span className="flex min-w-0 items-center gap-1.5 text-12 text-fg-3" role="status">
              Changed: {changed.join(', ')} <KeyCap>mod+s</KeyCap>
            </span>
          </>
        ) : null
      }
      onClose={() => void navigate(path.trigger(trigger_id, 'destinations'), { preventScrollReset: true })}
    >
      <DestinationNotice
        triggerId={trigger_id}
        destination={destination}
        enable={<EnableActions destination={destination} triggerId={trigger_id} />}
      />
      <HealthSection triggerId={trigger_id} destination={destination} />
      <div className="border-b border-line px-4 py-3">
        <Form
          id={formId}
          form={form}
          saveKey={isDirty}
          onSubmit={save}
          submitError={update.error}
          loading={update.isPending}
          submitLabel="Save changes"
          submitReason={reason}
        >
          <ChangedElsewhere
            form={form}
            latest={valuesOf(destination)}
            noun="destination"
            id={destination_id}
            saving={update.isPending}
          />
          <DestinationFields
            control={form.control}
            at=""
            named
            readOnly={reason !== undefined}
            events={events}
            triggerId={trigger_id}
          />
        </Form>
      </div>
      <div className="border-b border-line px-4 py-3">
        <History
          id={destination_id}
          update="destinationUpdate"
          params={{ trigger_id, destination_id }}
          current={{ ...destination, paused: destination.paused_at !== null }}
          invalidates={['destinationGet', 'destinationList', 'triggerGet', 'triggerList', 'triggerStats']}
        />
      </div>
      <UnsavedChanges dirty={isDirty} what={`Your changes to ${destination.name}`} />
      {isMailUrl(destination.url) ? null : <TransformSection triggerId={trigger_id} destination={destination} />}
      {isMailUrl(destination.url) || isConnectionUrl(destination.url) ? null : (
        <SigningSection triggerId={trigger_id} destination={destination} />
      )}
      <DiagnosisSection
        triggerId={trigger_id}
        destination={destination}
        events={events}
        notNow={isDirty ? NOT_SAVED : undefined}
      />
    </Panel>
  );
}
