import { Check } from 'lucide-react';
import { useState } from 'react';
import type { Trigger } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { pages } from '../../api/queries.ts';
import { useReason } from '../../api/session.ts';
import { CopyAsCurl, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { HttpMessage } from '../../components/deliveries/HttpMessage.tsx';
import { Link } from '../../components/Link.tsx';
import { NextStep } from '../../components/NextStep.tsx';
import { formatBytes, formatCount, plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { columnsOf } from '../../table/columns.ts';
import { QueryTable } from '../../table/QueryTable.tsx';
import { useList } from '../../table/use-list.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Chip } from '../../ui/controls/Chip.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LivePill } from '../../ui/LivePill.tsx';
import { Panel, PanelSection } from '../../ui/overlays/Panel.tsx';
import { Time } from '../../ui/Time.tsx';
import { CAUSES, type Rejection } from './new/trigger-setup.ts';

function NoRejections({ trigger }: { trigger: Trigger }) {
  const pushes = trigger.ingress !== null;
  return (
    <EmptyState
      title="No rejected requests"
      actions={<NextStep to={path.trigger(trigger.trigger_id)}>See accepted events</NextStep>}
    >
      {pushes
        ? 'Requests to the webhook URL with an invalid signature or an unreadable body are listed here with the cause.'
        : 'This source has no webhook URL, so no requests can be rejected.'}
    </EmptyState>
  );
}

const col = columnsOf<Rejection>();
const columns = col.columns([
  col.accessor('cause', {
    header: 'Cause',
    meta: { width: 'minmax(180px, 220px)', phone: 'lead' },
    cell: ({ getValue }) => <Chip tone="bad">{CAUSES[getValue()].title}</Chip>,
  }),
  col.accessor('message', {
    header: 'Details',
    meta: { width: 'minmax(160px, 2fr)', phone: 'below' },
    cell: ({ getValue }) => (
      <span className="min-w-0 truncate text-fg-2" title={getValue()}>
        {getValue()}
      </span>
    ),
  }),
  col.accessor('ip', {
    header: 'IP address',
    meta: { width: '130px', fold: true },
    cell: ({ getValue }) => <span className="data truncate text-fg-3">{getValue() ?? '–'}</span>,
  }),
  col.accessor('at', {
    header: 'Time',
    meta: { width: '112px', phone: 'end' },
    cell: ({ getValue }) => <Time at={getValue()} />,
  }),
]);
const rowsOf = (page: { rejections: Rejection[] }) => page.rejections;
const rowId = (rejection: Rejection) => rejection.rejection_id;
const defaults = { rejection: '' };

/** Rejected requests to the webhook URL, each with its cause. */
export function RejectionsTab({ trigger }: { trigger: Trigger }) {
  const { trigger_id } = trigger;
  const params = { trigger_id };
  const [url, setUrl] = useUrlState(defaults);
  const query = pages('rejectionList', { params });
  const list = useList(query, { rows: rowsOf, rowId, hold: url.rejection !== '' });
  const [seen, setSeen] = useState<Rejection>();
  const open = list.rows.find(({ rejection_id }) => rejection_id === url.rejection) ?? seen;
  if (open && open !== seen) setSeen(open);
  const close = () => {
    setUrl({ rejection: undefined });
    setSeen(undefined);
  };
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <div className="flex min-h-12 flex-none items-center gap-2 px-4 py-2 max-sm:px-3">
          <p className="min-w-0 flex-1 text-fg-2">
            Requests to the webhook URL that were rejected. They are not stored as events, unless you accept one.
          </p>
          <LivePill count={list.waiting} noun="rejections" onShow={list.show} />
          <span className="max-sm:hidden">
            <CopyAsCurl text={() => curlText('rejectionList', { params })} what="list rejections" />
          </span>
        </div>
        <QueryTable
          label="Rejected requests"
          noun="rejections"
          list={list}
          columns={columns}
          rowLink={({ rejection_id }) => `?rejection=${rejection_id}`}
          currentId={url.rejection || undefined}
          filters={[]}
          onClearFilters={() => undefined}
          empty={<NoRejections trigger={trigger} />}
        />
      </div>
      {url.rejection !== '' && open ? (
        <RejectionPanel key={open.rejection_id} triggerId={trigger_id} rejection={open} onClose={close} />
      ) : null}
    </div>
  );
}

interface RejectionPanelProps {
  readonly triggerId: string;
  readonly rejection: Rejection;
  readonly onClose: () => void;
}

function RejectionPanel({ triggerId, rejection, onClose }: RejectionPanelProps) {
  const { cause, message, method, headers, body, bytes, ip, at } = rejection;
  const shown = body === null ? 0 : new Blob([body]).size;
  return (
    <Panel
      mode="beside"
      title={CAUSES[cause].title}
      meta={
        <>
          <Time at={at} as="full" />
          {ip ? <span className="data">from {ip}</span> : null}
        </>
      }
      actions={<AcceptAction triggerId={triggerId} rejection={rejection} />}
      onClose={onClose}
    >
      <PanelSection>
        <p className="wrap-anywhere">{message}</p>
        <p className="mt-1 text-fg-2">{CAUSES[cause].fix}</p>
      </PanelSection>
      <PanelSection title="Request" note={formatBytes(bytes)}>
        <HttpMessage
          label="Rejected request"
          first={method}
          headers={headers}
          body={body}
          note={
            body === null && bytes > 0
              ? `${plural(bytes, 'byte')} that are not text.`
              : bytes > shown
                ? `The first ${formatBytes(shown)} of ${formatCount(bytes)} bytes.`
                : undefined
          }
        />
      </PanelSection>
    </Panel>
  );
}

/** Accepts the request as an event, or links to the event that it became. */
function AcceptAction({ triggerId, rejection }: { triggerId: string; rejection: Rejection }) {
  const { rejection_id, can_accept } = rejection;
  const role = useReason('rejectionAccept');
  const { mutate, isPending, data } = useApiMutation('rejectionAccept', {
    failure: 'The request was not accepted',
    invalidates: ['rejectionList'],
  });
  const event_id = rejection.event_id ?? data?.event_ids[0];
  if (event_id !== undefined)
    return (
      <p role="status" className="text-fg-2">
        Accepted as an event.{' '}
        <Link className="link" to={path.event(triggerId, event_id)}>
          Open event
        </Link>
      </p>
    );
  const partial = can_accept ? undefined : 'Only a part of this request is stored.';
  return (
    <Button
      icon={Check}
      reason={role ?? partial}
      pending={isPending}
      onClick={() => mutate({ params: { trigger_id: triggerId, rejection_id } })}
    >
      Accept and deliver
    </Button>
  );
}
