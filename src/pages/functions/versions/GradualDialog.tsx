import { useState } from 'react';
import type { HostedFunction } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import type { Reply } from '../../../api/operation.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { SentError } from '../../../forms/Form.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { TextInput } from '../../../ui/controls/TextInput.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { toast } from '../../../ui/overlays/toast.ts';

export type Gradual = NonNullable<Reply<'gradualGet'>['gradual']>;

interface GradualDialogProps {
  fn: HostedFunction;
  version: number;
  /** The gradual deploy of this version, if one is in progress. */
  running: Gradual | undefined;
  onClose: () => void;
}

const isBetween = (text: string, min: number, max: number) =>
  /^\d{1,5}$/.test(text) && Number(text) >= min && Number(text) <= max;

/** Starts, changes and ends a gradual deploy of a version. */
export function GradualDialog({ fn, version, running, onClose }: GradualDialogProps) {
  const [percent, setPercent] = useState(String(running?.percent ?? 10));
  const [more, setMore] = useState(String(running?.max_failed_percent ?? 5));
  const [calls, setCalls] = useState(String(running?.min_calls ?? 20));
  const params = { function_id: fn.function_id };
  const body = { version, percent: Number(percent), max_failed_percent: Number(more), min_calls: Number(calls) };
  const role = useReason('gradualPut');
  const serve = useApiMutation('gradualPut', {
    failure: 'inline',
    invalidates: ['gradualGet'],
    onSuccess: () => {
      toast({ title: `Version ${version} serves ${percent} % of the calls`, tone: 'ok' });
      onClose();
    },
  });
  const end = useApiMutation('gradualDelete', {
    failure: 'inline',
    invalidates: ['gradualGet'],
    onSuccess: () => {
      toast({ title: `Version ${fn.version} serves all calls`, tone: 'ok' });
      onClose();
    },
  });
  const percentError = isBetween(percent, 1, 99) ? undefined : 'Enter a whole number from 1 to 99.';
  const moreError = isBetween(more, 0, 100) ? undefined : 'Enter a whole number from 0 to 100.';
  const callsError = isBetween(calls, 1, 10_000) ? undefined : 'Enter a whole number from 1 to 10000.';
  const invalid = percentError ?? moreError ?? callsError;
  const error = serve.error ?? end.error;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Serve version ${version} to a share of calls`}
      description={`Calls of the URL and deliveries of events. Version ${fn.version} serves the others.`}
      foot={
        <>
          <CopyAsCurl text={() => curlText('gradualPut', { params, body })} what="serve this share" />
          {running ? (
            <Button reason={role} pending={end.isPending} onClick={() => end.mutate({ params })}>
              End
            </Button>
          ) : (
            <Button onClick={onClose}>Cancel</Button>
          )}
          <Button type="submit" form="gradual" variant="primary" reason={role ?? invalid} pending={serve.isPending}>
            {running ? 'Change' : 'Start'}
          </Button>
        </>
      }
    >
      <form
        id="gradual"
        aria-label="Gradual deploy"
        className="grid gap-3 px-4 pb-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!invalid && !role) serve.mutate({ params, body });
        }}
      >
        <Field label="Percent of the calls" error={percentError}>
          <TextInput inputMode="numeric" value={percent} onChange={(event) => setPercent(event.target.value)} />
        </Field>
        <Field
          label="Roll back when its failures exceed those of the live version by percentage points"
          error={moreError}
        >
          <TextInput inputMode="numeric" value={more} onChange={(event) => setMore(event.target.value)} />
        </Field>
        <Field label="After this number of its calls within 10 minutes" error={callsError}>
          <TextInput inputMode="numeric" value={calls} onChange={(event) => setCalls(event.target.value)} />
        </Field>
        {error ? <SentError error={error} /> : null}
      </form>
    </Dialog>
  );
}
