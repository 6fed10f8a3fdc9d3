import { Play, RotateCw, Square } from 'lucide-react';
import { useState } from 'react';
import type { Replay } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { usePrefetchedQuery } from '../../../api/queries.ts';
import { useReason } from '../../../api/session.ts';
import { Link } from '../../../components/Link.tsx';
import { Progress } from '../../../components/replays/Progress.tsx';
import { ReplayChip } from '../../../components/replays/ReplayChip.tsx';
import { usePageActions } from '../../../layouts/palette/page-actions.ts';
import { path } from '../../../lib/path.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Time } from '../../../ui/Time.tsx';
import { problemReplaysQuery } from '../problem-queries.ts';
import { Section } from '../Section.tsx';
import { ReplayDialog } from './ReplayDialog.tsx';
import { receiptPath } from './receipt-queries.ts';

const isActive = ({ status }: Replay) => status === 'RUNNING' || status === 'PAUSED';

/** The replays of a problem: the last one with its progress, and the button that starts one. */
export function ReplaySection({ problemId }: { problemId: string }) {
  const { replays } = usePrefetchedQuery(problemReplaysQuery(problemId)).data;
  const [isOpen, setOpen] = useState(false);
  const active = replays.find(isActive);
  const role = useReason('problemReplayCreate');
  const reason = role ?? (active ? 'A replay of this problem has not ended.' : undefined);
  const open = () => setOpen(true);
  usePageActions([{ label: 'Replay affected', icon: RotateCw, reason, onSelect: open }]);
  return (
    <Section title="Replay">
      <div className="grid gap-3">
        {replays.length === 0 ? (
          <p className="text-fg-2">
            Once the cause is fixed, send everything that it affects again. A receipt says what arrived.
          </p>
        ) : null}
        <ul className="grid gap-3 empty:hidden">
          {replays.map((replay, n) => (
            <li key={replay.replay_id} className="grid gap-2 rounded-lg border border-line-2 p-3">
              <ReplayRow replay={replay} problemId={problemId} isLast={n === 0} />
            </li>
          ))}
        </ul>
        <p>
          <Button variant={active ? 'default' : 'primary'} icon={RotateCw} reason={reason} onClick={open}>
            Replay affected
          </Button>
        </p>
      </div>
      {isOpen ? <ReplayDialog problemId={problemId} onClose={() => setOpen(false)} /> : null}
    </Section>
  );
}

interface ReplayRowProps {
  readonly replay: Replay;
  readonly problemId: string;
  readonly isLast: boolean;
}

function ReplayRow({ replay, problemId, isLast }: ReplayRowProps) {
  const { replay_id, status, reason, created_at, created_by } = replay;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <ReplayChip status={status} />
        <span className="min-w-0 flex-1 text-12 wrap-anywhere text-fg-2">
          Started <Time at={created_at} /> by {created_by}
        </span>
        <Steering replay={replay} />
        <Link className="link inline-flex min-h-6 items-center" to={path.replay(replay_id)}>
          Deliveries
        </Link>
        <Link className="link inline-flex min-h-6 items-center" to={receiptPath(problemId, replay_id)}>
          Receipt
        </Link>
      </div>
      {reason === null ? null : <p className="text-12 wrap-anywhere">{reason}</p>}
      {isLast ? <Progress replay={replay} /> : null}
    </>
  );
}

function Steering({ replay }: { replay: Replay }) {
  const role = useReason('replayCancel');
  const params = { replay_id: replay.replay_id };
  const invalidates = ['replayList', 'replayGet'] as const;
  const resume = useApiMutation('replayResume', { failure: 'The replay was not resumed', invalidates });
  const cancel = useApiMutation('replayCancel', { failure: 'The replay was not canceled', invalidates });
  if (!isActive(replay)) return null;
  return (
    <>
      {replay.status === 'PAUSED' ? (
        <Button
          size="sm"
          icon={Play}
          reason={role}
          pending={resume.isPending}
          onClick={() => resume.mutate({ params })}
        >
          Resume
        </Button>
      ) : null}
      <Button
        size="sm"
        icon={Square}
        reason={role}
        pending={cancel.isPending}
        onClick={() => cancel.mutate({ params })}
      >
        Cancel replay
      </Button>
    </>
  );
}
