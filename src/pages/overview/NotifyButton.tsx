import { useQuery } from '@tanstack/react-query';
import { BellRing } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useReason } from '../../api/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { notifyingTriggersQuery } from './overview-queries.ts';

const NotifyDialog = lazy(() => import('./NotifyDialog.tsx'));

/** Offers notifications until a trigger of the source `sluice` exists. Its dialog stays open once it has created one. */
export default function NotifyButton() {
  const [open, setOpen] = useState(false);
  const triggers = useQuery(notifyingTriggersQuery).data?.triggers;
  const reason = useReason('triggerCreate');
  return (
    <>
      {triggers?.length === 0 && reason === undefined ? (
        <Button icon={BellRing} onClick={() => setOpen(true)}>
          Notify me when something fails
        </Button>
      ) : null}
      {open ? (
        <Suspense>
          <NotifyDialog onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
