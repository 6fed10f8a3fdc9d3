import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { q } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { plural } from '../../lib/format.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Time } from '../../ui/Time.tsx';

const HoldDialog = lazy(() => import('./HoldDialog.tsx'));

/** Others may end the hold, also on the server. */
const REFRESH_MS = 10_000;

/** Reports that the installation is on hold, and opens the dialog that ends it. */
export default function HoldBanner() {
  return useSession().on_hold ? <OnHold /> : null;
}

function OnHold() {
  const [open, setOpen] = useState(false);
  const { data } = useQuery({
    ...q('holdGet'),
    refetchInterval: ({ state }) => (state.data?.hold === null ? false : REFRESH_MS),
  });
  const hold = data?.hold;
  if (!hold) return null;
  return (
    <>
      <Banner
        tone="warn"
        action={
          <Button size="sm" onClick={() => setOpen(true)}>
            End the hold…
          </Button>
        }
      >
        {hold.cause === 'KEY' ? 'Sluice' : 'This copy of Sluice'} is on hold since <Time at={hold.since} as="clock" />:
        it accepts no events and sends nothing.{' '}
        {hold.waiting_deliveries === 0 ? null : (
          <>
            {plural(hold.waiting_deliveries, 'delivery waits', 'deliveries wait')}, the oldest event is from{' '}
            <Time at={hold.oldest_event_at} />.
          </>
        )}
      </Banner>
      <Suspense>{open ? <HoldDialog hold={hold} onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  );
}
