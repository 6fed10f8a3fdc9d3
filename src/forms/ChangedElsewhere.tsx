import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { type MouseEvent, useEffect, useState } from 'react';
import { type FieldValues, type UseFormReturn, useFormState } from 'react-hook-form';
import { q } from '../api/queries.ts';
import { Button } from '../ui/controls/Button.tsx';
import { Time } from '../ui/Time.tsx';

export interface ChangedElsewhereProps<In extends FieldValues, Out> {
  readonly form: UseFormReturn<In, unknown, Out>;
  /** The current saved values, updated by the live stream. */
  readonly latest: In;
  readonly noun: 'trigger' | 'destination' | 'function' | 'connection' | 'app' | 'account';
  /** The resource id in the audit log. */
  readonly id: string;
  /** True while this form is being saved, so the difference is its own change. */
  readonly saving: boolean;
}

/**
 * Syncs a form with the resource it edits. A change made elsewhere is applied to a form without edits. With edits, the
 * form keeps them and shows who made the change, with buttons to reload or to keep the edits.
 */
export function ChangedElsewhere<In extends FieldValues, Out>(props: ChangedElsewhereProps<In, Out>) {
  const { form, latest, noun, id, saving } = props;
  const { isDirty, defaultValues } = useFormState({ control: form.control });
  const text = JSON.stringify(latest);
  const isBehind = !saving && text !== JSON.stringify(defaultValues);
  const follows = isBehind && !isDirty;
  useEffect(() => {
    if (follows) form.reset(JSON.parse(text) as In);
  }, [follows, form, text]);
  if (!isBehind || !isDirty) return null;
  return (
    <Notice
      key={text}
      noun={noun}
      id={id}
      onReload={() => form.reset(latest)}
      // fields without edits get the new values
      onKeep={() => form.reset(latest, { keepDirtyValues: true, keepDirty: true })}
    />
  );
}

interface NoticeProps {
  readonly noun: string;
  readonly id: string;
  readonly onReload: () => void;
  readonly onKeep: () => void;
}

function Notice({ noun, id, onReload, onKeep }: NoticeProps) {
  const [noticedAt] = useState(() => new Date().toISOString());
  const { data, isFetching } = useQuery({ ...q('auditList', { query: { resource_id: id, limit: 1 } }), staleTime: 0 });
  const last = isFetching ? undefined : data?.entries[0];
  const change = last?.operation.endsWith('Update') ? last : undefined;
  const choose = (act: () => void) => (event: MouseEvent<HTMLButtonElement>) => {
    const { form } = event.currentTarget;
    act();
    // the button is removed, so the focus moves into the form
    const fields = [...(form?.elements ?? [])];
    const next = fields.find((field) => field.matches('input, textarea'));
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  };
  return (
    <div
      role="status"
      className="sticky top-0 z-10 flex flex-wrap items-center gap-2 rounded border border-warn-line bg-warn-bg px-3 py-2 text-12 text-warn-fg"
    >
      <TriangleAlert size={14} strokeWidth={2} className="flex-none" aria-hidden />
      <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
        This {noun} was changed {change ? `by ${change.actor_name}` : 'elsewhere'} <Time at={change?.at ?? noticedAt} />
        . Reloading discards your edits.
      </p>
      <span className="flex flex-none gap-2">
        <Button size="sm" onClick={choose(onReload)}>
          Reload
        </Button>
        <Button size="sm" onClick={choose(onKeep)}>
          Keep my edits
        </Button>
      </span>
    </div>
  );
}
