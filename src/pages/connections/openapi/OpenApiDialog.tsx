import { type FormEvent, useState } from 'react';
import { useApiMutation } from '../../../api/mutations.ts';
import { SentError } from '../../../forms/Form.tsx';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { TextArea } from '../../../ui/controls/TextArea.tsx';
import { TextInput } from '../../../ui/controls/TextInput.tsx';
import { KeyValueList } from '../../../ui/KeyValueList.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { METHOD_WORDS } from '../custom-app/MethodChoice.tsx';
import type { AppDraft } from './openapi-values.ts';

export interface OpenApiDialogProps {
  /** Called with the draft and the chosen base URL. */
  readonly onUse: (draft: AppDraft, baseUrl: string) => void;
  readonly onClose: () => void;
}

const SOURCES = [
  { value: 'url', label: 'URL' },
  { value: 'text', label: 'Text' },
  { value: 'file', label: 'File' },
] as const;

/** Reads an OpenAPI document, and shows what was read and what was left out before the form is filled in. */
export function OpenApiDialog({ onUse, onClose }: OpenApiDialogProps) {
  const [source, setSource] = useState<(typeof SOURCES)[number]['value']>('url');
  const [url, setUrl] = useState('');
  const [text, setText] = useState('');
  const [file, setFile] = useState<File>();
  const read = useApiMutation('appDraft', { failure: 'inline' });
  if (read.data) {
    return <Understood draft={read.data} onUse={onUse} onBack={() => read.reset()} onClose={onClose} />;
  }
  const isGiven = source === 'url' ? url.trim() !== '' : source === 'text' ? text.trim() !== '' : file !== undefined;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isGiven || read.isPending) return;
    if (source === 'url') read.mutate({ body: { url: url.trim() } });
    else read.mutate({ body: { document: source === 'text' ? text : ((await file?.text()) ?? '') } });
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="From an OpenAPI document"
      description="OpenAPI 3 or Swagger 2.0, in JSON or YAML, up to 16 MB. References to other documents are not followed."
    >
      <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <SegmentedControl label="Document from" options={SOURCES} value={source} onChange={setSource} />
        {source === 'url' ? (
          <Field label="URL of the document" required>
            <TextInput
              mono
              inputMode="url"
              value={url}
              placeholder="https://example.com/openapi.json"
              onChange={(event) => setUrl(event.target.value)}
            />
          </Field>
        ) : source === 'text' ? (
          <Field label="Document" required>
            <TextArea mono rows={8} value={text} onChange={(event) => setText(event.target.value)} />
          </Field>
        ) : (
          <Field label="File" required>
            <TextInput
              type="file"
              accept=".json,.yaml,.yml"
              className="py-1"
              onChange={(event) => setFile(event.target.files?.[0])}
            />
          </Field>
        )}
        {read.error ? <SentError error={read.error} /> : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            pending={read.isPending}
            reason={isGiven ? undefined : 'Enter a document first.'}
          >
            Read document
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface UnderstoodProps {
  readonly draft: AppDraft;
  readonly onUse: OpenApiDialogProps['onUse'];
  readonly onBack: () => void;
  readonly onClose: () => void;
}

function Understood({ draft, onUse, onBack, onClose }: UnderstoodProps) {
  const { app, servers, notes, format, operations } = draft;
  const [baseUrl, setBaseUrl] = useState(app.base_url ?? '');
  const methods = app.methods.map(({ method }) => METHOD_WORDS[method].title).join(', ');
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={app.name || 'OpenAPI document'}
      description={`${format}, ${plural(operations, 'operation')}. Nothing is saved until you add the app.`}
      foot={
        <>
          <Button onClick={onBack}>Back</Button>
          <Button variant="primary" onClick={() => onUse(draft, baseUrl)}>
            Fill in form
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {servers.length > 1 ? (
          <Field label="Base URL">
            <Select
              mono
              value={baseUrl}
              onChange={(event) => setBaseUrl(event.target.value)}
              options={servers.map(({ url, description }) => ({
                value: url,
                label: description === null ? url : `${url} (${description})`,
              }))}
            />
          </Field>
        ) : null}
        <KeyValueList
          items={[
            ...(servers.length > 1
              ? []
              : [{ name: 'Base URL', value: app.base_url ?? 'Not found', mono: app.base_url !== null }]),
            { name: 'Authentication', value: methods || 'Not found' },
            {
              name: 'Test request',
              value: app.probe ? `${app.probe.method} ${app.probe.path}` : 'Not found',
              mono: app.probe !== null,
            },
            { name: 'Suggested paths', value: app.paths.length.toLocaleString('en-US') },
          ]}
        />
        {notes.length > 0 ? (
          <section aria-label="To check">
            <h3 className="mb-1 text-12 font-medium text-fg-2">To check</h3>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll region needs the keyboard */}
            <ul tabIndex={0} aria-label="Notes" className="max-h-56 overflow-y-auto border-y border-line text-12">
              {notes.map(({ at, message }) => (
                <li key={`${at} ${message}`} className="border-b border-line py-1.5 last:border-b-0">
                  <span className="wrap-anywhere">{message}</span>{' '}
                  <span className="data wrap-anywhere text-fg-3">{at}</span>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
      </div>
    </Dialog>
  );
}
