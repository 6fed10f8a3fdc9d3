import { useState } from 'react';
import { type LoaderFunctionArgs, useNavigate, useParams } from 'react-router';
import { isConnectionUrl } from '../../../../contract/text/connection-url.ts';
import { isMailUrl } from '../../../../contract/text/mail-url.ts';
import type { Destination } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { useReason } from '../../../api/session.ts';
import { curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { SETTLED, UnsavedChanges } from '../../../components/UnsavedChanges.tsx';
import { Form } from '../../../forms/Form.tsx';
import { useSchemaForm } from '../../../forms/use-schema-form.ts';
import type { Handle } from '../../../layouts/handle.ts';
import { path } from '../../../lib/path.ts';
import { Panel } from '../../../ui/overlays/Panel.tsx';
import {
  appsQuery,
  connectionsQuery,
  functionsQuery,
  idIn,
  triggerQuery,
  useTemplateEvents,
} from '../trigger-queries.ts';
import { DestinationFields } from './DestinationFields.tsx';
import { bodyOf, destinationSchema, newDestination } from './destination-form.ts';
import { SecretOnce } from './SecretOnce.tsx';

export const handle: Handle = { crumb: 'New destination' };
export const loader = ({ params }: LoaderFunctionArgs) =>
  ensure(triggerQuery(idIn(params)), functionsQuery, appsQuery, connectionsQuery);

/** Emails and requests to connected apps are not signed. */
const isSigned = (url: string) => !isMailUrl(url) && !isConnectionUrl(url);

/** Adds a destination to the trigger. */
export function Component() {
  const trigger_id = idIn(useParams());
  const { trigger } = usePrefetchedQuery(triggerQuery(trigger_id)).data;
  const navigate = useNavigate();
  const [made, setMade] = useState<Destination>();
  const events = useTemplateEvents(trigger);
  const reason = useReason('destinationCreate');
  const form = useSchemaForm(destinationSchema, newDestination);
  const open = ({ destination_id }: Destination) =>
    void navigate(path.destination(trigger_id, destination_id), { replace: true, state: SETTLED });
  const create = useApiMutation('destinationCreate', {
    failure: 'inline',
    invalidates: ['triggerGet', 'triggerList', 'destinationList'],
    onSuccess: ({ destination }) => {
      setMade(destination);
      if (!isSigned(destination.url)) open(destination);
    },
  });
  const close = () => void navigate(path.trigger(trigger_id, 'destinations'), { preventScrollReset: true });
  const params = { trigger_id };
  const hasNote = isSigned(form.watch('url'));
  const hasSecret = made !== undefined && isSigned(made.url);
  return (
    <Panel mode="over" title={`New destination of ${trigger.name}`} onClose={close}>
      <div className="px-4 py-3">
        <Form
          form={form}
          saveKey
          onSubmit={(values) => create.mutate({ params, body: bodyOf(values) })}
          submitError={create.error}
          loading={create.isPending}
          submitLabel="Add destination"
          submitReason={reason}
          onCancel={close}
          note={hasNote ? 'Its signing secret is shown once, right after.' : undefined}
          curl={() => curlText('destinationCreate', { params, body: bodyOf(form.getValues()) })}
        >
          <DestinationFields control={form.control} at="" events={events} triggerId={trigger_id} />
        </Form>
      </div>
      <UnsavedChanges dirty={form.formState.isDirty && !made} what="This new destination" />
      {hasSecret ? (
        <SecretOnce
          title={`${made.name} is ready`}
          description="Copy its signing secret now; it can’t be shown again. Every delivery is signed with it in the header webhook-signature, as Standard Webhooks describes."
          secret={made.signing_secret}
          onClose={() => open(made)}
        />
      ) : null}
    </Panel>
  );
}
