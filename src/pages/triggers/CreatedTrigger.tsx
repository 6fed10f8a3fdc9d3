import { Play } from 'lucide-react';
import { useState } from 'react';
import type { App, Trigger } from '../../api/entities.ts';
import { Link } from '../../components/Link.tsx';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { FormSection } from './FormSection.tsx';
import { SecretText } from './SecretOnce.tsx';
import { SetupSteps } from './SetupSteps.tsx';
import { TestOutcome } from './TestOutcome.tsx';
import type { Ingress } from './trigger-setup.ts';
import { useTestEvent } from './use-test-event.ts';

export interface CreatedTriggerProps {
  readonly trigger: Trigger;
  /** With its secret in clear: the only time it is seen. */
  readonly ingress: Ingress;
  readonly source: App;
}

/** What is left to do once a trigger is there: what to paste where, and a test event. */
export function CreatedTrigger({ trigger, ingress, source }: CreatedTriggerProps) {
  const { trigger_id, destinations } = trigger;
  const [testId, setTestId] = useState<string>();
  const test = useTestEvent(trigger, (event) => setTestId(event.event_id));
  const told = ingress.hook === 'REGISTERED';
  return (
    <div className="max-w-[720px] divide-y divide-line border-y border-line">
      <FormSection title={told ? `${source.name} sends here now` : `What to do in ${source.name}`}>
        <div className="grid gap-4">
          {ingress.hook === 'FAILED' ? (
            <p role="alert" className="wrap-anywhere text-bad-fg">
              {source.name} refused the address: {ingress.message}
            </p>
          ) : null}
          <div>
            <h3 className="mb-1 text-12 font-medium text-fg-2">Address</h3>
            <div className="flex items-center gap-2 rounded border border-line-2 bg-sunken py-1.5 pr-1.5 pl-3">
              <code className="min-w-0 flex-1 wrap-anywhere select-all">{ingress.url}</code>
              <CopyButton text={ingress.url} label="Copy address" size="md" variant="default">
                Copy address
              </CopyButton>
            </div>
          </div>
          {ingress.secret === 'ours' && ingress.signing_secret && !told ? (
            <div>
              <h3 className="mb-1 text-12 font-medium text-fg-2">Secret: copy it now, it can’t be shown again</h3>
              <SecretText secret={ingress.signing_secret} />
            </div>
          ) : null}
          {told ? (
            <p className="text-fg-2">It was told by itself. Deleting the trigger takes the hook away again.</p>
          ) : (
            <SetupSteps app={source} ingress={ingress} />
          )}
        </div>
      </FormSection>
      <FormSection title="See that it works">
        <p className="mb-2 text-fg-2">
          A test event is made from the sample of {trigger.event_type} and takes the same way as any other
          {destinations.length === 0 ? '. It is only kept, as there is no destination yet.' : '.'}
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
