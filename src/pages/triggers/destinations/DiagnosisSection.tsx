import { Play, Stethoscope } from 'lucide-react';
import { useState } from 'react';
import type { Destination } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import type { Reply } from '../../../api/operation.ts';
import { useReason } from '../../../api/session.ts';
import { failureWords } from '../../../components/deliveries/delivery-words.ts';
import { HttpMessage } from '../../../components/deliveries/HttpMessage.tsx';
import { Link } from '../../../components/Link.tsx';
import { FormError } from '../../../forms/Form.tsx';
import { formatDuration } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Chip } from '../../../ui/controls/Chip.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { PanelSection } from '../../../ui/overlays/Panel.tsx';
import type { TemplateEvent } from './fields/template-text.ts';

type Step = Reply<'destinationDoctor'>['steps'][number];
type Trial = Reply<'destinationTest'>['result'];

const STEPS: Record<Step['step'], string> = {
  DNS: 'DNS',
  ADDRESS: 'URL',
  CONNECT: 'Connect',
  TLS: 'TLS',
  ANSWER: 'Response',
};

export interface DiagnosisSectionProps {
  readonly triggerId: string;
  readonly destination: Destination;
  readonly events: readonly TemplateEvent[];
  /** Why the tests are disabled: the form has unsaved changes. */
  readonly notNow: string | undefined;
}

/** Tests a destination without an event: a test send, or a step-by-step diagnosis of the endpoint. */
export function DiagnosisSection({ triggerId, destination, events, notNow }: DiagnosisSectionProps) {
  const params = { trigger_id: triggerId, destination_id: destination.destination_id };
  const [eventId, setEventId] = useState('');
  const trial = useApiMutation('destinationTest', { failure: 'inline', invalidates: ['destinationGet'] });
  const diagnosis = useApiMutation('destinationDoctor', { failure: 'inline' });
  const payload = events.find(({ event_id }) => event_id === eventId)?.payload;
  const trialReason = useReason('destinationTest') ?? notNow;
  const diagnosisReason = useReason('destinationDoctor') ?? notNow;
  const error = trial.error ?? diagnosis.error;
  return (
    <PanelSection title="Test" note="not stored as an event">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          icon={Play}
          reason={trialReason}
          pending={trial.isPending}
          onClick={() => trial.mutate({ params, body: payload ? { payload } : {} })}
        >
          Test send
        </Button>
        <span className="text-12 text-fg-3">with</span>
        <Select
          aria-label="Test payload"
          className="max-w-56"
          value={eventId}
          onChange={({ target }) => setEventId(target.value)}
          options={[
            { value: '', label: 'Sample event' },
            ...events.map(({ event_id, received_at }) => ({
              value: event_id,
              label: `Event of ${received_at.slice(0, 19).replace('T', ' ')}`,
            })),
          ]}
        />
        <Button
          icon={Stethoscope}
          reason={diagnosisReason}
          pending={diagnosis.isPending}
          onClick={() => diagnosis.mutate({ params })}
        >
          {diagnosis.data ? 'Diagnose again' : 'Diagnose endpoint'}
        </Button>
      </div>
      {error ? (
        <div className="mt-2">
          <FormError error={error} />
        </div>
      ) : null}
      <div role="status">{diagnosis.data ? <Steps steps={diagnosis.data.steps} /> : null}</div>
      <div role="status">{trial.data ? <TrialView trial={trial.data.result} /> : null}</div>
    </PanelSection>
  );
}

function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol aria-label="Diagnosis" className="mt-3 grid gap-1 text-12/5">
      {steps.map(({ step, ok, detail, duration_ms }) => (
        <li key={step} className="grid grid-cols-[92px_minmax(0,1fr)_max-content] items-baseline gap-3">
          <Chip quiet tone={ok ? 'ok' : 'bad'}>
            {STEPS[step]}
            <span className="sr-only">{ok ? ': fine' : ': failed'}</span>
          </Chip>
          <span className={ok ? 'wrap-anywhere text-fg-2' : 'wrap-anywhere text-bad-fg'}>{detail}</span>
          <span className="data text-fg-3">{formatDuration(duration_ms)}</span>
        </li>
      ))}
    </ol>
  );
}

function TrialView({ trial }: { trial: Trial }) {
  const { ok, request, response, reason, error_message, duration_ms, run_id, function_id } = trial;
  return (
    <div className="mt-3 grid gap-2">
      <p className="flex flex-wrap items-center gap-2 text-12">
        <Chip tone={ok ? 'ok' : 'bad'} data={response?.status}>
          {ok ? 'Succeeded' : 'Failed'}
        </Chip>
        <span className="data text-fg-3">{formatDuration(duration_ms)}</span>
        {reason ? (
          <span className="wrap-anywhere text-fg-2">{failureWords(reason, error_message, request)}</span>
        ) : null}
        {run_id && function_id ? (
          <Link className="link inline-flex min-h-6 items-center" to={path.run(function_id, run_id)}>
            Open run
          </Link>
        ) : null}
      </p>
      {request ? (
        <HttpMessage
          label="Test request"
          first={`${request.method} ${request.url}`}
          headers={request.headers}
          body={request.body}
        />
      ) : null}
      {response ? (
        <HttpMessage
          label="Test response"
          first={String(response.status)}
          headers={response.headers}
          body={response.body}
        />
      ) : null}
    </div>
  );
}
