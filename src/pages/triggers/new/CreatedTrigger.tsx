import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import type { App, Trigger } from '../../../api/entities.ts';
import type { Reply } from '../../../api/operation.ts';
import { Link } from '../../../components/Link.tsx';
import { path } from '../../../lib/path.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { SecretText } from '../destinations/SecretOnce.tsx';
import { TestOutcome } from '../destinations/TestOutcome.tsx';
import { useTestEvent } from '../destinations/use-test-event.ts';
import { HookState } from '../HookState.tsx';
import { triggerQuery } from '../trigger-queries.ts';
import { FormSection } from './FormSection.tsx';
import { SetupSteps } from './SetupSteps.tsx';
import type { Ingress } from './trigger-setup.ts';

type SigningSecret = Reply<'triggerCreate'>['signing_secrets'][number];
export interface CreatedTriggerProps {
  /** The trigger with its secret in clear text, shown once. */
  readonly trigger: Trigger;
  readonly source: App;
  /** The signing secrets of its destinations, shown once. */
  readonly secrets: readonly SigningSecret[];
}

/** The steps after creating a trigger: setup at the source, secrets to copy, and a test event. */
export function CreatedTrigger({ trigger, source, secrets }: CreatedTriggerProps) {
  const { trigger_id, destinations, ingress } = trigger;
  const [testId, setTestId] = useState<string>();
  const test = useTestEvent(trigger, (event) => setTestId(event.event_id));
  return (
    <div className="max-w-[720px] divide-y divide-line border-y border-line">
      {ingress ? <Setup trigger={trigger} ingress={ingress} source={source} /> : null}
      {secrets.length > 0 ? <Secrets secrets={secrets} /> : null}
      <FormSection title="Test the trigger">
        <p className="mb-2 text-fg-2">
          A test event uses the sample of {trigger.event_type} and is delivered like any other
          {destinations.length === 0 ? '. There is no destination yet, so it is only stored.' : '.'}
        </p>
        <div className="flex flex-wrap items-center gap-2">
          <Button icon={Play} reason={test.reason} pending={test.pending} onClick={test.send}>
            Send a test event
          </Button>
          <span role="status">
            {testId && destinations[0] ? (
              <TestOutcome triggerId={trigger_id} eventId={testId} destinationId={destinations[0].destination_id} />
            ) : testId ? (
              <Link className="link" to={path.triggerEvent(trigger_id, testId)}>
                Open event
              </Link>
            ) : null}
          </span>
          <span className="ml-auto">
            <LinkButton variant="primary" render={<Link to={path.trigger(trigger_id)} />}>
              Open the trigger
            </LinkButton>
          </span>
        </div>
      </FormSection>
    </div>
  );
}

/** The webhook URL: registered automatically or entered manually. Updates with the registration state. */
function Setup({ trigger, ingress, source }: { trigger: Trigger; ingress: Ingress; source: App }) {
  const live = useQuery(triggerQuery(trigger.trigger_id)).data?.trigger.ingress ?? ingress;
  const isRegistered = live.hook === 'REGISTERED';
  const byHand = live.hook === 'MANUAL' || live.hook === 'FAILED';
  return (
    <FormSection title={isRegistered ? `${source.name} is registered` : `Set up ${source.name}`}>
      <div className="grid gap-4">
        <HookState trigger={trigger} ingress={live} appName={source.name} />
        <div>
          <h3 className="mb-1 text-12 font-medium text-fg-2">Webhook URL</h3>
          <div className="flex items-center gap-2 rounded border border-line-2 bg-sunken py-1.5 pr-1.5 pl-3">
            <code className="min-w-0 flex-1 wrap-anywhere select-all">{ingress.url}</code>
            <CopyButton text={ingress.url} label="Copy URL" size="md" variant="default">
              Copy URL
            </CopyButton>
          </div>
        </div>
        {ingress.secret === 'ours' && ingress.signing_secret && byHand ? (
          <div>
            <h3 className="mb-1 text-12 font-medium text-fg-2">Secret: copy it now, it can’t be shown again</h3>
            <SecretText secret={ingress.signing_secret} />
          </div>
        ) : null}
        {isRegistered ? (
          <p className="text-fg-2">
            Registered automatically. Deleting the trigger removes the registration.
            {live.has_secret ? null : ' The app signs with its own secret: enter it in the trigger’s settings.'}
          </p>
        ) : byHand ? (
          <SetupSteps app={source} ingress={ingress} />
        ) : null}
      </div>
    </FormSection>
  );
}

function Secrets({ secrets }: { secrets: readonly SigningSecret[] }) {
  const one = secrets.length === 1;
  return (
    <FormSection title={one ? 'Signing secret of the destination' : 'Signing secrets of the destinations'}>
      <p className="mb-3 text-fg-2">
        Every delivery is signed in the header <code>webhook-signature</code>, as Standard Webhooks describes. Copy{' '}
        {one ? 'the secret' : 'them'} now: {one ? 'it' : 'they'} can’t be shown again.
      </p>
      <ul className="grid gap-3">
        {secrets.map(({ destination_id, name, signing_secret }) => (
          <li key={destination_id}>
            <h3 className="mb-1 text-12 font-medium wrap-anywhere text-fg-2">{name}</h3>
            <SecretText secret={signing_secret} label={`Copy secret of ${name}`} />
          </li>
        ))}
      </ul>
    </FormSection>
  );
}
