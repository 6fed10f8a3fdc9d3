import { Check, Circle } from 'lucide-react';
import type { ReactNode } from 'react';

interface StepRowProps {
  readonly title: string;
  /** What the step does. */
  readonly what: ReactNode;
  readonly done: boolean;
  /** The controls. */
  readonly children: ReactNode;
  /** The result, announced when it appears. */
  readonly result?: ReactNode;
}

/** One of the first steps: its mark, its controls and what came of it. */
export function StepRow({ title, what, done, children, result }: StepRowProps) {
  const Mark = done ? Check : Circle;
  return (
    <li className="flex gap-2 border-line px-4 py-3 not-first:border-t max-sm:px-3">
      <Mark
        size={16}
        strokeWidth={done ? 2 : 1.75}
        className={done ? 'mt-0.5 flex-none text-ok-fg' : 'mt-0.5 flex-none text-fg-3'}
        aria-hidden
      />
      <div className="min-w-0 flex-1">
        <h3 className="text-13">
          {title} {done ? <span className="text-12 font-normal text-fg-3">done</span> : null}
        </h3>
        <p className="text-fg-2">{what}</p>
        <div className="mt-2 flex flex-wrap items-center gap-2">{children}</div>
        <div role="status" className="mt-1 empty:hidden">
          {result}
        </div>
      </div>
    </li>
  );
}

/** Why a step failed, and what to do instead. */
export function StepError({ error, children }: { readonly error: Error; readonly children?: ReactNode }) {
  return (
    <p className="wrap-anywhere text-bad-fg">
      {error.message} {children}
    </p>
  );
}
