import { ArrowRight, ExternalLink } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { type ApiError, toApiError } from '../../api/api-error.ts';
import { useListener } from '../../hooks/use-listener.ts';
import { useSlow } from '../../hooks/use-slow.ts';
import { METHOD_NAMES } from '../../lib/method-names.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { RadioCards } from '../../ui/controls/RadioCards.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { AppFieldInput } from './AppFieldInput.tsx';
import { type ConnectMethod, type ConnectSession, type DeviceCode, submitSession } from './connect-api.ts';
import { DeviceCodeStep } from './DeviceCodeStep.tsx';
import { FailureNote } from './FailureNote.tsx';
import { failureWords } from './failure-words.ts';
import { type AppField, missingText, problemsOf } from './field-problems.ts';
import { valuesInKeyFile } from './key-file.ts';
import { notifyOpener } from './notify-opener.ts';
import { Scopes } from './Scopes.tsx';
import { isUnready, leadsAway, nameOf, pendingLabel, submitLabelOf } from './ways.ts';

export interface ConnectFormProps {
  readonly session: ConnectSession;
  readonly onDone: (session: ConnectSession) => void;
  /**
   * Called after a failed submission: checks the link and shows its state. Resolves to false if the link still works.
   */
  readonly onFailed: () => Promise<boolean>;
}

/** The choice of authentication method, and its form, built from the app's data. */
export function ConnectForm({ session, onDone, onFailed }: ConnectFormProps) {
  const { methods, app, account_name } = session;
  const ready = methods.filter((method) => !isUnready(method));
  const [chosen, setChosen] = useState(ready[0]?.method);
  const [tried, setTried] = useState(false);
  const method = ready.find((each) => each.method === chosen);
  if (methods.length === 0) return <p className="p-5 text-fg-2">This app can’t be connected here.</p>;
  if (!method) return <NotSetUp session={session} />;
  return (
    <div className="grid gap-4 p-5">
      {tried ? null : <FailureNote session={session} />}
      {methods.length > 1 ? (
        <RadioCards
          label="Authentication method"
          value={method.method}
          onChange={setChosen}
          options={methods.map((each) => ({
            value: each.method,
            title: nameOf(each, app.name, methods),
            description: leadsAway(each) ? 'You can review the requested access there.' : undefined,
            reason: isUnready(each) ? `${account_name} has not set this up yet.` : undefined,
            aside: <Tag>{METHOD_NAMES[each.method]}</Tag>,
          }))}
        />
      ) : null}
      <MethodForm
        key={method.method}
        method={method}
        session={session}
        onTry={() => setTried(true)}
        onDone={onDone}
        onFailed={onFailed}
      />
    </div>
  );
}

/** Shown when the account must finish the app's setup first. */
function NotSetUp({ session: { app, account_name } }: { session: ConnectSession }) {
  return (
    <div role="status" className="grid gap-2 p-5 text-fg-2">
      <p className="font-medium text-fg">{app.name} is not set up yet.</p>
      <p className="wrap-anywhere">
        {account_name} has to enter its client ID for {app.name} first. Ask the sender of this link; the same link works
        afterwards.
      </p>
    </div>
  );
}

interface MethodFormProps extends ConnectFormProps {
  readonly method: ConnectMethod;
  /** Called on submit: the note about the last attempt is outdated then. */
  readonly onTry: () => void;
}

/** The form of one method. Server errors are shown beside their fields. */
function MethodForm({ session, method, onTry, onDone, onFailed }: MethodFormProps) {
  const { app } = session;
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [refused, setRefused] = useState<ApiError>();
  const [pending, setPending] = useState(false);
  const [device, setDevice] = useState<DeviceCode>();
  const slow = useSlow(pending);
  const form = useRef<HTMLFormElement>(null);
  const away = leadsAway(method);
  const again = refused !== undefined || (failureWords(session)?.again ?? false);

  // the back/forward cache may restore this page in its pending state
  useListener(window, 'pageshow', ({ persisted }) => {
    if (persisted) setPending(false);
  });

  const focusFirst = (found: Record<string, string>) => {
    const [first] = Object.keys(found);
    if (first) form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(first)}"]`)?.focus();
  };
  const setProblem = (name: string, problem: string | undefined) => {
    const { [name]: _, ...others } = problems;
    setProblems(problem === undefined ? others : { ...others, [name]: problem });
  };

  /** Fills empty fields with values from a pasted key file. */
  const fillFrom = (text: string) => {
    for (const [name, value] of Object.entries(valuesInKeyFile(text, method.fields))) {
      const input = form.current?.elements.namedItem(name);
      if (input instanceof HTMLInputElement && input.value.trim() === '') input.value = value;
    }
  };

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
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
    onTry();
    try {
      const { session: done, redirect_url, device: code } = await submitSession({ method: method.method, fields });
      if (code !== null) {
        setPending(false);
        return setDevice(code);
      }
      if (redirect_url !== null) {
        notifyOpener({ type: 'sluice:leaving' });
        return location.assign(redirect_url);
      }
      onDone(done);
    } catch (thrown) {
      const error = toApiError(thrown);
      const found = problemsOf(method.fields, error.message);
      const isLinksFault = Object.keys(found).length === 0 && [400, 404].includes(error.status);
      if (isLinksFault && (await onFailed())) return;
      setProblems(found);
      if (Object.keys(found).length === 0) setRefused(error);
      else focusFirst(found);
    }
    setPending(false);
  }

  const endDevice = async (error: ApiError | undefined) => {
    setDevice(undefined);
    if (error && !(await onFailed())) setRefused(error);
  };
  if (device) return <DeviceCodeStep code={device} appName={app.name} onDone={onDone} onEnd={endDevice} />;
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {method.fields.map((field, index) => (
        <AppFieldInput
          key={field.name}
          field={field}
          problem={problems[field.name]}
          autoFocus={index === 0 && session.methods.length === 1}
          onProblem={(problem) => setProblem(field.name, problem)}
          onKeyFile={fillFrom}
        />
      ))}
      <Scopes scopes={method.scopes} appName={app.name} />
      {refused ? (
        <p role="alert" className="rounded border border-bad-line bg-bad-bg px-3 py-2 text-bad-fg wrap-anywhere">
          {refused.message}
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" size="lg" pending={pending}>
          {pending ? pendingLabel(method, app.name) : submitLabelOf(method, app.name, again)}
          {away && !pending ? <ArrowRight size={14} aria-hidden /> : null}
        </Button>
        {app.docs_url && method.fields.length > 0 ? (
          <a
            className="inline-flex items-center gap-1 text-12 text-accent hover:underline"
            href={app.docs_url}
            target="_blank"
            rel="noreferrer"
          >
            Where to find this <ExternalLink size={12} aria-hidden />
          </a>
        ) : null}
        <p role="status" className="text-12 text-fg-3">
          {slow ? `${app.name} is responding slowly. Keep this window open.` : ''}
        </p>
      </div>
    </form>
  );
}

/** Passwords are not trimmed: they may start or end with a space. */
function readFields(fields: readonly AppField[], data: FormData): Record<string, string> {
  const filled = fields.map((field) => {
    const text = String(data.get(field.name) ?? '');
    return [field.name, field.secret || field.type === 'password' ? text : text.trim()] as const;
  });
  return Object.fromEntries(filled.filter(([, value]) => value.trim() !== ''));
}
