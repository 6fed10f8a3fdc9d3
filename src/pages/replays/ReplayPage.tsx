import { Pause, Play, RotateCw, Square } from 'lucide-react';
import { type LoaderFunctionArgs, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import type { Replay, ReplayItem } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import type { Reply } from '../../api/operation.ts';
import { ensure, usePrefetchedQuery } from '../../api/queries.ts';
import { useReason } from '../../api/session.ts';
import { CopyAsCurl, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { useDestinationNames } from '../../components/events/use-event-places.ts';
import { Link } from '../../components/Link.tsx';
import { NextStep } from '../../components/NextStep.tsx';
import { Progress } from '../../components/replays/Progress.tsx';
import { ReplayChip } from '../../components/replays/ReplayChip.tsx';
import { newestTriggersQuery } from '../../layouts/attention.ts';
import type { Handle } from '../../layouts/handle.ts';
import { PanelPage } from '../../layouts/PanelPage.tsx';
import { usePageActions } from '../../layouts/palette/page-actions.ts';
import { formatCount, middleCut, plural, sentenceCase } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { QueryTable } from '../../table/QueryTable.tsx';
import { useList } from '../../table/use-list.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { Time } from '../../ui/Time.tsx';
import { itemColumns } from './item-columns.tsx';
import { OutcomeMatrix } from './OutcomeMatrix.tsx';
import { type Cell, cellDefaults, cellSearch, idIn, itemsQuery, replayQuery } from './replay-queries.ts';

export const handle: Handle = { crumb: ({ params }) => `Replay ${middleCut(idIn(params))}` };
export function loader({ params, request }: LoaderFunctionArgs): Promise<null> {
  const cell = new URL(request.url).searchParams;
  const shown: Cell = { before: cell.get('before') ?? '', after: cell.get('after') ?? '' };
  ensure(itemsQuery(idIn(params), shown), newestTriggersQuery).catch(() => undefined);
  return ensure(replayQuery(idIn(params)));
}

const rowsOf = (page: { items: ReplayItem[] }) => page.items;
const rowId = (item: ReplayItem) => item.delivery_id;
const rowName = (item: ReplayItem) => `delivery of event ${middleCut(item.event_id)}`;
const rowVersion = ({ state, after }: ReplayItem) => `${state}${after?.status}${after?.response_status}`;

/** Maximum number of failing destinations listed. */
const NAMED_MAX = 3;

/** One bulk replay: its progress, the outcome of each delivery, and its controls. */
export function Component() {
  const id = idIn(useParams());
  const { search } = useLocation();
  const [params] = useSearchParams();
  const { eventId } = useParams();
  const { replay, waits_for, matrix } = usePrefetchedQuery(replayQuery(id)).data;
  const [cell, setCell] = useUrlState(cellDefaults);
  const names = useDestinationNames();
  const list = useList(itemsQuery(id, cell), { rows: rowsOf, rowId, hold: eventId !== undefined });
  const set = [
    { name: 'Was', value: sentenceCase(cell.before), onClear: () => setCell({ before: '' }) },
    { name: 'Now', value: sentenceCase(cell.after), onClear: () => setCell({ after: '' }) },
  ].filter(({ value }) => value !== '');
  return (
    <PanelPage>
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <PageHead
          mono
          title={middleCut(id)}
          meta={<ReplayChip status={replay.status} />}
          actions={<Steering replay={replay} red={redIn(matrix)} />}
        >
          <div className="pb-3 empty:hidden">
            <Stopped replay={replay} />
            {waits_for.slice(0, NAMED_MAX).map((each) => (
              <Waits key={each.destination_id} of={each} />
            ))}
            {waits_for.length > NAMED_MAX ? (
              <Banner tone="warn">
                The circuit breaker is open for{' '}
                {plural(waits_for.length - NAMED_MAX, 'more destination', 'more destinations')}.
              </Banner>
            ) : null}
          </div>
          <div className="grid gap-3 px-4 pb-3 max-sm:px-3">
            <Progress replay={replay} />
            <p className="text-12 text-fg-3">
              Started <Time at={replay.created_at} className="text-fg-2" /> by{' '}
              <span className="wrap-anywhere text-fg-2">{replay.created_by}</span>, {replay.rate_per_second} a second
              {replay.canary === null ? '' : `, canary of ${replay.canary}`}
              {replay.function_version === null ? '' : `, version ${replay.function_version} of the function`}
              {replay.has_body_template ? ', with another body template' : ''}
              {replay.transform === 'THEN' ? ', transformed as before' : ''}
              {replay.finished_at === null ? '' : ', ended '}
              {replay.finished_at === null ? null : <Time at={replay.finished_at} className="text-fg-2" />}.
            </p>
            <div className="overflow-x-auto">
              <OutcomeMatrix matrix={matrix} cell={cell} onCell={(next) => setCell(next, { push: true })} />
            </div>
          </div>
        </PageHead>
        <div className="flex min-h-72 flex-1 flex-col">
          <QueryTable
            label="Deliveries"
            noun="deliveries"
            list={list}
            columns={itemColumns(names)}
            rowName={rowName}
            rowVersion={rowVersion}
            rowLink={({ trigger_id, event_id, delivery_id }) =>
              path.replayEvent(id, trigger_id, event_id) + cellSearch(search, { delivery: delivery_id })
            }
            currentId={eventId === undefined ? undefined : (params.get('delivery') ?? undefined)}
            filters={set}
            onClearFilters={() => setCell(cellDefaults)}
            empty={
              replay.gathering ? (
                <EmptyState title="No deliveries yet">Matching deliveries are still being collected.</EmptyState>
              ) : (
                <EmptyState title="No deliveries" actions={<NextStep to={path.events()}>Choose other events</NextStep>}>
                  Nothing matched when the replay started, or the data is past its retention.
                </EmptyState>
              )
            }
          />
        </div>
      </div>
    </PanelPage>
  );
}

/** Why the replay stopped automatically, and the number of unchanged deliveries. */
function Stopped({ replay: { status, reason, total, done } }: { replay: Replay }) {
  if (status !== 'STOPPED') return null;
  const left = total - done;
  return (
    <Banner tone="bad">
      The replay stopped automatically. {reason}{' '}
      {left > 0 ? `${plural(left, 'delivery was not changed', 'deliveries were not changed')}.` : ''}
    </Banner>
  );
}

/** Why a running replay sends nothing to a destination. */
function Waits({ of: { destination_name, until } }: { of: Reply<'replayGet'>['waits_for'][number] }) {
  return (
    <Banner tone="warn">
      <span className="wrap-anywhere">{destination_name}</span> keeps failing: its circuit breaker is open until{' '}
      <Time at={until} as="clock" />, when a few deliveries are sent as probes. The others wait until one succeeds.
    </Banner>
  );
}

/** Failed deliveries, replayed or not. */
function redIn(matrix: Reply<'replayGet'>['matrix']): number {
  return matrix
    .filter(({ before, after }) => (after ?? before) === 'FAILED')
    .reduce((total, { count }) => total + count, 0);
}

function Steering({ replay, red }: { replay: Replay; red: number }) {
  const { replay_id, status } = replay;
  const navigate = useNavigate();
  const role = useReason('replayPause');
  const params = { replay_id };
  const changed = { invalidates: ['replayGet', 'replayList'] } as const;
  const pause = useApiMutation('replayPause', { failure: 'The replay was not paused', ...changed });
  const resume = useApiMutation('replayResume', { failure: 'The replay was not resumed', ...changed });
  const cancel = useApiMutation('replayCancel', { failure: 'The replay was not canceled', ...changed });
  const again = useApiMutation('replayCreate', {
    failure: 'The replay could not be started',
    invalidates: ['replayList'],
    onSuccess: ({ replay: next }) => {
      if (next) void navigate(path.replay(next.replay_id));
    },
  });
  const running = status === 'RUNNING';
  const going = running || status === 'PAUSED';
  const noRed = role ?? (red > 0 ? undefined : 'No delivery of this replay has failed.');
  const retryBody = {
    filter: { replay_id, status: 'FAILED' as const },
    only_failed: true,
    rate_per_second: replay.rate_per_second,
  };
  const retry = () => again.mutate({ body: retryBody });
  usePageActions([
    ...(running
      ? [{ label: 'Pause the replay', icon: Pause, reason: role, onSelect: () => pause.mutate({ params }) }]
      : []),
    ...(status === 'PAUSED'
      ? [{ label: 'Resume the replay', icon: Play, reason: role, onSelect: () => resume.mutate({ params }) }]
      : []),
    { label: 'Retry still-failing', icon: RotateCw, reason: noRed, onSelect: retry },
  ]);
  return (
    <>
      <span className="max-md:hidden">
        <CopyAsCurl text={() => curlText('replayGet', { params })} what="get this replay" />
      </span>
      <Link className="link px-1" to={path.events({ replay: replay_id })}>
        Its events
      </Link>
      {running ? (
        <Button icon={Pause} reason={role} pending={pause.isPending} onClick={() => pause.mutate({ params })}>
          Pause
        </Button>
      ) : null}
      {status === 'PAUSED' ? (
        <Button icon={Play} reason={role} pending={resume.isPending} onClick={() => resume.mutate({ params })}>
          Resume
        </Button>
      ) : null}
      {going ? (
        <Button icon={Square} reason={role} pending={cancel.isPending} onClick={() => cancel.mutate({ params })}>
          Cancel replay
        </Button>
      ) : (
        <Button variant="primary" icon={RotateCw} reason={noRed} pending={again.isPending} onClick={retry}>
          Retry still-failing{red > 0 ? ` (${formatCount(red)})` : ''}
        </Button>
      )}
    </>
  );
}
