import { ExternalLink } from 'lucide-react';
import { useEffect } from 'react';
import { useApiMutation } from '../api/mutations.ts';
import { followSignIns, type SignInMessage } from '../api/sign-in-channel.ts';
import { FormError } from '../forms/Form.tsx';
import { useLatest } from '../hooks/use-latest.ts';
import { Button } from '../ui/controls/Button.tsx';

export interface ProviderTabProps {
  readonly provider: { readonly provider_id: string; readonly name: string };
  readonly purpose: 'SIGN_IN' | 'CONFIRM';
  /** Called when the sign-in in the other tab has succeeded. */
  readonly onDone: () => void;
}

const MESSAGES: Record<ProviderTabProps['purpose'], SignInMessage> = { SIGN_IN: 'signed-in', CONFIRM: 'confirmed' };

/** Signs in through an identity provider in another tab, so that this one keeps its page and its input. */
export function ProviderTab({ provider, purpose, onDone }: ProviderTabProps) {
  const start = useApiMutation('signInStart', { failure: 'inline' });
  const latest = useLatest(onDone);
  useEffect(
    () => followSignIns((message) => (message === MESSAGES[purpose] ? latest.current() : undefined)),
    [purpose, latest],
  );
  const open = () => {
    // at once: browsers block windows that open later
    const tab = window.open('', '_blank');
    start.mutate(
      { body: { provider_id: provider.provider_id, purpose } },
      {
        onSuccess: ({ url }) => {
          if (tab) tab.location.href = url;
          else window.location.assign(url);
        },
        onError: () => tab?.close(),
      },
    );
  };
  return (
    <div className="flex min-w-0 flex-col items-start gap-3">
      {start.error ? <FormError error={start.error} /> : null}
      <Button variant="primary" icon={ExternalLink} pending={start.isPending} onClick={open}>
        {`Continue with ${provider.name}`}
      </Button>
      {start.isSuccess ? <p className="text-12 text-fg-2">Finish the sign-in in the other tab.</p> : null}
    </div>
  );
}
