import { ExternalLink } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { type ApiError, toApiError } from '../../api/api-error.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { SegmentedControl } from '../../ui/SegmentedControl.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { type ConnectSession, submitSession } from './connect-api.ts';
import { type AppField, missingText, problemsOf } from './field-problems.ts';

type Method = ConnectSession['methods'][number];

const METHOD_NAMES: Record<Method['method'], string> = {
  API_KEY: 'API key',
  BASIC: 'User name and password',
  JWT: 'Signing key',
  OAUTH1: 'Sign in',
  OAUTH2: 'Sign in',
  MCP: 'Sign in',
};

/** The form an app's method asks for, made from its data. What the service refuses stands beside its field. */
export function ConnectForm({
  session,
  onDone,
}: {
  session: ConnectSession;
  onDone: (session: ConnectSession) => void;
}) {
  const [chosen, setChosen] = useState(session.methods[0]?.method);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [refused, setRefused] = useState<ApiError>();
  const [pending, setPending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const method = session.methods.find((each) => each.method === chosen);
  if (!method) return <p className="p-5 text-fg-2">This app offers no way to connect from here.</p>;

  const focusFirst = (found: Record<string, string>) => {
    const [first] = Object.keys(found);
    if (first) form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(first)}"]`)?.focus();
  };

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!method) return;
    const fields = readFields(method.fields, new FormData(event.currentTarget));
    const missing = Object.fromEntries(
      method.fields
        .filter((field) => field.required && !fields[field.name])
        .map((field) => [field.name, missingText(field)]),
    );
    setProblems(missing);
    setRefused(undefined);
    if (Object.keys(missing).length > 0) return focusFirst(missing);
    setPending(true);
    try {
      const { session: done, redirect_url } = await submitSession({ method: method.method, fields });
      if (redirect_url === null) onDone(done);
      else location.assign(redirect_url);
    } catch (thrown) {
      const error = toApiError(thrown);
      const found = problemsOf(method.fields, error.message);
      setProblems(found);
      if (Object.keys(found).length === 0) setRefused(error);
      else focusFirst(found);
    } finally {
      setPending(false);
    }
  }

  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4 p-5">
      {session.methods.length > 1 ? (
        <SegmentedControl
          label="How to connect"
          value={method.method}
          onChange={setChosen}
          options={session.methods.map((each) => ({ value: each.method, label: METHOD_NAMES[each.method] }))}
        />
      ) : null}
      {method.fields.map((field, index) => (
        <Field
          key={field.name}
          label={field.label}
          help={field.help ?? undefined}
          error={problems[field.name]}
          optional={!field.required}
          required={field.required}
        >
          <TextInput
            name={field.name}
            size="lg"
            type={field.type}
            mono={field.secret}
            // the window is there for nothing else
            autoFocus={index === 0}
            autoCapitalize="off"
            autoCorrect="off"
            autoComplete={field.secret ? 'new-password' : 'off'}
          />
        </Field>
      ))}
      {refused ? (
        <p role="alert" className="rounded-md border border-bad-line bg-bad-bg px-3 py-2 text-bad-fg wrap-anywhere">
          {refused.message}
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" size="lg" pending={pending}>
          {pending ? 'Connecting…' : 'Connect'}
        </Button>
        {session.app.docs_url ? (
          <a
            className="inline-flex items-center gap-1 text-12 text-accent hover:underline"
            href={session.app.docs_url}
            target="_blank"
            rel="noreferrer"
          >
            Where to find this <ExternalLink size={12} aria-hidden />
          </a>
        ) : null}
      </div>
    </form>
  );
}

function readFields(fields: AppField[], data: FormData): Record<string, string> {
  const filled = fields.map((field) => [field.name, String(data.get(field.name) ?? '').trim()] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== ''));
}
