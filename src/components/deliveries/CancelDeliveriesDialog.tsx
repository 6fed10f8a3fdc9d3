import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import type { Reply } from '../../api/operation.ts';
import { q } from '../../api/queries.ts';
import { useUnmount } from '../../hooks/use-unmount.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { toast } from '../../ui/overlays/toast.ts';
import type { ReplayScope } from '../bulk-replay/replay-input.ts';

export interface CancelDeliveriesDialogProps {
  readonly scope: ReplayScope;
  readonly onClose: () => void;
}

/** Counts the open deliveries that match the filter of a list, and cancels them step by step. */
export default function CancelDeliveriesDialog({ scope, onClose }: CancelDeliveriesDialogProps) {
  const [canceled, setCanceled] = useState<number>();
  const dry = useQuery({ ...q('deliveryCancel', { body: { filter: scope, dry_run: true } }), gcTime: 0 });
  const [controller] = useState(() => ({ stopped: false }));
  useUnmount(() => {
    controller.stopped = true;
  });
  const run = async () => {
    let total = 0;
    try {
      let next_token: string | null | undefined;
      do {
        const reply: Reply<'deliveryCancel'> = await call('deliveryCancel', {
          body: { filter: scope, ...(next_token ? { next_token } : {}) },
        });
        total += reply.deliveries;
        next_token = reply.next_token;
        setCanceled(total);
      } while (next_token && !controller.stopped);
      toast({ title: `${plural(total, 'delivery', 'deliveries')} canceled`, tone: 'ok' });
    } catch (error) {
      toast({
        title: total > 0 ? `Only ${plural(total, 'delivery', 'deliveries')} canceled` : 'No deliveries were canceled',
        description: toApiError(error).message,
        tone: 'bad',
      });
    }
    onClose();
  };
  const nothing = dry.data?.deliveries === 0 && dry.data.next_token === null;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Cancel open deliveries"
      confirmLabel="Cancel deliveries"
      cancelLabel="Close"
      reason={dry.error ? toApiError(dry.error).message : nothing ? 'No open deliveries match.' : undefined}
      onConfirm={run}
    >
      <p role="status" className="text-fg">
        {canceled === undefined ? countWords(dry.data) : `${formatCount(canceled)} canceled…`}
      </p>
      <p className="mt-2">
        Open deliveries are pending or being retried. Canceled deliveries are not attempted again, unless you replay
        them. Attempts in flight finish, and a success still counts.
      </p>
    </ConfirmDialog>
  );
}

function countWords(found: Reply<'deliveryCancel'> | undefined): string {
  if (!found) return 'Counting…';
  const least = found.next_token === null ? '' : 'At least ';
  return `${least}${plural(found.deliveries, 'open delivery', 'open deliveries')} of ${plural(found.events, 'event')}`;
}
