import { KeyRound } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Destination } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { useNow } from '../../../hooks/use-now.ts';
import { formatSpan } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { PanelSection } from '../../../ui/overlays/Panel.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { Time } from '../../../ui/Time.tsx';
import { destinationQuery } from '../trigger-queries.ts';
import { RotateDialog } from './RotateDialog.tsx';
import { SecretOnce } from './SecretOnce.tsx';

const VerifySnippets = lazy(() => import('./VerifySnippets.tsx'));

export interface SigningSectionProps {
  readonly triggerId: string;
  readonly destination: Destination;
}

/** The signing secret: its state, rotation, and snippets that verify signatures. */
export function SigningSection({ triggerId, destination }: SigningSectionProps) {
  const { destination_id, name, signing_secret, previous_secret_until } = destination;
  const params = { trigger_id: triggerId, destination_id };
  const [rotating, setRotating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [verifying, setVerifying] = useState(false);
  const reason = useReason('destinationSecretRotate');
  const rotate = useApiMutation('destinationSecretRotate', {
    failure: `The secret of ${name} was not rotated`,
    invalidates: ['destinationGet'],
    onSuccess: (reply) => {
      const masked = { ...reply.destination, signing_secret };
      queryClient.setQueryData(destinationQuery(triggerId, destination_id).queryKey, { destination: masked });
      setRotating(false);
      setSecret(reply.destination.signing_secret);
    },
  });
  const now = useNow(10_000);
  const overlaps = previous_secret_until !== null && Date.parse(previous_secret_until) > now;
  return (
    <PanelSection
      title="Signing secret"
      aside={
        <>
          <Button size="sm" variant="ghost" aria-expanded={verifying} onClick={() => setVerifying(!verifying)}>
            Verify snippets
          </Button>
          <Button size="sm" icon={KeyRound} reason={reason} onClick={() => setRotating(true)}>
            Rotate…
          </Button>
        </>
      }
    >
      <p className="data text-fg-2">{signing_secret}</p>
      <p className="mt-1 text-12 text-fg-3">
        {overlaps ? (
          <>
            The previous secret also signs for {formatSpan(Date.parse(previous_secret_until) - now)}, until{' '}
            <Time at={previous_secret_until} as="full" />. Receivers can check either signature.
          </>
        ) : (
          'Signs every delivery (Standard Webhooks). It is shown once, when it is created. Rotate it to get a new one.'
        )}
      </p>
      {verifying ? (
        <Suspense fallback={<SkeletonLines lines={6} />}>
          <VerifySnippets triggerId={triggerId} destinationId={destination.destination_id} />
        </Suspense>
      ) : null}
      {rotating ? (
        <RotateDialog
          name={name}
          old="The old secret keeps signing"
          description="A new secret is generated and shown once. During the overlap, deliveries are signed with both."
          pending={rotate.isPending}
          onClose={() => setRotating(false)}
          onRotate={(overlap_hours) => rotate.mutate({ params, body: { overlap_hours } })}
        />
      ) : null}
      {secret === undefined ? null : (
        <SecretOnce
          title={`A new secret for ${destination.name}`}
          description={
            overlaps
              ? 'Copy it now; it can’t be shown again. The old secret also signs during the overlap, so set this one at the receiver before it ends.'
              : 'Copy it now; it can’t be shown again. The old secret no longer signs.'
          }
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </PanelSection>
  );
}
