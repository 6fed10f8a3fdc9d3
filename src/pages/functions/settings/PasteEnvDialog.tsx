import { useState } from 'react';
import { type ApiError, toApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import type { EnvVariable } from '../../../api/entities.ts';
import { invalidate } from '../../../api/queries.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { SentError } from '../../../forms/Form.tsx';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import { TextArea } from '../../../ui/controls/TextArea.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import { readDotenv } from './dotenv.ts';
import { PastedVariables } from './PastedVariables.tsx';

const EXISTING = [
  { value: 'skip', label: 'Keep' },
  { value: 'replace', label: 'Replace' },
] as const;
const TYPES = [
  { value: 'SENSITIVE', label: 'Sensitive' },
  { value: 'PLAIN', label: 'Plain' },
] as const;

interface PasteEnvDialogProps {
  functionId: string;
  env: readonly EnvVariable[];
  onClose: () => void;
}

/** Imports a .env file: shows the parsed variables and existing keys before anything is sent. */
export function PasteEnvDialog({ functionId, env, onClose }: PasteEnvDialogProps) {
  const [text, setText] = useState('');
  const [existing, setExisting] = useState<'skip' | 'replace'>('skip');
  const [type, setType] = useState<'SENSITIVE' | 'PLAIN'>('SENSITIVE');
  const [error, setError] = useState<ApiError>();
  const [pending, setPending] = useState(false);
  const { variables, mistakes } = readDotenv(text);
  const there = new Set(env.map(({ key }) => key));
  const added = variables.filter(({ key }) => !there.has(key));
  const replaced = existing === 'replace' ? variables.filter(({ key }) => there.has(key)) : [];
  const count = added.length + replaced.length;
  const params = { function_id: functionId };
  const body = { env: added.map(({ key, value }) => ({ key, value, type })) };

  const send = async () => {
    setPending(true);
    setError(undefined);
    try {
      if (added.length > 0) await call('envCreate', { params, body });
      // existing variables keep their type
      for (const { key, value } of replaced) await call('envPut', { params: { ...params, key }, body: { value } });
      toast({ title: `${plural(count, 'variable')} set`, tone: 'ok' });
      onClose();
    } catch (thrown) {
      // another user may have added one meanwhile: the list below then shows the conflict
      setError(toApiError(thrown));
    } finally {
      setPending(false);
      void invalidate('envList');
    }
  };
  const reason =
    mistakes.length > 0
      ? 'Fix the lines that can’t be read first.'
      : count === 0
        ? 'There are no variables to set yet.'
        : undefined;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Paste a .env"
      description="One KEY=value per line. Quotes and comments are supported. Nothing is saved until you confirm."
      foot={
        <>
          <span className="mr-auto">
            <CopyAsCurl text={() => curlText('envCreate', { params, body })} what="add these variables" />
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" pending={pending} reason={reason} onClick={() => void send()}>
            {count === 0 ? 'Set variables' : `Set ${plural(count, 'variable')}`}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <Field label="Contents">
          <TextArea
            mono
            rows={5}
            // the parsed variables and the button stay visible below it
            className="max-h-32!"
            value={text}
            placeholder={'STRIPE_KEY=sk_live_…\nLOG_LEVEL="info"'}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        {mistakes.length > 0 ? (
          <ul role="alert" className="text-12 text-bad-fg">
            {mistakes.map((mistake) => (
              <li key={mistake.line}>
                Line {mistake.line}: {mistake.text}
              </li>
            ))}
          </ul>
        ) : null}
        {variables.length > 0 ? (
          <>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-12 text-fg-2">
              <span className="flex items-center gap-2">
                New ones are
                <SegmentedControl
                  label="Type of new variables"
                  size="sm"
                  options={TYPES}
                  value={type}
                  onChange={setType}
                />
              </span>
              {variables.length > added.length ? (
                <span className="flex items-center gap-2">
                  Existing
                  <SegmentedControl
                    label="Variables that exist"
                    size="sm"
                    options={EXISTING}
                    value={existing}
                    onChange={setExisting}
                  />
                </span>
              ) : null}
            </div>
            <PastedVariables
              variables={variables}
              there={there}
              replace={existing === 'replace'}
              hidden={type === 'SENSITIVE'}
            />
          </>
        ) : null}
        {error ? <SentError error={error} /> : null}
      </div>
    </Dialog>
  );
}
