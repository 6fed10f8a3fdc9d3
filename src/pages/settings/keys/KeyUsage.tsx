import { useQuery } from '@tanstack/react-query';
import type { KeyLimits } from '../../../../contract/keys/key-limits.ts';
import { routes } from '../../../../contract/routes.ts?worded';
import { toApiError } from '../../../api/api-error.ts';
import type { ApiKey } from '../../../api/entities.ts';
import type { Operation, Reply } from '../../../api/operation.ts';
import { q } from '../../../api/queries.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { IdText } from '../../../components/IdText.tsx';
import { FormError } from '../../../forms/Form.tsx';
import { formatCount, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { Time } from '../../../ui/Time.tsx';
import { permissionWords } from './key-form.ts';
import { linesOf } from './rule-lines.ts';

type Usage = Reply<'apiKeyUsage'>;

interface KeyUsageProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  /** Opens the form with the proposed limits. */
  readonly onPropose: (limits: KeyLimits) => void;
}

/** What a key was used for in the last 30 days, and limits that permit exactly that. */
export function KeyUsage({ apiKey, onClose, onPropose }: KeyUsageProps) {
  const params = { key_id: apiKey.key_id };
  const { data, error } = useQuery({ ...q('apiKeyUsage', { params }), refetchOnMount: 'always' });
  const mayEdit = useReason('apiKeyUpdate');
  const proposal = data?.proposal;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Use of ${apiKey.name}`}
      description={data ? <Summary usage={data} /> : undefined}
      foot={
        <>
          <span className="mr-auto">
            <CopyAsCurl text={() => curlText('apiKeyUsage', { params })} what="this use" />
          </span>
          <Button variant="ghost" onClick={onClose}>
            Close
          </Button>
          <Button
            variant="primary"
            reason={mayEdit ?? (data && !proposal ? (data.reason ?? undefined) : undefined)}
            pending={!data && !error}
            onClick={() => (proposal ? onPropose(proposal) : undefined)}
          >
            Limit to this use…
          </Button>
        </>
      }
    >
      {error ? <FormError error={toApiError(error)} /> : null}
      {data ? <Uses usage={data} /> : error ? null : <SkeletonLines lines={4} label="Reading the use of the key" />}
    </Dialog>
  );
}

function Summary({ usage: { calls, since } }: { usage: Usage }) {
  return (
    <>
      {calls === 0 ? 'No calls' : plural(calls, 'call')} since <Time at={since} as="full" />.
    </>
  );
}

function Uses({ usage }: { usage: Usage }) {
  const { gateway, operations, functions, addresses, proposal, reason } = usage;
  return (
    <div className="grid gap-4">
      {gateway.length > 0 ? (
        <Counts
          title="Calls of apps"
          rows={gateway.map(({ method, app, path, connection_id, calls }) => ({
            key: `${method} ${app} ${path} ${connection_id}`,
            what: <span className="data">{`${method} ${app} ${path}`}</span>,
            calls,
          }))}
        />
      ) : null}
      {operations.length > 0 ? (
        <Counts
          title="API operations"
          rows={operations.map(({ operation, function_id, calls }) => ({
            key: `${operation} ${function_id}`,
            what: (
              <>
                {operation in routes ? routes[operation as Operation].summary : operation}
                {function_id === null ? null : <IdText id={function_id} noun="function ID" />}
              </>
            ),
            calls,
          }))}
        />
      ) : null}
      {functions.length > 0 ? (
        <Counts
          title="Function URLs"
          rows={functions.map(({ function_id, calls }) => ({
            key: function_id,
            what: <IdText id={function_id} noun="function ID" />,
            calls,
          }))}
        />
      ) : null}
      {addresses.length > 0 ? (
        <Counts
          title="IP addresses"
          rows={addresses.map(({ ip, calls }) => ({
            key: ip,
            what: <span className="data">{ip === '' ? 'other addresses' : ip}</span>,
            calls,
          }))}
        />
      ) : null}
      {proposal ? <Proposed limits={proposal} /> : <p className="text-fg-2">{reason}</p>}
    </div>
  );
}

function Proposed({ limits }: { limits: KeyLimits }) {
  return (
    <section aria-label="Proposed limits" className="rounded border border-line bg-sunken px-3 py-2">
      <h3 className="text-12 font-medium text-fg-2">Limits that permit this use</h3>
      <p className="mt-1 wrap-anywhere">{permissionWords(limits.scopes)}</p>
      {limits.gateway ? <pre className="mt-1 wrap-anywhere whitespace-pre-wrap">{linesOf(limits.gateway)}</pre> : null}
      {limits.functions ? <p className="mt-1 text-fg-2">{plural(limits.functions.length, 'function')}</p> : null}
    </section>
  );
}

type Row = { key: string; what: React.ReactNode; calls: number };
const SHOWN = 10;

function Counts({ title, rows }: { title: string; rows: readonly Row[] }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-12 font-medium text-fg-2">{title}</h3>
      <ul className="divide-y divide-line border-y border-line">
        {rows.slice(0, SHOWN).map(({ key, what, calls }) => (
          <li key={key} className="flex items-baseline gap-3 py-1">
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-2 wrap-anywhere">{what}</span>
            <span className="data flex-none text-fg-2">{formatCount(calls)}</span>
          </li>
        ))}
      </ul>
      {rows.length > SHOWN ? (
        <p className="mt-1 text-12 text-fg-3">and {formatCount(rows.length - SHOWN)} more</p>
      ) : null}
    </section>
  );
}
