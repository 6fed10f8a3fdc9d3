/** Loaded on demand. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toApiError } from '../../../api/api-error.ts';
import type { Attempt } from '../../../api/entities.ts';
import { q } from '../../../api/queries.ts';
import { CodeBlock } from '../../../ui/code/CodeBlock.tsx';
import type { CodeLanguage } from '../../../ui/code/code-tokens.ts';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { Time } from '../../../ui/Time.tsx';
import { type SignedDelivery, type VerifyLanguage, verifySnippet } from './verify-snippets.ts';

const OPTIONS: readonly { value: VerifyLanguage; label: string }[] = [
  { value: 'node', label: 'Node' },
  { value: 'python', label: 'Python' },
  { value: 'go', label: 'Go' },
  { value: 'shell', label: 'openssl' },
];
const LANGUAGE: Record<VerifyLanguage, CodeLanguage> = {
  node: 'javascript',
  python: 'python',
  go: 'text',
  shell: 'bash',
};

export interface VerifySnippetsProps {
  readonly triggerId: string;
  readonly destinationId: string;
}

/** Code that verifies a signature, with the bytes of the destination's latest delivery. */
export default function VerifySnippets({ triggerId, destinationId }: VerifySnippetsProps) {
  const [language, setLanguage] = useState<VerifyLanguage>('node');
  const last = useLastAttempt(triggerId, destinationId);
  if (last.error) return <p className="mt-2 text-12 text-bad-fg">{toApiError(last.error).message}</p>;
  if (last.pending) return <SkeletonLines lines={6} />;
  const delivery = last.attempt && signedOf(last.attempt);
  if (!last.attempt || !delivery)
    return (
      <p className="mt-2 text-12 text-fg-2">
        No deliveries yet. Send a test event to get snippets that check a real delivery.
      </p>
    );
  const code = verifySnippet(language, delivery);
  return (
    <div className="mt-3">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <SegmentedControl label="Language" size="sm" options={OPTIONS} value={language} onChange={setLanguage} />
        <span className="text-12 text-fg-3">
          checks the delivery of <Time at={last.attempt.started_at} />
        </span>
        <span className="ml-auto">
          <CopyButton text={code} label="Copy the snippet">
            Copy
          </CopyButton>
        </span>
      </div>
      <CodeBlock code={code} language={LANGUAGE[language]} label="Verify snippet" wrap className="max-h-96" />
      <p className="mt-1 text-12 text-fg-3">
        Set <span className="data">WEBHOOK_SECRET</span> to the secret and run the snippet. It prints{' '}
        <span className="data">valid</span>.
      </p>
    </div>
  );
}

/** The newest attempt of the newest event that was sent to the destination. */
function useLastAttempt(trigger_id: string, destination_id: string) {
  const events = useQuery(q('eventList', { params: { trigger_id }, query: { destination_id, limit: 1 } }));
  const event = events.data?.events[0];
  const delivery_id = event?.outcomes.find((each) => each.destination_id === destination_id)?.delivery_id;
  const attempts = useQuery({
    ...q('attemptList', {
      params: { trigger_id, event_id: event?.event_id ?? '', delivery_id: delivery_id ?? '' },
      query: { limit: 200 },
    }),
    enabled: delivery_id !== undefined,
  });
  return {
    attempt: attempts.data?.attempts.at(-1),
    pending: events.isPending || (delivery_id !== undefined && attempts.isPending),
    error: events.error ?? attempts.error,
  };
}

function signedOf({ request }: Attempt): SignedDelivery | undefined {
  const header = (wanted: string) =>
    Object.entries(request.headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header);
  return id && timestamp && signature ? { id, timestamp, signature, body: request.body ?? '' } : undefined;
}
