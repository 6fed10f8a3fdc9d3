import { Stethoscope } from 'lucide-react';
import { useState } from 'react';
import { useApiMutation } from '../../api/mutations.ts';
import type { Reply } from '../../api/operation.ts';
import { queryClient } from '../../api/query-client.ts';
import { useReason } from '../../api/session.ts';
import { FormError } from '../../forms/Form.tsx';
import { formatDuration } from '../../lib/format.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Chip, statusIcons } from '../../ui/controls/Chip.tsx';
import { Time } from '../../ui/Time.tsx';
import { connectionQuery } from './connection-queries.ts';

type Found = Reply<'connectionTest'>['test'] & { readonly at: string };

/** Tests the credentials with a cheap request to the app. After two rejections the connection is FAILED. */
export function useConnectionTest(connection_id: string) {
  const params = { connection_id };
  const [found, setFound] = useState<Found>();
  const reason = useReason('connectionTest');
  const { mutate, isPending, error } = useApiMutation('connectionTest', {
    failure: 'inline',
    invalidates: ['connectionList'],
    onSuccess: ({ test, connection }) => {
      queryClient.setQueryData(connectionQuery(connection_id).queryKey, { connection });
      setFound({ ...test, at: new Date().toISOString() });
    },
  });
  return { found, error, reason, pending: isPending, run: () => mutate({ params }) };
}
type ConnectionTest = ReturnType<typeof useConnectionTest>;

export function TestButton({ test: { reason, pending, run } }: { test: ConnectionTest }) {
  return (
    <Button icon={Stethoscope} reason={reason} pending={pending} onClick={run}>
      Test
    </Button>
  );
}

/** The result of the last test. */
export function TestOutcome({ test: { found, error, pending } }: { test: ConnectionTest }) {
  if (error && !pending) {
    return (
      <div className="mt-3">
        <FormError error={error} />
      </div>
    );
  }
  return (
    <div role="status" className="mt-3 flex flex-wrap items-center gap-x-2 gap-y-1 empty:mt-0">
      {found && !pending ? (
        <>
          <Verdict ok={found.ok} />
          <span className="min-w-0 wrap-anywhere">{found.message}</span>
          <span className="text-12 text-fg-3">
            {found.duration_ms === null ? null : (
              <>
                <span className="data">{formatDuration(found.duration_ms)}</span>,{' '}
              </>
            )}
            <Time at={found.at} />
          </span>
        </>
      ) : null}
    </div>
  );
}

function Verdict({ ok }: { ok: boolean | null }) {
  if (ok === null)
    return (
      <Chip tone="mute" icon={statusIcons.skipped}>
        Unknown
      </Chip>
    );
  return ok ? <Chip tone="ok">Accepted</Chip> : <Chip tone="bad">Rejected</Chip>;
}
