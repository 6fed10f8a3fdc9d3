import type { Trigger } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { invalidate } from '../../api/queries.ts';
import { useReason } from '../../api/session.ts';
import { EnabledChip } from '../../components/status.tsx';
import { sentenceCase } from '../../lib/format.ts';
import { Switch } from '../../ui/controls/Switch.tsx';

/**
 * The status switch of a trigger. It changes at once; a rejection reverts it and shows the reason. Users who may not
 * change the trigger see its status only.
 */
export function StatusSwitch({ trigger }: { trigger: Trigger }) {
  const reason = useReason('triggerUpdate');
  const update = useApiMutation('triggerUpdate', {
    failure: `${trigger.name} stays ${trigger.status.toLowerCase()}`,
    // awaited, so that the chosen status is shown until the reloaded data contains it
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
