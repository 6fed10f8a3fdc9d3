import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { cx } from '../cx.ts';
import { FieldContext } from './field-context.ts';

export interface FieldProps {
  label: ReactNode;
  /** Help text; the error replaces it. */
  help?: ReactNode;
  /** The error: what is expected. */
  error?: string | undefined;
  /** Shows "optional" beside the label. Fields are required by default. */
  optional?: boolean | undefined;
  required?: boolean | undefined;
  /** At the end of the label's line: "View docs", a live result. */
  aside?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

/** A label, a control and help text. Connects id, description and error with the control. */
export function Field({
  label,
  help,
  error,
  optional = false,
  required = false,
  aside,
  className,
  children,
}: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const noted = Boolean(error ?? help);
  return (
    <div className={cx('min-w-0', className)}>
      <div className="mb-1 flex items-center gap-1.5">
        <label htmlFor={id} className="text-12 font-medium text-fg-2">
          {label}
        </label>
        {optional ? <span className="text-12 text-fg-3">optional</span> : null}
        {aside ? <span className="ml-auto text-12 text-fg-3">{aside}</span> : null}
      </div>
      <FieldContext value={{ id, describedBy: noted ? noteId : undefined, invalid: Boolean(error), required }}>
        {children}
      </FieldContext>
      {error ? (
        <p id={noteId} role="alert" className="mt-1 flex items-start gap-1 text-12 text-bad-fg">
          <CircleAlert size={12} strokeWidth={2} className="mt-0.5 flex-none" aria-hidden />
          {error}
        </p>
      ) : help ? (
        <div id={noteId} className="mt-1 text-12 text-fg-3">
          {help}
        </div>
      ) : null}
    </div>
  );
}
