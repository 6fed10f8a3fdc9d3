import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useApiMutation } from '../../../api/mutations.ts';
import { q } from '../../../api/queries.ts';
import { useReason } from '../../../api/session.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { Time } from '../../../ui/Time.tsx';
import { keysQuery } from '../overview-queries.ts';
import { StepError, StepRow } from './StepRow.tsx';

/** How often the use of the new key is read: it is written a second after the call. */
const LOOK_MS = 2_000;

/** Creates a key, and waits for the first call with it. */
export function KeyStep({ done }: { readonly done: boolean }) {
  const reason = useReason('apiKeyCreate');
  const create = useApiMutation('apiKeyCreate', { failure: 'inline', invalidates: ['apiKeyList', 'overviewGet'] });
  const base = useQuery(q('accountGet')).data?.account.addresses.base_url ?? '';
  const made = create.data;
  const isMade = (keys: readonly { key_id: string; last_used_at: string | null }[]) =>
    keys.find(({ key_id }) => key_id === made?.api_key.key_id);
  const { data } = useQuery({
    ...keysQuery,
    refetchInterval: ({ state }) =>
      made !== undefined && !isMade(state.data?.api_keys ?? [])?.last_used_at ? LOOK_MS : false,
  });
  const used = isMade(data?.api_keys ?? [])?.last_used_at;
  const command = made ? `curl '${base}/account' -H 'Authorization: Bearer ${made.key}'` : '';
  return (
    <StepRow
      title="Create an API key and call the API"
      what="The key has full access and is shown once, in the command. It can be limited or revoked in the settings."
      done={done}
      result={
        create.error ? (
          <StepError error={create.error} />
        ) : used ? (
          <p>
            The first call with this key has arrived: <Time at={used} />
          </p>
        ) : made ? (
          <p className="text-fg-2">Waiting for the first call with this key…</p>
        ) : null
      }
    >
      {made ? (
        <div className="flex min-w-0 items-start gap-2 rounded border border-line-2 bg-sunken py-1.5 pr-1.5 pl-3">
          <code className="min-w-0 flex-1 wrap-anywhere select-all">{command}</code>
          <CopyButton text={command} label="Copy command" />
        </div>
      ) : (
        <Button
          icon={KeyRound}
          reason={reason}
          pending={create.isPending}
          onClick={() => create.mutate({ body: { name: 'First steps' } })}
        >
          Create a key
        </Button>
      )}
    </StepRow>
  );
}
