import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { toApiError } from '../../api/api-error.ts';
import type { DryRun } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { q } from '../../api/queries.ts';
import { useReason } from '../../api/session.ts';
import { useListener } from '../../hooks/use-listener.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Checkbox } from '../../ui/controls/Checkbox.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { SegmentedControl } from '../../ui/controls/SegmentedControl.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel, PanelSection } from '../../ui/overlays/Panel.tsx';
import { toast } from '../../ui/overlays/toast.ts';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { CopyAsCurl, curlText } from '../deliveries/CopyAsCurl.tsx';
import { useEventPlaces } from '../events/use-event-places.ts';
import { DryRunList } from './DryRunList.tsx';
import { RequestChanges } from './RequestChanges.tsx';
import {
  canaryProblem,
  choiceBody,
  type ReplayChoice,
  type ReplayPace,
  type ReplayScope,
  rateProblem,
  USUAL_PACE,
  WHICH,
  type Which,
  wholeBody,
} from './replay-input.ts';

export interface BulkReplayPanelProps {
  /** What is replayed, in words: "3 selected events". */
  readonly title: string;
  readonly scope: ReplayScope;
  /** The initial choice of deliveries. */
  readonly which: Which;
  /** Limits the selectable destinations to this trigger; empty for all triggers. */
  readonly triggerId: string;
  readonly onClose: () => void;
  readonly onStarted: () => void;
}

/** The maximum number of destinations in the list of checkboxes. */
const BOXES_MAX = 30;
/** The keys of the list below, disabled while the panel is open. */
const LIST_KEYS = 'jkrx[]';

/** The panel that previews and starts a bulk replay. The list of events stays open below it. */
export default function BulkReplayPanel(props: BulkReplayPanelProps) {
  const { title, scope, triggerId, onClose, onStarted } = props;
  const [choice, setChoice] = useState<ReplayChoice>(() => ({
    which: props.which,
    withHeld: false,
    destinations: scope.destination_id ? [scope.destination_id] : [],
    asNew: false,
    asThen: false,
    template: '',
    version: '',
  }));
  const [pace, setPace] = useState(USUAL_PACE);
  const role = useReason('replayCreate');
  const dry = useQuery({
    ...q('replayCreate', { body: { ...choiceBody(scope, choice), dry_run: true } }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  const dryRun = dry.data?.dry_run ?? undefined;
  const start = useStart(onStarted);
  useListKeysOff();
  const only = useOnlyDestination(triggerId, choice);
  const nothing = dryRun?.deliveries === 0 && !dryRun.at_least ? 'No deliveries match.' : undefined;
  const wrong = rateProblem(pace) ?? canaryProblem(pace);
  const failure = dry.error && !dryRun ? toApiError(dry.error) : undefined;
  const counting = !dryRun || dry.isPlaceholderData ? 'The deliveries are still being counted.' : undefined;
  const reason = role ?? failure?.message ?? nothing ?? wrong ?? counting;
  return (
    <Panel
      mode="over"
      title={`Replay ${title}`}
      onClose={onClose}
      foot={
        <>
          <Button
            variant="primary"
            icon={RotateCw}
            reason={reason}
            pending={start.isPending}
            onClick={() => start.mutate({ body: wholeBody(scope, choice, pace) })}
          >
            {dryRun ? `Replay ${atLeast(dryRun)}${plural(dryRun.deliveries, 'delivery', 'deliveries')}` : 'Replay'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <span className="ml-auto">
            <CopyAsCurl
              text={() => curlText('replayCreate', { body: wholeBody(scope, choice, pace) })}
              what="start this replay"
            />
          </span>
        </>
      }
    >
      <PanelSection title="Deliveries" aside={<Count dryRun={dryRun} pending={dry.isFetching} />}>
        <WhichDeliveries choice={choice} scope={scope} triggerId={triggerId} onChange={setChoice} />
      </PanelSection>
      {only === undefined ? null : (
        <PanelSection title="Request">
          <RequestChanges
            destinationId={only}
            choice={choice}
            onChange={(changes) => setChoice((now) => ({ ...now, ...changes, destinations: [only] }))}
          />
        </PanelSection>
      )}
      <PanelSection title="Pace">
        <Pace pace={pace} onChange={setPace} />
      </PanelSection>
      <PanelSection title="Dry run" note="Nothing is sent.">
        {failure ? (
          <ErrorState
            title="The dry run failed"
            detail={failure.message}
            requestId={failure.requestId}
            onRetry={() => void dry.refetch()}
          />
        ) : (
          <Found dryRun={dryRun} nothing={nothing} />
        )}
      </PanelSection>
    </Panel>
  );
}

/** The only destination of the replay, selected or because the trigger has no other. */
function useOnlyDestination(triggerId: string, { destinations }: ReplayChoice): string | undefined {
  const places = useEventPlaces(triggerId).destinations;
  const [chosen = places[0]?.value, ...others] = destinations;
  if (others.length > 0 || (destinations.length === 0 && places.length > 1)) return undefined;
  return chosen;
}

/** The mutation that starts the replay, with a toast that links to it. */
function useStart(onStarted: () => void) {
  const navigate = useNavigate();
  return useApiMutation('replayCreate', {
    failure: 'The replay could not be started',
    invalidates: ['replayList'],
    onSuccess: ({ replay }) => {
      if (!replay) return;
      onStarted();
      toast({
        title: replay.gathering
          ? `Replaying at least ${plural(replay.total, 'delivery', 'deliveries')}`
          : `Replaying ${plural(replay.total, 'delivery', 'deliveries')}`,
        description: paceWords(replay.rate_per_second, replay.canary),
        tone: 'ok',
        action: { label: 'Open replay', onPress: () => void navigate(path.replay(replay.replay_id)) },
      });
    },
  });
}

const paceWords = (rate: number, canary: number | null): string =>
  canary === null ? `${rate} per second.` : `${rate} per second, after a canary of ${canary}.`;

/** The number of deliveries held by circuit breakers, of the given trigger or destination or of all. */
function useHeld({ trigger_id, destination_id, event_ids }: ReplayScope): number {
  const { data } = useQuery(q('triggerStats', { query: { range: '24h' } }));
  if (event_ids) return 0;
  return (data?.triggers ?? [])
    .filter((each) => trigger_id === undefined || each.trigger_id === trigger_id)
    .flatMap(({ queues }) => queues)
    .filter((each) => destination_id === undefined || each.destination_id === destination_id)
    .reduce((sum, { held }) => sum + held, 0);
}

interface WhichProps {
  readonly scope: ReplayScope;
  readonly choice: ReplayChoice;
  readonly triggerId: string;
  readonly onChange: (choice: ReplayChoice) => void;
}

function WhichDeliveries({ choice, scope, triggerId, onChange }: WhichProps) {
  const held = useHeld(scope);
  return (
    <div className="grid justify-items-start gap-3">
      <SegmentedControl
        label="Deliveries"
        options={WHICH}
        value={choice.which}
        onChange={(which) => onChange({ ...choice, which })}
      />
      <p className="text-12 text-fg-3">{MEANS[choice.which]}</p>
      {choice.which === 'failed' && held > 0 ? (
        <Checkbox
          label={`Include ${plural(held, 'held delivery', 'held deliveries')}`}
          checked={choice.withHeld}
          onChange={({ target }) => onChange({ ...choice, withHeld: target.checked })}
        />
      ) : null}
      <Destinations
        triggerId={triggerId}
        chosen={choice.destinations}
        onChange={(destinations) => onChange({ ...choice, destinations })}
      />
      <Checkbox
        label="Send with new webhook-ids"
        help="Uses new webhook IDs, so that receivers do not discard them as duplicates."
        checked={choice.asNew}
        onChange={({ target }) => onChange({ ...choice, asNew: target.checked })}
      />
      <Checkbox
        label="Transform as before"
        help="With the function and version of each delivery’s last attempt."
        checked={choice.asThen}
        onChange={({ target }) => onChange({ ...choice, asThen: target.checked })}
      />
    </div>
  );
}

function Found({ dryRun, nothing }: { dryRun: DryRun | undefined; nothing: string | undefined }) {
  if (nothing) return <p className="text-fg-2">{nothing}</p>;
  return dryRun ? <DryRunList dryRun={dryRun} /> : <SkeletonLines lines={4} label="Loading the dry run" />;
}

const MEANS: Record<Which, string> = {
  failed: 'Deliveries with retries exhausted.',
  undelivered: 'Deliveries that have not succeeded since, nor did an edited copy. Not those that a filter skipped.',
  held: 'Due deliveries held by an open circuit breaker.',
  skipped: 'Deliveries skipped by a filter or transformation, or while the destination or trigger was disabled.',
  all: 'All deliveries of these events, including those that succeeded.',
};

/** The count is a lower bound if counting all would have taken too long. */
const atLeast = ({ at_least }: DryRun) => (at_least ? 'at least ' : '');

function Count({ dryRun, pending }: { dryRun: DryRun | undefined; pending: boolean }) {
  return (
    <span role="status" className="text-12 text-fg-2">
      {dryRun && !pending
        ? `${atLeast(dryRun)}${plural(dryRun.deliveries, 'delivery', 'deliveries')} of ${plural(dryRun.events, 'event')}`
        : 'Counting…'}
    </span>
  );
}

interface DestinationsProps {
  readonly triggerId: string;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

function Destinations({ triggerId, chosen, onChange }: DestinationsProps) {
  const { destinations } = useEventPlaces(triggerId);
  const shown = destinations.slice(0, BOXES_MAX);
  if (shown.length < 2) return null;
  return (
    <fieldset className="w-full min-w-0">
      <legend className="mb-1 text-12 font-medium text-fg-2">
        Destinations <span className="font-normal text-fg-3">all, unless you select some</span>
      </legend>
      <div className="grid max-h-40 grid-cols-2 gap-x-4 overflow-y-auto max-sm:grid-cols-1">
        {shown.map(({ value, label }) => (
          <Checkbox
            key={value}
            label={<span className="wrap-anywhere">{label}</span>}
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
            }
          />
        ))}
      </div>
      {destinations.length > shown.length ? (
        <p className="mt-1 text-12 text-fg-3">
          {formatCount(destinations.length - shown.length)} more: filter the list by trigger first.
        </p>
      ) : null}
    </fieldset>
  );
}

function Pace({ pace, onChange }: { pace: ReplayPace; onChange: (pace: ReplayPace) => void }) {
  return (
    <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
      <Field label="Deliveries per second" error={rateProblem(pace)} help="You can pause or cancel it at any time.">
        <TextInput
          mono
          inputMode="decimal"
          value={pace.rate}
          onChange={({ target }) => onChange({ ...pace, rate: target.value.trim() })}
        />
      </Field>
      <Field
        label="Canary"
        optional
        error={canaryProblem(pace)}
        help="Sends this many first and stops if more than half fail."
      >
        <TextInput
          mono
          inputMode="numeric"
          placeholder="none"
          value={pace.canary}
          onChange={({ target }) => onChange({ ...pace, canary: target.value.trim() })}
        />
      </Field>
    </div>
  );
}

function useListKeysOff() {
  const listen = (event: KeyboardEvent) => {
    const { target } = event;
    const typing = target instanceof HTMLElement && target.matches('textarea, input:not([type=checkbox],[type=radio])');
    if (!typing && !event.metaKey && !event.ctrlKey && LIST_KEYS.includes(event.key)) event.preventDefault();
  };
  useListener(window, 'keydown', listen, { capture: true });
}
