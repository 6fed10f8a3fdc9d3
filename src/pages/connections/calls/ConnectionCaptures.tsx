import { useQuery } from '@tanstack/react-query';
import { Disc } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Connection } from '../../../api/entities.ts';
import { usePrefetchedQuery } from '../../../api/queries.ts';
import { useReason } from '../../../api/session.ts';
import { CaptureSign } from '../../../components/captures/CaptureSign.tsx';
import { capturesOf, capturesQuery } from '../../../components/captures/capture-words.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { appNameOf, appsQuery, titleOf } from '../connection-queries.ts';

const CaptureDialog = lazy(() => import('../../../components/captures/CaptureDialog.tsx'));

/** The captures that are on for calls of this connection. */
export function ConnectionCaptures({ connection }: { connection: Connection }) {
  const captures = useQuery(capturesQuery).data?.captures ?? [];
  const { apps } = usePrefetchedQuery(appsQuery).data;
  return capturesOf(captures, connection).map((capture) => (
    <CaptureSign
      key={capture.capture_id}
      capture={capture}
      name={capture.app === null ? titleOf(connection, apps) : `all connections of ${appNameOf(apps, capture.app)}`}
    />
  ));
}

/** Opens the dialog that begins a capture. */
export function StartCapture({ connection }: { connection: Connection }) {
  const [isOpen, setOpen] = useState(false);
  const reason = useReason('captureCreate');
  const { apps } = usePrefetchedQuery(appsQuery).data;
  return (
    <>
      <Button size="sm" variant="ghost" icon={Disc} reason={reason} onClick={() => setOpen(true)}>
        Capture…
      </Button>
      <Suspense>
        {isOpen ? (
          <CaptureDialog
            target={{ connection_id: connection.connection_id }}
            name={titleOf(connection, apps)}
            onClose={() => setOpen(false)}
          />
        ) : null}
      </Suspense>
    </>
  );
}
