import { Activity, Ban, RotateCw } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { isOpen, mayReplay } from '../../../contract/states.ts';
import { isConnectionUrl, partsOfConnectionUrl } from '../../../contract/text/connection-url.ts';
import type { Delivery, EventDetail, Trigger } from '../../api/entities.ts';
import { path } from '../../lib/path.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { IconButton } from '../../ui/controls/IconButton.tsx';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';
import { RowChevron } from '../../ui/controls/RowChevron.tsx';
import { useFocusFallback } from '../../ui/overlays/use-focus-fallback.ts';
import { Link } from '../Link.tsx';
import { useReplay } from '../replays/use-replay.ts';
import { useCausedRun } from '../runs/use-caused-run.ts';
import { DeliveryChip } from '../status.tsx';
import { DeliveryAttempts } from './DeliveryAttempts.tsx';
import { whyUnsent } from './delivery-words.ts';
import { useCancel } from './use-cancel.ts';

const RunChain = lazy(() => import('../runs/RunChain.tsx'));

const defaults = { delivery: '' };

/** The delivery to expand: the only one, or the first that failed. Undefined until that can be decided. */
function openAtFirst({ deliveries }: EventDetail): string | undefined {
  const [only] = deliveries;
  if (deliveries.length === 1) return only?.delivery_id;
  const troubled = deliveries.find(({ status }) => status === 'FAILED' || status === 'RETRYING');
  if (troubled) return troubled.delivery_id;
  return deliveries.some(({ status }) => status === 'PENDING') ? undefined : 'none';
}

export interface DeliveryListProps {
  readonly event: EventDetail;
  readonly trigger: Trigger;
}

/** The deliveries of an event by destination; one of them is expanded. */
export function DeliveryList({ event, trigger }: DeliveryListProps) {
  const [url, setUrl] = useUrlState(defaults);
  // decided once, so that a delivery stays expanded when it succeeds
  const [first, setFirst] = useState<string>();
  const decided = first ?? openAtFirst(event);
  if (first !== decided) setFirst(decided);
  const openId = url.delivery || decided;
  return (
    <ul aria-label="Deliveries" className="border-t border-line">
      {event.deliveries.map((delivery) => {
        const open = delivery.delivery_id === openId;
        return (
          <DeliveryItem
            key={delivery.delivery_id}
            event={event}
            trigger={trigger}
            delivery={delivery}
            open={open}
            onToggle={() => setUrl({ delivery: open ? 'none' : delivery.delivery_id })}
          />
        );
      })}
    </ul>
  );
}

interface DeliveryItemProps extends DeliveryListProps {
  readonly delivery: Delivery;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function DeliveryItem({ event, trigger, delivery, open, onToggle }: DeliveryItemProps) {
  const { destination_id, destination_name, destination_url, status, last_response_status } = delivery;
  const run = useCausedRun(delivery, open);
  const { replay, reason, pending } = useReplay();
  const canceling = useCancel();
  const replayButton = useRef<HTMLButtonElement>(null);
  const mayCancel = isOpen(status) || delivery.blocks_others;
  useFocusFallback(mayCancel, replayButton);
  const destination = trigger.destinations.find((each) => each.destination_id === destination_id);
  const verdict = mayReplay(destination);
  const why = whyUnsent(delivery);
  return (
    <li className="border-b border-line last:border-b-0">
      <div className="flex min-h-9 items-center gap-2 pr-4">
        <button
          type="button"
          aria-expanded={open}
          onClick={onToggle}
          className="flex min-h-9 min-w-0 flex-1 items-center gap-2 pl-4 text-left focus-visible:-outline-offset-2"
        >
          <RowChevron open={open} />
          <span
            className="max-w-[45%] flex-none truncate font-medium max-sm:min-w-0 max-sm:max-w-none max-sm:flex-1"
            title={destination_name}
          >
            {destination_name}
          </span>
          <span className="data min-w-0 flex-1 truncate text-fg-3 max-sm:hidden" title={destination_url}>
            {isConnectionUrl(destination_url) ? partsOfConnectionUrl(destination_url).path : destination_url}
          </span>
          <DeliveryChip status={status} data={last_response_status ?? undefined} />
        </button>
        {run ? (
          <LinkButton
            size="sm"
            icon={Activity}
            render={<Link to={path.run(run.functionId, run.runId)} aria-label={`Open run: ${destination_name}`} />}
          >
            <span className="max-sm:hidden">Run</span>
          </LinkButton>
        ) : null}
        <Button
          ref={replayButton}
          size="sm"
          icon={RotateCw}
          reason={reason ?? (verdict.can ? undefined : verdict.reason)}
          pending={pending}
          aria-label={`Replay to ${destination_name}`}
          onClick={() => replay(event, { destination_ids: [destination_id] })}
        >
          <span className="max-[359px]:hidden">Replay</span>
        </Button>
        {mayCancel ? (
          <IconButton
            size="sm"
            icon={Ban}
            label={`Cancel delivery to ${destination_name}`}
            tip="Cancel delivery"
            reason={canceling.reason}
            pending={canceling.pending}
            onClick={() => canceling.cancel(event, destination_id)}
          />
        ) : null}
      </div>
      {open ? (
        <>
          <DeliveryFacts
            destination={destination}
            triggerId={trigger.trigger_id}
            why={why}
            waitsFor={delivery.waits_for_event_id}
            ofTrigger={delivery.status === 'SKIPPED' ? OF_TRIGGER[delivery.reason ?? ''] : undefined}
          />
          {run ? (
            <Suspense>
              <RunChain key={run.runId} {...run} />
            </Suspense>
          ) : null}
          <DeliveryAttempts event={event} delivery={delivery} hasDestination={destination !== undefined} />
        </>
      ) : null}
    </li>
  );
}

interface DeliveryFactsProps {
  readonly destination: Trigger['destinations'][number] | undefined;
  readonly triggerId: string;
  readonly why: string | undefined;
  /** The event whose delivery must end first. */
  readonly waitsFor: string | null;
  /** The label of the link to the trigger setting that skipped the delivery. */
  readonly ofTrigger: string | undefined;
}

const OF_TRIGGER: Readonly<Record<string, string>> = {
  FILTERED: 'The trigger’s filter',
  TRIGGER_DISABLED: 'The trigger’s settings',
};

function DeliveryFacts({ destination, triggerId, why, waitsFor, ofTrigger }: DeliveryFactsProps) {
  return (
    <div className="grid gap-1 px-4 pb-2 text-12">
      {why === undefined ? null : <p className="wrap-anywhere text-fg-2">{why}</p>}
      <div className="flex flex-wrap items-center gap-x-3">
        {waitsFor === null ? null : (
          <Link className="link inline-flex min-h-6 items-center" to={path.event(triggerId, waitsFor)}>
            The event it waits for
          </Link>
        )}
        {ofTrigger === undefined ? null : (
          <Link className="link inline-flex min-h-6 items-center" to={path.trigger(triggerId, 'settings')}>
            {ofTrigger}
          </Link>
        )}
        {destination ? (
          <Link
            className="link inline-flex min-h-6 items-center"
            to={path.destination(triggerId, destination.destination_id)}
          >
            Edit destination
          </Link>
        ) : (
          <span className="text-fg-3">The destination was deleted.</span>
        )}
      </div>
    </div>
  );
}
