import { Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { EXPORT_FORMATS, type ReceiptOutcome } from '../../../../contract/states.ts';
import { API_BASE } from '../../../api/client.ts';
import type { Receipt, ReceiptLine } from '../../../api/entities.ts';
import { ensure, invalidate, usePrefetchedQuery } from '../../../api/queries.ts';
import { requestPath } from '../../../api/request-path.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../../components/Link.tsx';
import { NextStep } from '../../../components/NextStep.tsx';
import { ReplayChip } from '../../../components/replays/ReplayChip.tsx';
import type { Handle } from '../../../layouts/handle.ts';
import { formatCount, middleCut } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { columnsOf } from '../../../table/columns.ts';
import { QueryTable } from '../../../table/QueryTable.tsx';
import { useList } from '../../../table/use-list.ts';
import { Chip, statusIcons, type Tone } from '../../../ui/controls/Chip.tsx';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import type { Icon } from '../../../ui/icon.ts';
import { KeyValueList } from '../../../ui/KeyValueList.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Time } from '../../../ui/Time.tsx';
import { leftOutLines } from './left-out.ts';
import {
  type Ids,
  idsIn,
  isOutcome,
  lineDefaults,
  linesQuery,
  OUTCOMES,
  receiptQuery,
  replayQuery,
} from './receipt-queries.ts';

export const handle: Handle = { crumb: ({ params }) => `Receipt ${middleCut(idsIn(params).replay_id)}` };
export function loader({ params, request }: LoaderFunctionArgs): Promise<null> {
  const outcome = new URL(request.url).searchParams.get('outcome') ?? '';
  ensure(linesQuery(idsIn(params), outcome)).catch(() => undefined);
  return ensure(receiptQuery(idsIn(params)), replayQuery(idsIn(params)));
}

const LOOK: Record<ReceiptOutcome, { tone: Tone; icon: Icon }> = {
  DELIVERED: { tone: 'ok', icon: statusIcons.succeeded },
  ALREADY_DELIVERED: { tone: 'ok', icon: statusIcons.succeeded },
  FAILED: { tone: 'bad', icon: statusIcons.failed },
  RETRYING: { tone: 'warn', icon: statusIcons.retrying },
  WAITING: { tone: 'warn', icon: statusIcons.pending },
  CANCELED: { tone: 'mute', icon: statusIcons.disabled },
  NOT_SENT: { tone: 'mute', icon: statusIcons.skipped },
};

const col = columnsOf<ReceiptLine>();
const columns = col.columns([
  col.accessor('event_id', {
    header: 'Event',
    meta: { width: '144px', link: true, phone: 'lead' },
    cell: ({ getValue }) => (
      <span className="data truncate" title={getValue()}>
        {middleCut(getValue())}
      </span>
    ),
  }),
  col.accessor('destination_name', {
    header: 'Destination',
    meta: { width: 'minmax(96px, 1fr)', phone: 'below' },
    cell: ({ getValue, row: { original } }) => (
      <span className="min-w-0 truncate" title={getValue() ?? original.destination_id}>
        {getValue() ?? middleCut(original.destination_id)}
      </span>
    ),
  }),
  col.accessor('outcome', {
    header: 'Outcome',
    meta: { width: '168px', phone: 'tail' },
    cell: ({ getValue, row: { original } }) => (
      <Chip {...LOOK[getValue()]} data={original.response_status ?? undefined}>
        {OUTCOMES[getValue()]}
        {original.successes > 1 ? ` ${original.successes} times` : ''}
      </Chip>
    ),
  }),
  col.accessor('attempt', {
    header: 'Attempt',
    meta: { width: '80px', align: 'end', fold: true },
    cell: ({ getValue }) => <span className="data text-fg-2">{getValue() ?? '–'}</span>,
  }),
  col.accessor('attempted_at', {
    header: 'At',
    meta: { width: '160px', fold: true },
    cell: ({ getValue }) => <Time at={getValue()} as="clock" precise className="text-fg-2" />,
  }),
]);

const rowsOf = (page: { lines: ReceiptLine[] }) => page.lines;
const rowId = (line: ReceiptLine) => line.delivery_id;
const rowName = (line: ReceiptLine) => `delivery of event ${middleCut(line.event_id)}`;
const rowVersion = ({ outcome, attempt }: ReceiptLine) => `${outcome}${attempt}`;
const rowLink = ({ trigger_id, event_id, delivery_id, attempt }: ReceiptLine) =>
  path.event(trigger_id, event_id, {
    delivery: delivery_id,
    ...(attempt === null ? {} : { attempt: String(attempt) }),
  });

/** What the attempts of a replay say about each of its deliveries. */
export function Component() {
  const ids = idsIn(useParams());
  const { receipt } = usePrefetchedQuery(receiptQuery(ids)).data;
  const [{ outcome }, set] = useUrlState(lineDefaults);
  const list = useList(linesQuery(ids, outcome), { rows: rowsOf, rowId });
  // Live changes name the replay, not its receipt.
  const { updated_at } = usePrefetchedQuery(replayQuery(ids)).data.replay;
  const shown = useRef(updated_at);
  useEffect(() => {
    if (shown.current !== updated_at) void invalidate('receiptGet', 'receiptLineList');
    shown.current = updated_at;
  }, [updated_at]);
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <PageHead title="Receipt" meta={<ReplayChip status={receipt.status} />} actions={<Exports ids={ids} />}>
        <div className="grid gap-3 px-4 pb-3 max-sm:px-3">
          <p role="status" className="text-16 wrap-anywhere">
            {receipt.summary}
          </p>
          <Details receipt={receipt} />
          <Outcomes receipt={receipt} outcome={outcome} onChange={(next) => set({ outcome: next }, { push: true })} />
        </div>
      </PageHead>
      <div className="flex min-h-72 flex-1 flex-col">
        <QueryTable
          label="Deliveries"
          noun="deliveries"
          list={list}
          columns={columns}
          rowName={rowName}
          rowVersion={rowVersion}
          rowLink={rowLink}
          filters={
            isOutcome(outcome) ? [{ name: 'Outcome', value: OUTCOMES[outcome], onClear: () => set(lineDefaults) }] : []
          }
          onClearFilters={() => set(lineDefaults)}
          empty={
            <EmptyState title="No deliveries" actions={<NextStep to={path.replays()}>All replays</NextStep>}>
              Nothing was collected when the replay was canceled.
            </EmptyState>
          }
        />
      </div>
    </div>
  );
}

function Exports({ ids }: { ids: Ids }) {
  return (
    <>
      <span className="max-md:hidden">
        <CopyAsCurl text={() => curlText('receiptGet', { params: ids })} what="get this receipt" />
      </span>
      {EXPORT_FORMATS.map((format) => (
        <LinkButton
          key={format}
          icon={Download}
          render={<a href={API_BASE + requestPath('receiptExport', { params: ids, query: { format } })} download />}
        >
          {format === 'csv' ? 'CSV' : 'JSON lines'}
        </LinkButton>
      ))}
    </>
  );
}

function Details({ receipt }: { receipt: Receipt }) {
  const { problem_id, problem_title, replay_id, created_by, created_at, as_of, is_final, failing, left_out } = receipt;
  const leftOut = leftOutLines(left_out);
  return (
    <KeyValueList
      items={[
        {
          name: 'Problem',
          value: (
            <Link className="link wrap-anywhere" to={path.problem(problem_id)}>
              {problem_title}
            </Link>
          ),
        },
        {
          name: 'Replay',
          value: (
            <>
              <Link className="link data" to={path.replay(replay_id)}>
                {middleCut(replay_id)}
              </Link>
              , started <Time at={created_at} as="full" /> by {created_by}
            </>
          ),
        },
        {
          name: is_final ? 'Final since' : 'As of',
          value: (
            <>
              <Time at={as_of} as="full" />
              {is_final ? '' : ': deliveries are open, the counts change'}
            </>
          ),
        },
        ...(failing.length === 0 ? [] : [{ name: 'Failing', value: <Failing failing={failing} /> }]),
        ...(leftOut.length === 0 ? [] : [{ name: 'Left out', value: leftOut.join('; ') }]),
      ]}
    />
  );
}

function Failing({ failing }: Pick<Receipt, 'failing'>) {
  return (
    <ul>
      {failing.map(({ destination_id, reason, response_status, text, count }) => (
        <li key={`${destination_id}${reason}${response_status}`}>
          {formatCount(count)}: {text}
        </li>
      ))}
    </ul>
  );
}

interface OutcomesProps {
  readonly receipt: Receipt;
  readonly outcome: string;
  readonly onChange: (outcome: string) => void;
}

/** The number of deliveries with each outcome; each filters the list. */
function Outcomes({ receipt: { outcomes }, outcome, onChange }: OutcomesProps) {
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-2">
      <legend className="sr-only">Outcomes</legend>
      {(Object.entries(outcomes) as [ReceiptOutcome, number][]).map(([name, count]) => (
        <button
          key={name}
          type="button"
          aria-pressed={outcome === name}
          onClick={() => onChange(outcome === name ? '' : name)}
          className={`min-h-6 rounded border px-2 text-12 hover:bg-hover ${
            outcome === name ? 'border-accent bg-selected' : 'border-line-2'
          }`}
        >
          {OUTCOMES[name]} <span className="data">{formatCount(count)}</span>
        </button>
      ))}
    </fieldset>
  );
}
