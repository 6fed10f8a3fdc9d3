import { FileUp, X } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { formatBytes } from '../../lib/format.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { IconButton } from '../../ui/controls/IconButton.tsx';
import { TextArea } from '../../ui/controls/TextArea.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { cx } from '../../ui/cx.ts';

/** The limit of the API. */
const MOST_BYTES = 16_384;
const KINDS = '.pem,.key,.p8,.txt,.crt,.json,application/x-pem-file,application/pkcs8,application/json,text/plain';

type Chosen = { readonly name: string; readonly bytes: number; readonly text: string };

export interface KeyFileProps {
  readonly name: string;
  readonly autoFocus: boolean;
  readonly onProblem: (problem: string | undefined) => void;
  readonly onText: (text: string) => void;
}

/** A multiline value, such as a private key or a JSON key file: pasted, chosen or dropped. Used inside a Field. */
export function KeyFile({ name, autoFocus, onProblem, onText }: KeyFileProps) {
  const [chosen, setChosen] = useState<Chosen>();
  const [over, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);

  async function take(file: File | undefined) {
    if (!file) return;
    if (file.size > MOST_BYTES) return onProblem(`${file.name} is too large for a key: ${formatBytes(file.size)}.`);
    const text = await file.text();
    if (/[^\t\n\r\x20-\x7e]/.test(text))
      return onProblem(`${file.name} is not a text file. Choose a PEM or JSON key file.`);
    onProblem(undefined);
    onText(text);
    setChosen({ name: file.name, bytes: file.size, text });
  }
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };

  if (chosen) {
    return (
      <div className="flex items-center gap-2">
        <TextInput size="lg" readOnly value={`${chosen.name}, ${formatBytes(chosen.bytes)}`} />
        <input type="hidden" name={name} value={chosen.text} />
        <IconButton
          icon={X}
          size="lg"
          label={`Remove ${chosen.name}`}
          tip="Remove"
          onClick={() => setChosen(undefined)}
        />
      </div>
    );
  }
  return (
    // dropping is a shortcut for the button beside it
    <fieldset
      aria-label="Text or file"
      className={cx('grid gap-2 rounded', over && 'outline-2 outline-accent')}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <TextArea
        name={name}
        mono
        rows={4}
        autoFocus={autoFocus}
        placeholder={'-----BEGIN PRIVATE KEY-----\n…'}
        onChange={({ target }) => onText(target.value)}
        autoCapitalize="off"
        autoCorrect="off"
        autoComplete="off"
      />
      <div className="flex flex-wrap items-center gap-2 text-12 text-fg-3">
        <Button icon={FileUp} onClick={() => picker.current?.click()}>
          Choose a file…
        </Button>
        or drop it here
        <input
          ref={picker}
          type="file"
          accept={KINDS}
          hidden
          aria-label="Key file"
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </div>
    </fieldset>
  );
}
