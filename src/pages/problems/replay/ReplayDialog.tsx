import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { toApiError } from '../../../api/api-error.ts';
import type { ReplayPlan } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { q } from '../../../api/queries.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { formatCount, formatSpan, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { RadioCards } from '../../../ui/controls/RadioCards.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { Time } from '../../../ui/Time.tsx';
import { leftOutLines } from './left-out.ts';

/** As the API does without a number. */
const CANARY = 3;

type Canary = 'continue' | 'pause' | 'none';
const CARDS = [
  {
    value: 'continue',
    title: `${CANARY} first, then all`,
    description: 'Stops if one of them fails, otherwise continues automatically.',
  },
  {
    value: 'pause',
    title: `${CANARY} first, then pause`,
    description: 'Stops if one of them fails, otherwise waits until you resume it.',
  },
  { value: 'none', title: 'All at once', description: 'At the pace of each destination.' },
] as const;
const BODIES = {
  continue: { canary: CANARY },
  pause: { canary: CANARY, after_canary: 'PAUSE' },
  none: { canary: 0 },
} as const;

interface ReplayDialogProps {
  readonly problemId: string;
  readonly onClose: () => void;
}

/** Counts what a replay of the problem would send, and starts it. */
export function ReplayDialog({ problemId, onClose }: ReplayDialogProps) {
  const params = { problem_id: problemId };
  const [canary, setCanary] = useState<Canary>('continue');
  const dryRun = q('problemReplayCreate', { params, body: { dry_run: true } });
  const { data, error, refetch } = useQuery({ ...dryRun, gcTime: 0, staleTime: 0 });
  const plan = data?.plan;
  const start = useApiMutation('problemReplayCreate', {
    failure: 'The replay was not started',
    invalidates: ['replayList'],
    onSuccess: onClose,
  });
  const input = { params, body: BODIES[canary] };
  const reason = plan?.deliveries === 0 ? 'Nothing is left to send.' : undefined;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Replay affected"
      description="Sends everything that this problem affects and that has not succeeded, once to each destination."
      foot={
        <>
          <span className="mr-auto">
            <CopyAsCurl text={() => curlText('problemReplayCreate', input)} what="this replay" />
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            icon={RotateCw}
            reason={reason}
            pending={start.isPending}
            onClick={() => start.mutate(input)}
          >
            {plan && plan.deliveries > 0
              ? `Replay ${plan.at_least ? 'at least ' : ''}${plural(plan.deliveries, 'delivery', 'deliveries')}`
              : 'Replay'}
          </Button>
        </>
      }
    >
      {error ? (
        <ErrorState
          title="The deliveries could not be counted"
          detail={toApiError(error).message}
          requestId={toApiError(error).requestId}
          onRetry={() => void refetch()}
        />
      ) : plan ? (
        <div className="grid gap-4">
          <PlanText plan={plan} />
          <RadioCards label="Canary" options={CARDS} value={canary} onChange={setCanary} />
        </div>
      ) : (
        <SkeletonLines />
      )}
    </Dialog>
  );
}

function PlanText({ plan }: { plan: ReplayPlan }) {
  const { events, deliveries, at_least, oldest_at, newest_at, seconds, destinations, left_out } = plan;
  const leftOut = leftOutLines(left_out);
  return (
    <div className="grid gap-3 text-13">
      <p>
        {at_least ? 'At least ' : ''}
        {plural(deliveries, 'delivery', 'deliveries')} of {plural(events, 'event')}
        {oldest_at === null ? null : (
          <>
            , received <Time at={oldest_at} as="clock" /> to <Time at={newest_at} as="clock" />
          </>
        )}
        {deliveries === 0 ? '.' : seconds === null ? '. A destination is paused.' : `. About ${spanOf(seconds)}.`}
      </p>
      {destinations.length > 0 ? (
        <ul aria-label="Destinations" className="grid max-h-48 overflow-y-auto rounded-lg border border-line-2">
          {destinations.map((each) => (
            <li
              key={each.destination_id}
              className="flex min-h-9 flex-wrap items-center gap-x-3 border-t border-line px-3 py-1 first:border-t-0"
            >
              <span className="min-w-0 flex-1 wrap-anywhere">{each.destination_name}</span>
              <span className="text-12 text-fg-2">
                {each.deliveries === 0 ? 'nothing to send' : formatCount(each.deliveries)}
                {each.deliveries > 0 && each.seconds !== null ? `, about ${spanOf(each.seconds)}` : ''}
                {each.left_out > 0 ? `, ${formatCount(each.left_out)} left out` : ''}
                {each.is_paused ? ', paused' : ''}
                {each.circuit_open_until === null ? '' : ', circuit breaker open'}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {leftOut.length > 0 ? (
        <div>
          <h3 className="mb-1 text-12 font-medium text-fg-2">Left out</h3>
          <ul className="grid gap-0.5 text-12 text-fg-2">
            {leftOut.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      ) : null}
    </div>
  );
}

const spanOf = (seconds: number) => formatSpan(Math.max(1, seconds) * 1000);
