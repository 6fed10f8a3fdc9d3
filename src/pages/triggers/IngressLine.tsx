import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { Trigger } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { queryClient } from '../../api/query-client.ts';
import { useReason } from '../../api/session.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';
import { Time } from '../../ui/Time.tsx';
import { RotateDialog } from './destinations/RotateDialog.tsx';
import { SecretOnce } from './destinations/SecretOnce.tsx';
import { HookState } from './HookState.tsx';
import { SetupSteps } from './new/SetupSteps.tsx';
import type { Ingress } from './new/trigger-setup.ts';
import { appsQuery, triggerQuery } from './trigger-queries.ts';

export interface IngressLineProps {
  readonly trigger: Trigger;
  readonly ingress: Ingress;
}

/** The webhook URL, its registration at the source, and the signing secret. */
export function IngressLine({ trigger, ingress }: IngressLineProps) {
  const { trigger_id, name } = trigger;
  const app = useQuery(appsQuery).data?.apps.find((each) => each.app === trigger.source);
  const [open, setOpen] = useState<'setup' | 'rotate'>();
  const [secret, setSecret] = useState<string>();
  const rotateReason = useReason('triggerSecretRotate');
  const keep = (given: Trigger) => {
    const masked = { ...given, ingress };
    queryClient.setQueryData(triggerQuery(trigger_id).queryKey, { trigger: masked });
    void queryClient.invalidateQueries({ queryKey: triggerQuery(trigger_id).queryKey });
    setOpen(undefined);
    setSecret(given.ingress?.signing_secret ?? undefined);
  };
  const rotate = useApiMutation('triggerSecretRotate', {
    failure: `The secret of ${name} was not rotated`,
    onSuccess: (reply) => keep(reply.trigger),
  });
  const reveal = useApiMutation('triggerSecretReveal', {
    failure: 'The secret could not be shown',
    onSuccess: (reply) => keep(reply.trigger),
  });
  const appName = app?.name ?? trigger.source;
  return (
    <section
      aria-label="Webhook URL of this trigger"
      className="flex min-h-11 flex-none flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5 text-12 max-sm:px-3"
    >
      <span className="text-fg-3">Webhook URL</span>
      <span className="flex min-w-0 flex-1 basis-56 items-center gap-1">
        <code className="min-w-0 truncate" title={ingress.url}>
          {ingress.url}
        </code>
        <CopyButton text={ingress.url} label="Copy URL" />
      </span>
      <SecretWords ingress={ingress} />
      <span className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => setOpen('setup')}>
          Setup instructions
        </Button>
        {ingress.can_reveal ? (
          <Button
            size="sm"
            variant="primary"
            reason={rotateReason}
            pending={reveal.isPending}
            onClick={() => reveal.mutate({ params: { trigger_id } })}
          >
            Reveal the received secret
          </Button>
        ) : null}
        {ingress.secret === 'ours' ? (
          <Button size="sm" icon={KeyRound} reason={rotateReason} onClick={() => setOpen('rotate')}>
            Rotate secret…
          </Button>
        ) : null}
      </span>
      <div className="w-full empty:hidden">
        <HookState trigger={trigger} ingress={ingress} appName={appName} />
      </div>
      {open === 'rotate' ? (
        <RotateDialog
          name={name}
          old="The old secret stays valid"
          description="A new secret is generated and shown once. Enter it at the source. While both are valid, no requests are rejected."
          pending={rotate.isPending}
          onClose={() => setOpen(undefined)}
          onRotate={(overlap_hours) => rotate.mutate({ params: { trigger_id }, body: { overlap_hours } })}
        />
      ) : null}
      {open === 'setup' ? (
        <Dialog
          open
          wide
          onClose={() => setOpen(undefined)}
          title={`Set up ${appName}`}
          description={ingress.hook === 'REGISTERED' ? 'Registered automatically; no further steps.' : undefined}
          foot={
            <Button variant="primary" onClick={() => setOpen(undefined)}>
              Done
            </Button>
          }
        >
          <SetupSteps app={app} ingress={ingress} />
        </Dialog>
      ) : null}
      {secret === undefined ? null : (
        <SecretOnce
          title={`The secret of ${name}`}
          description={`Copy it now and enter it at ${app?.name ?? 'the source'}; it can’t be shown again.`}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </section>
  );
}

function SecretWords({ ingress }: { ingress: Ingress }) {
  const now = useNow(10_000);
  const { secret, has_secret, previous_secret_until } = ingress;
  if (secret === 'none') return <span className="text-warn-fg">signature verification: off</span>;
  if (!has_secret) return <span className="text-bad-fg">no secret yet: all requests are rejected</span>;
  if (previous_secret_until !== null && Date.parse(previous_secret_until) > now)
    return (
      <span className="text-fg-3">
        the old secret is valid until <Time at={previous_secret_until} as="full" />
      </span>
    );
  return <span className="text-fg-3">verified</span>;
}
