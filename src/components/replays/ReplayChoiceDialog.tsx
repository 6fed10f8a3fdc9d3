import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { mayReplay } from '../../../contract/states.ts';
import type { EventDetail, Trigger } from '../../api/entities.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Checkbox } from '../../ui/controls/Checkbox.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';
import { CopyAsCurl, curlText } from '../deliveries/CopyAsCurl.tsx';
import { type ReplayBody, useReplay } from './use-replay.ts';

export interface ReplayChoiceDialogProps {
  readonly event: EventDetail;
  readonly trigger: Trigger;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Replays one event: to selected destinations, failed deliveries only, or with a new webhook ID. */
export default function ReplayChoiceDialog({ event, trigger, open, onClose }: ReplayChoiceDialogProps) {
  const { trigger_id, event_id } = event;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [onlyFailed, setOnlyFailed] = useState(false);
  const [asNew, setAsNew] = useState(false);
  const [asThen, setAsThen] = useState(false);
  const { replay, reason } = useReplay();
  const body: ReplayBody = {
    ...(chosen.length > 0 ? { destination_ids: [...chosen] } : {}),
    ...(onlyFailed ? { only_failed: true } : {}),
    ...(asNew ? { as_new: true } : {}),
    ...(asThen ? { transform: 'THEN' as const } : {}),
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Replay this event"
      foot={
        <>
          <span className="mr-auto">
            <CopyAsCurl
              text={() => curlText('eventReplay', { params: { trigger_id, event_id }, body })}
              what="this replay"
            />
          </span>
          <Button
            variant="primary"
            icon={RotateCw}
            reason={reason}
            onClick={() => {
              replay(event, body);
              onClose();
            }}
          >
            Replay event
          </Button>
        </>
      }
    >
      <fieldset className="mb-3 min-w-0">
        <legend className="mb-1 text-12 font-medium text-fg-2">
          Destinations <span className="font-normal text-fg-3">all, unless you select some</span>
        </legend>
        <div className="grid max-h-60 overflow-y-auto">
          {trigger.destinations.map((destination) => {
            const { destination_id, name } = destination;
            const verdict = mayReplay(destination);
            return (
              <Checkbox
                key={destination_id}
                label={<span className="wrap-anywhere">{name}</span>}
                help={verdict.can ? undefined : verdict.reason}
                disabled={!verdict.can}
                checked={chosen.includes(destination_id)}
                onChange={({ target }) =>
                  setChosen(
                    target.checked ? [...chosen, destination_id] : chosen.filter((each) => each !== destination_id),
                  )
                }
              />
            );
          })}
        </div>
      </fieldset>
      <Checkbox label="Failed only" checked={onlyFailed} onChange={({ target }) => setOnlyFailed(target.checked)} />
      <Checkbox
        label="Send with new webhook-id"
        help="Uses a new webhook ID, so that receivers do not discard it as a duplicate."
        checked={asNew}
        onChange={({ target }) => setAsNew(target.checked)}
      />
      <Checkbox
        label="Transform as before"
        help="With the function and version of each delivery’s last attempt, instead of those of the destination now."
        checked={asThen}
        onChange={({ target }) => setAsThen(target.checked)}
      />
    </Dialog>
  );
}
