import { RotateCcw } from 'lucide-react';
import type { HostedFunction } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { SentError } from '../../../forms/Form.tsx';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import type { FileDiff } from './ChangedFiles.tsx';

interface RollBackBarProps {
  fn: HostedFunction;
  to: number;
  diffs: readonly FileDiff[];
  onDone: () => void;
}

/** The confirmation of a roll-back, above its diff. */
export function RollBackBar({ fn, to, diffs, onDone }: RollBackBarProps) {
  const params = { function_id: fn.function_id };
  const body = { version: to };
  const isNewer = to > fn.version;
  const reason = useReason('functionUpdate');
  const rollBack = useApiMutation('functionUpdate', {
    failure: 'inline',
    invalidates: ['functionGet', 'functionList', 'functionFiles', 'versionList', 'functionSearch'],
    onSuccess: () => {
      toast({ title: `Version ${to} of ${fn.name} is live${isNewer ? '' : ' again'}`, tone: 'ok' });
      onDone();
    },
  });
  return (
    <div className="flex flex-none flex-wrap items-center gap-2 border-b border-warn-line bg-warn-bg px-3 py-2">
      <p className="min-w-60 flex-1 text-12 text-warn-fg">
        <strong className="font-medium">
          {isNewer ? `Deploy v${to} instead of v${fn.version}?` : `Roll back from v${fn.version} to v${to}?`}
        </strong>{' '}
        The changes are shown below: {plural(diffs.length, 'file')}. New calls will run v{to}; v{fn.version} stays
        available. The environment does not change.
      </p>
      <span className="ml-auto flex flex-wrap items-center justify-end gap-2">
        <CopyAsCurl
          text={() => curlText('functionUpdate', { params, body })}
          what={isNewer ? `deploy version ${to}` : `roll back to version ${to}`}
        />
        <Button onClick={onDone}>Cancel</Button>
        <Button
          variant="primary"
          icon={RotateCcw}
          reason={reason}
          pending={rollBack.isPending}
          onClick={() => rollBack.mutate({ params, body })}
        >
          {isNewer ? 'Deploy' : 'Roll back to'} v{to}
        </Button>
      </span>
      {rollBack.error ? (
        <div className="w-full">
          <SentError error={rollBack.error} />
        </div>
      ) : null}
    </div>
  );
}
