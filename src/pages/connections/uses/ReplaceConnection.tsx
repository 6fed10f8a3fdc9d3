import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import { activeQuery } from '../connection-queries.ts';
import { Section } from '../Section.tsx';
import { usesQuery } from './uses-query.ts';

/** Makes everything that uses this connection use another one of the same app. */
export function ReplaceConnection({ connection, appName }: { connection: Connection; appName: string }) {
  const { app, connection_id } = connection;
  const [open, setOpen] = useState(false);
  const reason = useReason('connectionReplace');
  const others = useQuery(activeQuery(app)).data?.connections.filter((each) => each.connection_id !== connection_id);
  const none = others?.length === 0 ? `There is no other active connection of ${appName}.` : undefined;
  return (
    <Section
      title="Replace this connection"
      lead="Makes the triggers, destinations, functions and API keys that use it use another connection of the same app."
    >
      <Button reason={reason ?? none} onClick={() => setOpen(true)}>
        Replace connection…
      </Button>
      {open ? (
        <ReplaceDialog connectionId={connection_id} others={others ?? []} onClose={() => setOpen(false)} />
      ) : null}
    </Section>
  );
}

interface ReplaceDialogProps {
  readonly connectionId: string;
  readonly others: readonly Connection[];
  readonly onClose: () => void;
}

function ReplaceDialog({ connectionId, others, onClose }: ReplaceDialogProps) {
  const [chosen, setChosen] = useState(others.length === 1 ? (others[0]?.connection_id ?? '') : '');
  const uses = useQuery(usesQuery(connectionId)).data;
  const replace = useApiMutation('connectionReplace', {
    failure: 'The connection was not replaced',
    invalidates: [
      'connectionUses',
      'connectionList',
      'connectionGet',
      'triggerList',
      'triggerGet',
      'destinationGet',
      'functionGet',
      'apiKeyList',
    ],
    onSuccess: ({ triggers, destinations, functions, api_keys }) => {
      const moved = [
        plural(triggers, 'trigger'),
        plural(destinations, 'destination'),
        plural(functions, 'function'),
        plural(api_keys, 'API key'),
      ];
      toast({ title: 'Connection replaced', description: `Changed: ${moved.join(', ')}.`, tone: 'ok' });
      onClose();
    },
  });
  const input = { params: { connection_id: connectionId }, body: { connection_id: chosen } };
  const granted = uses?.functions.filter(({ is_granted }) => is_granted).length ?? 0;
  const limited = uses?.api_keys.filter(({ is_limited }) => is_limited).length ?? 0;
  return (
    <ConfirmDialog
      open
      harmless
      onClose={onClose}
      title="Replace the connection"
      confirmLabel="Replace connection"
      reason={chosen === '' ? 'Select a connection first.' : undefined}
      pending={replace.isPending}
      onConfirm={() => replace.mutate(input)}
    >
      <Field label="Use instead" required>
        <Select
          value={chosen}
          placeholder="Select a connection"
          options={others.map((each) => ({ value: each.connection_id, label: each.name ?? each.connection_id }))}
          onChange={(event) => setChosen(event.target.value)}
        />
      </Field>
      {uses ? (
        <p className="mt-3">
          This changes {plural(uses.trigger_count, 'trigger')}, {plural(uses.destinations.length, 'destination')},{' '}
          {plural(granted, 'function')} and {plural(limited, 'API key')}, and the default of the app if this connection
          is it. Calls that name this connection are not redirected.
        </p>
      ) : null}
      <div className="mt-2 -ml-2">
        <CopyAsCurl size="sm" text={() => curlText('connectionReplace', input)} what="this replacement" />
      </div>
    </ConfirmDialog>
  );
}
