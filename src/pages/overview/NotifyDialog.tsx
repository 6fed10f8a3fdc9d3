import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import type { Trigger } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import type { Reply } from '../../api/operation.ts';
import { curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { failureWords } from '../../components/deliveries/delivery-words.ts';
import { Link } from '../../components/Link.tsx';
import { Form, FormError } from '../../forms/Form.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Chip } from '../../ui/controls/Chip.tsx';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';
import { isIntegrationKey, notifyTrigger, targetOf } from './notify-target.ts';

const EXPECTED = 'Enter the URL of a webhook, an email address, or a PagerDuty integration key.';
const KEY_EXPECTED = 'Enter the integration key: 32 letters and digits.';

/** The pasted text has the name of the request's field, so that an error of the service is shown there. */
const schema = z
  .object({
    destinations: z.array(
      z.object({ url: z.string().check(z.refine((text) => targetOf(text) !== undefined, EXPECTED)) }),
    ),
    key: z.string(),
  })
  .check(
    z.refine(({ destinations: [first], key }) => !targetOf(first?.url ?? '')?.needsKey || isIntegrationKey(key), {
      error: KEY_EXPECTED,
      path: ['key'],
    }),
  );

type Made = Pick<Trigger, 'trigger_id' | 'destinations'>;

/** Creates a trigger for every failure with one destination, and sends it a test message. */
export default function NotifyDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<Made>();
  const form = useSchemaForm(schema, { destinations: [{ url: '' }], key: '' });
  const [pasted, key] = useWatch({ control: form.control, name: ['destinations.0.url', 'key'] });
  const target = targetOf(pasted);
  const trial = useApiMutation('destinationTest', { failure: 'inline' });
  const create = useApiMutation('triggerCreate', {
    failure: 'inline',
    invalidates: ['triggerList'],
    onSuccess: ({ trigger }) => {
      setMade(trigger);
      const [destination] = trigger.destinations;
      if (!destination) return;
      const { trigger_id } = trigger;
      trial.mutate({ params: { trigger_id, destination_id: destination.destination_id }, body: {} });
    },
  });
  const name = target?.name ?? '';
  if (made) {
    const isRejected = trial.data?.result.ok === false;
    const title = isRejected ? 'The test message was not accepted' : 'Notifications are on';
    return (
      <Dialog open onClose={onClose} title={title} foot={<MadeActions made={made} onClose={onClose} />}>
        <div role="status" className="grid gap-2">
          {trial.isPending ? <p className="text-fg-2">Sending a test message…</p> : null}
          {trial.data ? <TrialResult name={name} result={trial.data.result} made={made} /> : null}
          {trial.error ? <FormError error={trial.error} /> : null}
        </div>
      </Dialog>
    );
  }
  const body = () => (target ? { body: notifyTrigger(target, key) } : undefined);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Notify me when something fails"
      description="Sends a message when a connection, destination, source or function fails, and when it recovers."
    >
      <Form
        form={form}
        onSubmit={() => {
          const input = body();
          if (input) create.mutate(input);
        }}
        submitError={create.error}
        loading={create.isPending}
        submitLabel="Create and send a test"
        onCancel={onClose}
        curl={async () => {
          const input = body();
          return input ? curlText('triggerCreate', input) : EXPECTED;
        }}
      >
        <TextField
          control={form.control}
          name="destinations.0.url"
          label="Send to"
          mono
          autoFocus
          placeholder="https://… or ops@example.com"
          aside={target ? <span className="font-medium text-fg-2">{target.name}</span> : undefined}
          help="The webhook URL of Slack, Microsoft Teams, Discord or another service, an email address, or a PagerDuty integration key."
        />
        {target?.needsKey ? (
          <TextField
            control={form.control}
            name="key"
            label="Integration key"
            mono
            help="Of an Events API V2 integration of your PagerDuty service."
          />
        ) : null}
      </Form>
    </Dialog>
  );
}

function MadeActions({ made, onClose }: { made: Made; onClose: () => void }) {
  return (
    <>
      <LinkButton render={<Link to={path.trigger(made.trigger_id)} />}>Open the trigger</LinkButton>
      <Button variant="primary" onClick={onClose}>
        Done
      </Button>
    </>
  );
}

type Trial = Reply<'destinationTest'>['result'];

function TrialResult({ name, result, made }: { name: string; result: Trial; made: Made }) {
  const { ok, response, reason, error_message, request } = result;
  const destination = made.destinations[0]?.destination_id ?? '';
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <Chip tone={ok ? 'ok' : 'bad'} data={response?.status}>
          {ok ? 'Succeeded' : 'Failed'}
        </Chip>
        <span>{ok ? `${name} accepted a test message.` : 'The trigger was created. Correct its destination.'}</span>
      </p>
      {reason ? (
        <p className="wrap-anywhere text-fg-2">
          {failureWords(reason, error_message, request)}{' '}
          {reason === 'HTTP_STATUS' ? response?.body.slice(0, 300) : null}
        </p>
      ) : null}
      {ok ? null : (
        <p>
          <Link className="link" to={path.destination(made.trigger_id, destination)}>
            Change the destination
          </Link>
        </p>
      )}
    </>
  );
}
