import { CircleAlert } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { ApiError } from '../api/api-error.ts';
import { CopyAsCurl } from '../components/deliveries/CopyAsCurl.tsx';
import { useHotkey } from '../hooks/use-hotkey.ts';
import { Button } from '../ui/controls/Button.tsx';
import { CopyButton } from '../ui/controls/CopyButton.tsx';
import { FormFields } from './form-fields.ts';
import { fieldErrorOf } from './server-errors.ts';

export interface FormProps<In extends FieldValues, Out> {
  readonly form: UseFormReturn<In, unknown, Out>;
  readonly onSubmit: (values: Out) => void;
  /** The error of the last submit, shown at its field if the form has it, else above the buttons. */
  readonly submitError: ApiError | null;
  readonly loading: boolean;
  /** A verb and its object: "Create key". */
  readonly submitLabel: string;
  /** Why the form cannot be submitted, for example the user's role. */
  readonly submitReason?: string | undefined;
  readonly onCancel?: (() => void) | undefined;
  /** A muted note after the buttons. */
  readonly note?: ReactNode;
  /** For submit buttons outside the form: `<Button type="submit" form={id}>`. The form then renders none. */
  readonly id?: string | undefined;
  /** The request as a curl command: `() => curlText('apiKeyCreate', { body: bodyOf(form.getValues()) })`. */
  readonly curl?: (() => Promise<string>) | undefined;
  /** ⌘S / Ctrl S submits the form. */
  readonly saveKey?: boolean | undefined;
  readonly children: ReactNode;
}

/** A form with a submit button and one place for errors. */
export function Form<In extends FieldValues, Out>(props: FormProps<In, Out>) {
  const { form, onSubmit, submitError, loading, submitLabel, submitReason, onCancel, note, children } = props;
  const [fields] = useState(() => new Set<string>());
  const beside = submitError ? fieldErrorOf(submitError.message, fields) : undefined;
  const { setError } = form;
  const refusal = useRef<HTMLDivElement>(null);
  // submitted, error not shown yet: only the error of a submit takes the focus
  const unanswered = useRef(false);
  useEffect(() => {
    if (!submitError) return;
    const shouldFocus = unanswered.current;
    unanswered.current = false;
    const named = fieldErrorOf(submitError.message, fields);
    if (named) setError(named.name as FieldPath<In>, { type: 'server', message: named.message }, { shouldFocus });
    else if (shouldFocus) present(refusal.current);
  }, [submitError, fields, setError]);

  const submit = form.handleSubmit((values) => {
    if (loading || submitReason) return;
    unanswered.current = true;
    onSubmit(values);
  });
  useHotkey('mod+s', () => void submit(), { enabled: props.saveKey ?? false });
  return (
    <FormFields value={fields}>
      <form id={props.id} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        {children}
        {submitError && !beside ? <FormError ref={refusal} error={submitError} /> : null}
        {props.id === undefined ? (
          <div className="flex flex-wrap items-center gap-2">
            <Button type="submit" variant="primary" pending={loading} reason={submitReason}>
              {submitLabel}
            </Button>
            {onCancel ? (
              <Button variant="ghost" onClick={onCancel}>
                Cancel
              </Button>
            ) : null}
            {note === undefined ? null : <span className="text-12 text-fg-3">{note}</span>}
            {props.curl ? (
              <span className="ml-auto">
                <CopyAsCurl text={props.curl} what={submitLabel.toLowerCase()} />
              </span>
            ) : null}
          </div>
        ) : null}
      </form>
    </FormFields>
  );
}

/** An error of a request sent outside a Form. It scrolls into view and takes the focus when it mounts. */
export function SentError({ error }: { error: ApiError }) {
  return <FormError ref={present} error={error} />;
}

/** Scrolls an error into view and focuses it. */
function present(error: HTMLDivElement | null) {
  error?.scrollIntoView({ block: 'nearest' });
  error?.focus({ preventScroll: true });
}

/** An error without a field. Form and SentError focus it; used alone it does not move the focus. */
export function FormError({ error, ref }: { error: ApiError; ref?: Ref<HTMLDivElement> }) {
  return (
    <div
      ref={ref}
      tabIndex={-1}
      role="alert"
      className="flex items-start gap-2 rounded border border-bad-line bg-bad-bg px-3 py-2 text-bad-fg"
    >
      <CircleAlert size={14} strokeWidth={2} className="mt-[3px] flex-none" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">{error.message}</p>
        {error.requestId ? (
          <p className="flex items-center gap-1 text-12">
            Request <span className="data min-w-0 truncate">{error.requestId}</span>
            <CopyButton text={error.requestId} label="Copy request ID" />
          </p>
        ) : null}
      </div>
    </div>
  );
}
