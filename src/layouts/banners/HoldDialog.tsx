import { type ReactNode, useState } from 'react';
import { useApiMutation } from '../../api/mutations.ts';
import type { Reply } from '../../api/operation.ts';
import { invalidate } from '../../api/queries.ts';
import { useReason } from '../../api/session.ts';
import CancelDeliveriesDialog from '../../components/deliveries/CancelDeliveriesDialog.tsx';
import { Link } from '../../components/Link.tsx';
import { formatCount, plural } from '../../lib/format.ts';
import { operatorCommand } from '../../lib/operator-command.ts';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';
import { Select } from '../../ui/controls/Select.tsx';
import { KeyValueList } from '../../ui/KeyValueList.tsx';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';
import { toast } from '../../ui/overlays/toast.ts';
import { Time } from '../../ui/Time.tsx';

type Hold = NonNullable<Reply<'holdGet'>['hold']>;
type Step = 'cancel' | 'disconnect' | 'release';

const AGES = [
  { value: '1', label: 'Older than 1 hour' },
  { value: '24', label: 'Older than 1 day' },
  { value: '72', label: 'Older than 3 days' },
  { value: '168', label: 'Older than 7 days' },
];
const HOUR_MS = 3_600_000;
const COPY = {
  before: 'Make sure that the original installation has stopped: otherwise both send the same events.',
  old: 'Deliveries of events that the original has probably sent.',
  title: 'This copy is on hold',
  description:
    'A copy of an installation does nothing until it is released, so that it does not send what the original has sent.',
};
const NEW_KEY = {
  before: 'What still lacks its secret fails.',
  old: 'Deliveries of events that have become useless.',
  title: 'Sluice is on hold',
  description:
    'The master key was lost, and with it all stored secrets. Reconnect connections and enter secrets before the release, so that nothing fails without them.',
};

/** What an owner can do before the release: cancel old deliveries, disconnect tokens. Each step asks for confirmation. */
export default function HoldDialog({ hold, onClose }: { hold: Hold; onClose: () => void }) {
  const [step, setStep] = useState<Step>();
  const [hours, setHours] = useState('24');
  const [before, setBefore] = useState('');
  const back = () => {
    setStep(undefined);
    void invalidate('holdGet');
  };
  const disconnect = useApiMutation('holdDisconnect', {
    failure: 'The tokens were not disconnected',
    invalidates: ['connectionList', 'holdGet'],
    onSuccess: ({ disconnected }) => {
      toast({ title: `${plural(disconnected, 'connection')} disconnected`, tone: 'ok' });
      back();
    },
  });
  const release = useApiMutation('holdRelease', {
    failure: 'The hold was not ended',
    invalidates: ['holdGet', 'sessionGet'],
    onSuccess: () => {
      toast({ title: 'Released', description: 'Events are taken and deliveries sent again.', tone: 'ok' });
      onClose();
    },
  });
  const words = hold.cause === 'KEY' ? NEW_KEY : COPY;
  const mayRelease = useReason('holdRelease');
  const mayCancel = useReason('deliveryCancel');
  const shared = hold.may_release ? undefined : 'Other accounts use this installation, too: release it on the server.';

  if (step === 'cancel') return <CancelDeliveriesDialog scope={{ received_before: before }} onClose={back} />;
  if (step === 'disconnect')
    return (
      <ConfirmDialog
        open
        onClose={back}
        title="Disconnect tokens"
        confirmLabel="Disconnect"
        onConfirm={() => disconnect.mutateAsync({})}
      >
        {plural(hold.refreshed_connections, 'connection')} will need to be reconnected here. The original installation
        keeps them.
      </ConfirmDialog>
    );
  if (step === 'release')
    return (
      <ConfirmDialog
        open
        harmless
        onClose={back}
        title="Release"
        confirmLabel="Release"
        onConfirm={() => release.mutateAsync({})}
      >
        {hold.waiting_deliveries === 0
          ? 'No deliveries wait.'
          : `${plural(hold.waiting_deliveries, 'delivery', 'deliveries')} will be sent when due.`}{' '}
        Schedules fire, polls run and tokens are refreshed. {words.before}
      </ConfirmDialog>
    );
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={words.title}
      description={words.description}
      foot={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" reason={mayRelease ?? shared} onClick={() => setStep('release')}>
            Release…
          </Button>
        </>
      }
    >
      <KeyValueList
        items={[
          { name: 'On hold since', value: <Time at={hold.since} as="full" /> },
          { name: 'Cause', value: causeOf(hold) },
          { name: 'Waiting deliveries', value: formatCount(hold.waiting_deliveries) },
          { name: 'Oldest event', value: <Time at={hold.oldest_event_at} as="full" /> },
          ...(hold.cause === 'KEY'
            ? []
            : [{ name: 'Refreshed tokens', value: plural(hold.refreshed_connections, 'connection') }]),
        ]}
      />
      <div className="mt-4 grid gap-4">
        {hold.cause === 'KEY' ? (
          <Choice
            title="Enter the secrets again"
            text={`${operatorCommand('replace-key')} printed what has lost its secret, by name. Connections have failed until they are reconnected.`}
          >
            <LinkButton size="sm" render={<Link to={path.connections({ status: 'FAILED' })} onClick={onClose} />}>
              Failed connections
            </LinkButton>
          </Choice>
        ) : null}
        <Choice title="Cancel old deliveries" text={words.old}>
          <span className="w-44">
            <Select
              size="sm"
              aria-label="Age of the events"
              options={AGES}
              value={hours}
              onChange={({ target }) => setHours(target.value)}
            />
          </span>
          <Button
            size="sm"
            reason={mayCancel ?? (hold.waiting_deliveries === 0 ? 'No deliveries wait.' : undefined)}
            onClick={() => {
              setBefore(new Date(Date.now() - Number(hours) * HOUR_MS).toISOString());
              setStep('cancel');
            }}
          >
            Cancel deliveries…
          </Button>
        </Choice>
        {hold.cause === 'KEY' ? null : (
          <Choice
            title="Disconnect tokens"
            text="If the original still runs: many refresh tokens are valid once, and a refresh here would end its access."
          >
            <Button
              size="sm"
              reason={mayRelease ?? (hold.refreshed_connections === 0 ? 'No connection has such tokens.' : undefined)}
              onClick={() => setStep('disconnect')}
            >
              Disconnect tokens…
            </Button>
          </Choice>
        )}
      </div>
    </Dialog>
  );
}

function causeOf({ cause, origin }: Hold): string {
  if (cause === 'SETTING') return 'Started with SLUICE_START=held';
  if (cause === 'KEY') return 'A new master key';
  return origin === null ? 'Exported from a running installation' : `Import of ${origin}`;
}

function Choice({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className="grid gap-2 border-t border-line pt-3">
      <h3 className="text-13 font-medium">{title}</h3>
      <p className="text-12 text-fg-2">{text}</p>
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </section>
  );
}
