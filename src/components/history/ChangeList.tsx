import { ArrowRight } from 'lucide-react';
import type { AuditEntry } from '../../api/entities.ts';

type Change = AuditEntry['changes'][number];

/** A value in a line of text; JSON unless it is a string. */
const textOf = (value: unknown): string =>
  value === null ? 'none' : typeof value === 'string' ? value || '(empty)' : JSON.stringify(value);

/** Each changed field, before and after. */
export function ChangeList({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <dl className="grid min-w-0 flex-1 basis-60 gap-1">
      {changes.map((change) => (
        <div key={change.field} className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <dt className="data text-fg-2">{change.field}</dt>
          <dd className="min-w-0 wrap-anywhere">
            <Values change={change} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Values({ change: { before, after, masked, cut } }: { readonly change: Change }) {
  if (cut) return <span className="text-fg-3">changed; the values are too long to be stored</span>;
  if (masked && before === null && after === null) return <span className="text-fg-3">changed; it is a secret</span>;
  return (
    <>
      <del className="data text-fg-3 no-underline" dir="auto">
        {textOf(before)}
      </del>{' '}
      <ArrowRight size={12} className="inline flex-none text-fg-3" aria-label="to" />{' '}
      <ins className="data no-underline" dir="auto">
        {textOf(after)}
      </ins>
    </>
  );
}
