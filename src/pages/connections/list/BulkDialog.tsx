import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConnectionAction } from '../../../../contract/states.ts';
import { toApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import type { Body } from '../../../api/operation.ts';
import { invalidate } from '../../../api/queries.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { formatCount, plural } from '../../../lib/format.ts';
import { Field } from '../../../ui/controls/Field.tsx';
import { TextInput } from '../../../ui/controls/TextInput.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { tagsIn } from '../tags.ts';

type Bulk = Body<'connectionBulk'>;
export type BulkTarget = { readonly connection_ids: string[] } | { readonly filter: NonNullable<Bulk['filter']> };

export const VERBS: Record<ConnectionAction, string> = {
  DISCONNECT: 'Disconnect',
  DELETE: 'Delete',
  ADD_TAGS: 'Add tags',
  REMOVE_TAGS: 'Remove tags',
};
const DONE: Record<ConnectionAction, string> = {
  DISCONNECT: 'disconnected',
  DELETE: 'deleted',
  ADD_TAGS: 'tagged',
  REMOVE_TAGS: 'changed',
};
const CONSEQUENCES: Record<ConnectionAction, string> = {
  DISCONNECT:
    'Their credentials are deleted, and calls with them are rejected. Each can be reconnected on its link, under the same ID.',
  DELETE:
    'Their credentials are deleted with them. Calls that name them are rejected, and the triggers that use them are disabled. This can’t be undone.',
  ADD_TAGS: 'Other tags are kept.',
  REMOVE_TAGS: 'Other tags are kept.',
};
/** What remains as it is, because the action would not change it. */
const UNCHANGED: Record<ConnectionAction, string> = {
  DISCONNECT: 'No connection has credentials to delete.',
  DELETE: 'No connection matches any more.',
  ADD_TAGS: 'Every connection has these tags.',
  REMOVE_TAGS: 'No connection has one of these tags.',
};

export interface BulkDialogProps {
  readonly action: ConnectionAction;
  readonly target: BulkTarget;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Shows how many connections an action changes, then performs it. */
export function BulkDialog({ action, target, onClose, onDone }: BulkDialogProps) {
  const [text, setText] = useState('');
  const [done, setDone] = useState(0);
  const tags = tagsIn(text);
  const takesTags = action === 'ADD_TAGS' || action === 'REMOVE_TAGS';
  const body: Bulk = { action, ...target, ...(takesTags ? { tags } : {}) };
  const isReady = !takesTags || tags.length > 0;
  const counted = useQuery({
    queryKey: ['connectionBulk', body],
    queryFn: () => call('connectionBulk', { body: { ...body, dry_run: true } }),
    enabled: isReady,
    staleTime: 0,
  });
  const count = isReady ? counted.data?.matched : undefined;
  const confirm = async () => {
    try {
      const changed = await changeAll(body, count ?? 0, setDone);
      toast({ title: `${plural(changed, 'connection')} ${DONE[action]}`, tone: 'ok' });
      onDone();
    } catch (thrown) {
      toast({ title: 'The connections were not changed', description: toApiError(thrown).message, tone: 'bad' });
    } finally {
      void invalidate('connectionList', 'connectionGet', 'triggerList', 'auditList');
    }
  };
  const noCount = counted.isError ? toApiError(counted.error).message : 'The connections are being counted.';
  const reason = !isReady ? 'Enter a tag first.' : count === undefined ? noCount : UNCHANGED[action];
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`${VERBS[action]}: ${'filter' in target ? 'all matching connections' : 'the selected connections'}`}
      confirmLabel={count ? `${VERBS[action]} (${formatCount(count)})` : VERBS[action]}
      harmless={takesTags}
      typeName={action === 'DELETE' && count ? String(count) : undefined}
      reason={count ? undefined : reason}
      onConfirm={confirm}
    >
      {takesTags ? (
        <Field label="Tags" help="Separate several with commas." required>
          <TextInput value={text} maxLength={500} onChange={(event) => setText(event.target.value)} />
        </Field>
      ) : null}
      <div className="mt-2 grid gap-2" role="status">
        {isReady && counted.isPending ? <SkeletonLines lines={1} label="Counting connections" /> : null}
        {counted.isError && isReady ? <p className="text-bad-fg">{noCount}</p> : null}
        {count === 0 ? <p>{UNCHANGED[action]}</p> : null}
        {count ? (
          <p>
            This changes <span className="text-fg">{plural(count, 'connection')}</span>. {CONSEQUENCES[action]}
          </p>
        ) : null}
        {done > 0 ? <p>{formatCount(done)} are done.</p> : null}
      </div>
      <div className="mt-2 -ml-2">
        <CopyAsCurl
          size="sm"
          text={() => curlText('connectionBulk', { body: expecting(body, count ?? 0) })}
          what="this change"
        />
      </div>
    </ConfirmDialog>
  );
}

/** With a filter, the number that the user has seen: if it differs now, the service changes nothing. */
const expecting = (body: Bulk, expected_count: number): Bulk => (body.filter ? { ...body, expected_count } : body);

/** Repeats the request until no connection is left; returns how many were changed. */
async function changeAll(body: Bulk, count: number, onProgress: (done: number) => void): Promise<number> {
  let done = 0;
  for (let left = count; left > 0; ) {
    const { changed, remaining } = await call('connectionBulk', { body: expecting(body, left) });
    done += changed;
    left = remaining;
    onProgress(done);
  }
  return done;
}
