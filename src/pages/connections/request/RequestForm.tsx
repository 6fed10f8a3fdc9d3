import { Play, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { App } from '../../../api/entities.ts';
import { useHotkey } from '../../../hooks/use-hotkey.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { BodyField } from './body/BodyField.tsx';
import { changed, PairRows, without } from './PairRows.tsx';
import { PathInput } from './PathInput.tsx';
import type { AppPath } from './path-suggestions.ts';
import { queryRows, withoutQueryRow, withQueryRow } from './query-rows.ts';
import {
  METHODS,
  type Mistakes,
  type Outgoing,
  readRequest,
  type TypedRequest,
  takesBody,
  whyNotSent,
} from './typed-request.ts';

export interface RequestFormProps {
  readonly app: App | undefined;
  /** Paths to suggest. */
  readonly paths: readonly AppPath[];
  readonly typed: TypedRequest;
  readonly onType: (change: Partial<TypedRequest>) => void;
  /** Fills in a request from a text pasted as the path; false if it is a path. */
  readonly onPaste: (text: string) => boolean;
  readonly onSend: (body: Outgoing) => void;
  readonly onCancel: () => void;
  readonly sending: boolean;
  /** The response is arriving. */
  readonly receiving: boolean;
  readonly reason: string | undefined;
  /** Content beside the buttons. */
  readonly tools: ReactNode;
  /** A note about the request's origin. */
  readonly note?: ReactNode;
}

const NONE: Mistakes = {};

/** The form of a request to the app: method, path, query, headers and body. */
export function RequestForm(props: RequestFormProps) {
  const { app, paths, typed, onType, onPaste, onSend, onCancel, sending, receiving, reason, tools, note } = props;
  const { method, path, headers } = typed;
  const base = app?.base_url ?? null;
  const [tried, setTried] = useState(false);
  const read = readRequest(typed);
  const mistakes = tried && 'mistakes' in read ? read.mistakes : NONE;
  const submit = () => {
    setTried(true);
    if ('body' in read && reason === undefined && !sending) onSend(read.body);
  };
  useHotkey('mod+enter', submit);
  const methods = METHODS.some((each) => each === method) ? METHODS : [...METHODS, method];
  return (
    <form
      aria-label="Request"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="grid grid-cols-[104px_minmax(0,1fr)] items-start gap-2">
        <Field label="Method">
          <Select
            mono
            options={methods.map((each) => ({ value: each, label: each }))}
            value={method}
            onChange={(event) => onType({ method: event.target.value })}
          />
        </Field>
        <Field
          label="Path"
          error={mistakes.path}
          aside={base === null ? undefined : <span className="data block max-w-52 truncate sm:hidden">{base}</span>}
        >
          <span className="flex min-w-0 items-center gap-1">
            {base === null ? null : (
              <span
                className="data flex h-ctl max-w-1/2 flex-none items-center rounded border border-line bg-sunken px-2 text-fg-2 max-sm:hidden"
                title={base}
              >
                <span className="truncate">{base}</span>
              </span>
            )}
            <PathInput paths={paths} method={method} path={path} onType={onType} onPaste={onPaste} />
          </span>
        </Field>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" icon={Play} pending={sending} reason={reason} kbd="mod+enter">
          Send
        </Button>
        {sending ? (
          <Button icon={X} onClick={onCancel}>
            {receiving ? 'Stop' : 'Cancel'}
          </Button>
        ) : null}
        {tools}
      </div>
      {note}
      <PairRows
        title="Query"
        noun="query parameter"
        rows={queryRows(path)}
        onChange={(index, pair) => onType({ path: withQueryRow(path, index, pair) })}
        onRemove={(index) => onType({ path: withoutQueryRow(path, index) })}
      />
      <PairRows
        title="Headers"
        noun="header"
        rows={headers}
        onChange={(index, pair) => onType({ headers: changed(headers, index, pair) })}
        onRemove={(index) => onType({ headers: without(headers, index) })}
        noteOf={({ name }) => whyNotSent(name)}
        error={mistakes.headers}
      >
        <AddedHeaders app={app} typed={typed} />
      </PairRows>
      {takesBody(method) ? <BodyField typed={typed} onType={onType} error={mistakes.body} /> : null}
    </form>
  );
}

/** Headers that are added automatically. */
function AddedHeaders({ app, typed }: { app: App | undefined; typed: TypedRequest }) {
  const isTyped = (wanted: string) =>
    typed.headers.some(({ name }) => name.trim().toLowerCase() === wanted.toLowerCase());
  const added = Object.entries(app?.default_headers ?? {}).filter(([name]) => !isTyped(name));
  return (
    <p className="mt-1 text-12 text-fg-3">
      The gateway adds the connection’s credentials
      {added.map(([name, value]) => (
        <span key={name}>
          {' and '}
          <span className="data wrap-anywhere">
            {name}: {value}
          </span>
        </span>
      ))}
      .
    </p>
  );
}
