import type { Trigger } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { invalidate } from '../../api/queries.ts';
import { useReason } from '../../api/session.ts';
import { EnabledChip } from '../../components/status.tsx';
import { sentenceCase } from '../../lib/format.ts';
import { Switch } from '../../ui/controls/Switch.tsx';

/** Turns a trigger on and off at once; a refusal turns it back and says why. Who may not do it sees the status. */
export function StatusSwitch({ trigger }: { trigger: Trigger }) {
  const reason = useReason('triggerUpdate');
  const update = useApiMutation('triggerUpdate', {
    failure: `${trigger.name} stays ${trigger.status.toLowerCase()}`,
    // awaited, so that what was asked for is shown until the answers have it
    onSuccess: () => invalidate('triggerList', 'triggerGet'),
  });
  if (reason) return <EnabledChip status={trigger.status} reason={trigger.reason} />;
  const asked = update.isPending ? update.variables.body.status : undefined;
  const status = asked ?? trigger.status;
  return (
    <Switch
      label={sentenceCase(status)}
      aria-label={`${trigger.name}: enabled`}
      checked={status === 'ENABLED'}
      onChange={(event) =>
        update.mutate({
          params: { trigger_id: trigger.trigger_id },
          body: { status: event.target.checked ? 'ENABLED' : 'DISABLED' },
        })
      }
    />
  );
}
