import { useState } from 'react';
import { shown } from '../../api/client.ts';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { TextArea } from '../../ui/controls/TextArea.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import type { ReferenceOperation } from './reference-document.ts';

export type Values = Readonly<Record<string, string>>;

type Outcome = { readonly status: string; readonly requestId: string; readonly text: string };
const MOST_CHARS = 200_000;

/** Sends a request of the operation with the session of the browser. */
export function TryIt({
  operation,
  path,
  values,
  onChange,
  body,
  onBody,
}: {
  operation: ReferenceOperation;
  path: string;
  values: Values;
  onChange: (values: Values) => void;
  body: string | undefined;
  onBody: (text: string) => void;
}) {
  const [outcome, setOutcome] = useState<Outcome>();
  const [isPending, setPending] = useState(false);
  const fields = operation.parameters.filter((each) => each.in !== 'header');
  const missing = fields.find(({ name, required }) => required && !values[name]);
  const problem = body === undefined ? undefined : jsonProblem(body);

  const send = async () => {
    setPending(true);
    setOutcome(await sent(operation.method, path, body));
    setPending(false);
  };
  return (
    <div className="grid gap-3">
      {fields.map(({ name, required = false, in: where }) => (
        <Field key={where + name} label={name} optional={!required} required={required}>
          <TextInput
            mono
            value={values[name] ?? ''}
            onChange={({ target }) => onChange({ ...values, [name]: target.value })}
          />
        </Field>
      ))}
      {body === undefined ? null : (
        <Field label="Body" error={problem}>
          <TextArea mono rows={6} value={body} onChange={({ target }) => onBody(target.value)} />
        </Field>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="primary"
          pending={isPending}
          reason={missing ? `Enter ${missing.name} first.` : problem}
          onClick={() => void send()}
        >
          Send request
        </Button>
        <span className="text-12 text-fg-3">
          {operation.method === 'GET' ? 'Sent with your session.' : 'Sent with your session: it changes this account.'}
        </span>
      </div>
      <div aria-live="polite">
        {outcome ? (
          <>
            <p className="mb-1 text-12 text-fg-2">
              Status <strong>{outcome.status}</strong>
              {outcome.requestId ? `, X-Request-Id ${outcome.requestId}` : ''}
            </p>
            <CodeBlock code={outcome.text} language="json" label="Response body" wrap copy />
          </>
        ) : null}
      </div>
    </div>
  );
}

function jsonProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return 'expected JSON';
  }
}

async function sent(method: string, path: string, body: string | undefined): Promise<Outcome> {
  const hasBody = body !== undefined && body.trim() !== '';
  try {
    const response = await fetch(`/api${path}`, {
      method,
      headers: {
        accept: 'application/json',
        'sluice-account': shown.account,
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
      },
      body: hasBody ? body : null,
    });
    const text = await response.text();
    return {
      status: `${response.status}`,
      requestId: response.headers.get('x-request-id') ?? '',
      text: readable(text).slice(0, MOST_CHARS),
    };
  } catch {
    return { status: 'none', requestId: '', text: 'The service could not be reached.' };
  }
}

/** JSON with line breaks, other text as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
