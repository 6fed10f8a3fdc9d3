import { FileUp, TextQuote } from 'lucide-react';
import { prettyJson } from '../../../../ui/code/json-nodes.ts';
import { Button } from '../../../../ui/controls/Button.tsx';
import { Field } from '../../../../ui/controls/Field.tsx';
import { SegmentedControl } from '../../../../ui/controls/SegmentedControl.tsx';
import { TextArea } from '../../../../ui/controls/TextArea.tsx';
import { changed, PairRows, without } from '../PairRows.tsx';
import { type BodyKind, impliedContentType, jsonMistake, type TypedRequest, type TypedRest } from '../typed-request.ts';
import { FileButton, FileName } from './FileButton.tsx';

const KINDS: readonly { value: BodyKind; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'json', label: 'JSON' },
  { value: 'form', label: 'Form' },
  { value: 'text', label: 'Text' },
  { value: 'multipart', label: 'Multipart' },
  { value: 'file', label: 'File' },
];

export interface BodyFieldProps {
  readonly typed: TypedRequest;
  readonly onType: (change: Partial<TypedRest>) => void;
  /** Why the body cannot be sent. */
  readonly error?: string | undefined;
}

/** The request body: JSON that is validated while typing, form fields, plain text, parts with files, or a file. */
export function BodyField({ typed, onType, error }: BodyFieldProps) {
  const { kind, text, form, parts = [] } = typed;
  const mistake = kind === 'json' ? jsonMistake(text) : undefined;
  const implied = impliedContentType(typed);
  return (
    <div className="min-w-0">
      <div className="mb-1 flex min-h-6 flex-wrap items-center gap-2">
        <h3 className="text-12 font-medium text-fg-2">Body</h3>
        <SegmentedControl
          label="Body type"
          size="sm"
          options={KINDS}
          value={kind}
          onChange={(next) => onType({ kind: next })}
        />
        {implied ? (
          <span className="min-w-0 truncate text-12 text-fg-3">
            sent as <span className="data">{implied}</span>
          </span>
        ) : null}
        {kind === 'json' && text.trim() !== '' && mistake === undefined ? (
          <span className="ml-auto">
            <Button size="sm" variant="ghost" icon={TextQuote} onClick={() => onType({ text: prettyJson(text) })}>
              Format
            </Button>
          </span>
        ) : null}
      </div>
      {kind === 'json' || kind === 'text' ? (
        <Field label={<span className="sr-only">Body</span>} error={mistake}>
          <TextArea
            mono
            rows={6}
            value={text}
            placeholder={kind === 'json' ? '{"name": "value"}' : undefined}
            onChange={(event) => onType({ text: event.target.value })}
          />
        </Field>
      ) : null}
      {kind === 'form' ? (
        <PairRows
          title="Fields"
          noun="field"
          rows={form}
          onChange={(index, pair) => onType({ form: changed(form, index, pair) })}
          onRemove={(index) => onType({ form: without(form, index) })}
        />
      ) : null}
      {kind === 'multipart' ? (
        <PairRows
          title="Parts"
          noun="part"
          rows={parts}
          takesFiles
          onChange={(index, part) => onType({ parts: changed(parts, index, part) })}
          onRemove={(index) => onType({ parts: without(parts, index) })}
        />
      ) : null}
      {kind === 'file' ? (
        <div className="flex min-w-0 items-center gap-2">
          <FileButton
            label="File of the body"
            onChoose={(file) => onType({ file })}
            trigger={(choose) => (
              <Button size="sm" icon={FileUp} onClick={choose}>
                Choose a file…
              </Button>
            )}
          />
          {typed.file ? <FileName file={typed.file} /> : null}
        </div>
      ) : null}
      {error === undefined ? null : (
        <p role="alert" className="mt-1 text-12 wrap-anywhere text-bad-fg">
          {error}
        </p>
      )}
    </div>
  );
}
