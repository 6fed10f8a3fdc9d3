import { Play } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../../../api/api-error.ts';
import { CopyAsCurl } from '../../../components/deliveries/CopyAsCurl.tsx';
import { SentError } from '../../../forms/Form.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { TextArea } from '../../../ui/controls/TextArea.tsx';
import { TextInput } from '../../../ui/controls/TextInput.tsx';
import {
  type InvokeBody,
  METHODS,
  type Method,
  type Mistakes,
  readRequest,
  type TypedRequest,
  takesBody,
} from './request.ts';

interface RequestFormProps {
  typed: TypedRequest;
  onType: (typed: TypedRequest) => void;
  onSend: (body: InvokeBody) => void;
  sendLabel: string;
  pending: boolean;
  reason: string | undefined;
  error: ApiError | null;
  curl: (body: InvokeBody) => Promise<string>;
  note?: ReactNode;
}

const methodOptions = METHODS.map((method) => ({ value: method, label: method }));
const NONE: Mistakes = {};

/** The form of a call: method, path, headers and body. */
export function RequestForm({
  typed,
  onType,
  onSend,
  sendLabel,
  pending,
  reason,
  error,
  curl,
  note,
}: RequestFormProps) {
  const [tried, setTried] = useState(false);
  const read = readRequest(typed);
  const mistakes = tried && 'mistakes' in read ? read.mistakes : NONE;
  const set = (change: Partial<TypedRequest>) => onType({ ...typed, ...change });
  return (
    <form
      aria-label="Request"
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if ('body' in read && !reason && !pending) onSend(read.body);
      }}
    >
      <div className="grid grid-cols-[104px_minmax(0,1fr)] items-start gap-2">
        <Field label="Method">
          <Select
            mono
            options={methodOptions}
            value={typed.method}
            onChange={(event) => set({ method: event.target.value as Method })}
          />
        </Field>
        <Field label="Path and query" error={mistakes.path}>
          <TextInput mono value={typed.path} onChange={(event) => set({ path: event.target.value })} />
        </Field>
      </div>
      <Field label="Headers" optional error={mistakes.headers} help="One per line, name: value.">
        <TextArea mono rows={2} value={typed.headers} onChange={(event) => set({ headers: event.target.value })} />
      </Field>
      {takesBody(typed.method) ? (
        <Field label="Body" optional>
          <TextArea mono rows={4} value={typed.body} onChange={(event) => set({ body: event.target.value })} />
        </Field>
      ) : null}
      {error ? <SentError error={error} /> : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" icon={Play} pending={pending} reason={reason}>
          {sendLabel}
        </Button>
        <CopyAsCurl text={() => curl('body' in read ? read.body : {})} what="this call" />
        {note ? <span className="text-12 text-fg-3">{note}</span> : null}
      </div>
    </form>
  );
}
