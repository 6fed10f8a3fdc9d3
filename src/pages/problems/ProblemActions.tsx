import { BellOff, Check, Eye, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { Problem } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { useReason } from '../../api/session.ts';
import { curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { Form } from '../../forms/Form.tsx';
import { RadioCardsField, TextField } from '../../forms/fields.tsx';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { usePageActions } from '../../layouts/palette/page-actions.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';

const INVALIDATES = ['problemGet', 'problemList', 'overviewGet'] as const;
type Asked = 'acknowledge' | 'ignore';

/** Buttons that change the state of a problem. */
export function ProblemActions({ problem }: { problem: Problem }) {
  const { problem_id, state } = problem;
  const [asked, setAsked] = useState<Asked>();
  const reason = useReason('problemResolve');
  const params = { problem_id };
  const resolve = useApiMutation('problemResolve', {
    failure: 'The problem was not resolved',
    invalidates: INVALIDATES,
  });
  const reopen = useApiMutation('problemReopen', { failure: 'The problem was not reopened', invalidates: INVALIDATES });
  const isActive = state === 'OPEN' || state === 'ACKNOWLEDGED';
  const close = () => setAsked(undefined);
  usePageActions([
    ...(state === 'OPEN'
      ? [{ label: 'Acknowledge the problem', icon: Eye, reason, onSelect: () => setAsked('acknowledge') }]
      : []),
    ...(isActive
      ? [
          { label: 'Ignore the problem', icon: BellOff, reason, onSelect: () => setAsked('ignore') },
          { label: 'Resolve the problem', icon: Check, reason, onSelect: () => resolve.mutate({ params, body: {} }) },
        ]
      : [{ label: 'Reopen the problem', icon: RotateCcw, reason, onSelect: () => reopen.mutate({ params }) }]),
  ]);
  return (
    <>
      {state === 'OPEN' ? (
        <Button icon={Eye} reason={reason} onClick={() => setAsked('acknowledge')}>
          Acknowledge
        </Button>
      ) : null}
      {isActive ? (
        <>
          <Button icon={BellOff} reason={reason} onClick={() => setAsked('ignore')}>
            Ignore
          </Button>
          <Button
            variant="primary"
            icon={Check}
            reason={reason}
            pending={resolve.isPending}
            onClick={() => resolve.mutate({ params, body: {} })}
          >
            Resolve
          </Button>
        </>
      ) : (
        <Button icon={RotateCcw} reason={reason} pending={reopen.isPending} onClick={() => reopen.mutate({ params })}>
          Reopen
        </Button>
      )}
      {asked === 'acknowledge' ? <AcknowledgeDialog problem={problem} onClose={close} /> : null}
      {asked === 'ignore' ? <IgnoreDialog problem={problem} onClose={close} /> : null}
    </>
  );
}

interface DialogProps {
  problem: Problem;
  onClose: () => void;
}

const note = z.string().check(z.maxLength(500, 'Enter at most 500 characters.'));
const withNote = (text: string) => (text.trim() === '' ? {} : { note: text.trim() });

function AcknowledgeDialog({ problem: { problem_id }, onClose }: DialogProps) {
  const form = useSchemaForm(z.object({ note }), { note: '' });
  const acknowledge = useApiMutation('problemAcknowledge', {
    failure: 'inline',
    invalidates: INVALIDATES,
    onSuccess: onClose,
  });
  const input = (values: { note: string }) => ({ params: { problem_id }, body: withNote(values.note) });
  return (
    <Dialog open onClose={onClose} title="Acknowledge the problem" description="Shows the others that you work on it.">
      <Form
        form={form}
        onSubmit={(values) => acknowledge.mutate(input(values))}
        submitError={acknowledge.error}
        loading={acknowledge.isPending}
        submitLabel="Acknowledge"
        onCancel={onClose}
        curl={() => curlText('problemAcknowledge', input(form.getValues()))}
      >
        <TextField control={form.control} name="note" label="Note" optional autoFocus />
      </Form>
    </Dialog>
  );
}

const DAY_MS = 86_400_000;
const UNTIL = ['growth', 'day', 'week'] as const;
const UNTIL_CARDS = [
  { value: 'growth', title: 'It has ten times as many failures' },
  { value: 'day', title: 'Tomorrow', description: 'It is open again at its next failure after 24 hours.' },
  { value: 'week', title: 'Next week', description: 'It is open again at its next failure after seven days.' },
] as const;
const DAYS = { day: 1, week: 7 };

function IgnoreDialog({ problem: { problem_id }, onClose }: DialogProps) {
  const form = useSchemaForm(z.object({ until: z.enum(UNTIL), note }), { until: 'growth', note: '' });
  const ignore = useApiMutation('problemIgnore', { failure: 'inline', invalidates: INVALIDATES, onSuccess: onClose });
  const input = (values: { until: (typeof UNTIL)[number]; note: string }) => {
    const time =
      values.until === 'growth' ? {} : { until: new Date(Date.now() + DAYS[values.until] * DAY_MS).toISOString() };
    return { params: { problem_id }, body: { ...time, ...withNote(values.note) } };
  };
  return (
    <Dialog open onClose={onClose} title="Ignore the problem" description="Its failures are still counted.">
      <Form
        form={form}
        onSubmit={(values) => ignore.mutate(input(values))}
        submitError={ignore.error}
        loading={ignore.isPending}
        submitLabel="Ignore"
        onCancel={onClose}
        curl={() => curlText('problemIgnore', input(form.getValues()))}
      >
        <RadioCardsField control={form.control} name="until" label="Until" options={UNTIL_CARDS} />
        <TextField control={form.control} name="note" label="Note" optional />
      </Form>
    </Dialog>
  );
}
