import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { routes } from '../../../contract/routes.ts?worded';
import { undoRefusal } from '../../../contract/text/audit-changes.ts';
import { toApiError } from '../../api/api-error.ts';
import type { AuditEntry } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import type { CallInput, Operation } from '../../api/operation.ts';
import { q } from '../../api/queries.ts';
import { useReason } from '../../api/session.ts';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { toast } from '../../ui/overlays/toast.ts';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { Link } from '../Link.tsx';
import { ChangeList } from './ChangeList.tsx';

export interface HistoryListProps {
  /** The resource's ID in the audit log. */
  readonly id: string;
  /** The operation that updates it: an old value is put back with it. */
  readonly update: Operation;
  readonly params: Readonly<Record<string, string>>;
  /** The resource as it is now. */
  readonly current: object;
  /** The queries that have it. */
  readonly invalidates: readonly Operation[];
}

const SHOWN = 20;
/** Changes of others appear while the list is open. */
const LOOK_MS = 5_000;

/** Who changed a resource, when, from where, and what, with an undo where nothing was changed since. */
export default function HistoryList(props: HistoryListProps) {
  const { data, error } = useQuery({
    ...q('auditList', { query: { resource_id: props.id, limit: SHOWN } }),
    refetchInterval: LOOK_MS,
  });
  if (error) return <p className="text-bad-fg">The history could not be loaded: {toApiError(error).message}</p>;
  if (!data) return <SkeletonLines label="Loading the history" />;
  return (
    <>
      <ol aria-label="History" className="divide-y divide-line border-y border-line">
        {data.entries.map((entry) => (
          <Entry key={entry.audit_id} entry={entry} {...props} />
        ))}
      </ol>
      <p className="mt-2 text-12 text-fg-3">
        {data.entries.length === 0 ? 'No change is recorded. ' : null}
        <Link className="link underline underline-offset-2" to={path.audit({ resource: props.id })}>
          Open in the audit log
        </Link>
      </p>
    </>
  );
}

function Entry({ entry, ...props }: HistoryListProps & { readonly entry: AuditEntry }) {
  const { operation, actor_name, actor_type, page, at, changes } = entry;
  const summary = operation in routes ? routes[operation as Operation].summary : operation;
  return (
    <li className="py-2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <b className="font-medium">{summary}</b>
        <span className="min-w-0 text-fg-2 wrap-anywhere">
          {actor_name}
          {actor_type === 'API_KEY' ? ' (API key)' : actor_type === 'SYSTEM' ? ' (system)' : ''}
          {page ? (
            <>
              {' on '}
              <Link className="link underline underline-offset-2" to={page}>
                {page}
              </Link>
            </>
          ) : null}
        </span>
        <Time at={at} className="text-12 text-fg-3" />
      </p>
      {changes.length > 0 ? (
        <div className="mt-1 flex flex-wrap items-start gap-2">
          <ChangeList changes={changes} />
          {operation === props.update ? <Undo entry={entry} {...props} /> : null}
        </div>
      ) : null}
    </li>
  );
}

function Undo({ entry, update, params, current, invalidates }: HistoryListProps & { readonly entry: AuditEntry }) {
  const mayUpdate = useReason(update);
  const undo = useApiMutation(update, {
    failure: 'The change was not undone',
    invalidates: [...invalidates, 'auditList'],
    onSuccess: () => void toast({ title: 'Change undone', tone: 'ok' }),
  });
  const reason = mayUpdate ?? undoRefusal(entry, current as Record<string, unknown>);
  const body = Object.fromEntries(entry.changes.map(({ field, before }) => [field, before]));
  return (
    <Button
      size="sm"
      icon={Undo2}
      reason={reason}
      pending={undo.isPending}
      onClick={() => undo.mutate({ params, body } as unknown as CallInput<Operation>)}
    >
      Undo
    </Button>
  );
}
