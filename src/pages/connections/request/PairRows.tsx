import { Paperclip, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { TextInput } from '../../../ui/controls/TextInput.tsx';
import { FileButton, FileName } from './body/FileButton.tsx';
import type { BodyPart } from './typed-request.ts';

export interface PairRowsProps {
  /** The plural noun: "Headers". */
  readonly title: string;
  /** The singular noun: "header". */
  readonly noun: string;
  readonly rows: readonly BodyPart[];
  /** An index after the last row adds a row. */
  readonly onChange: (index: number, pair: BodyPart) => void;
  readonly onRemove: (index: number) => void;
  /** A row may have a file instead of a value. */
  readonly takesFiles?: boolean;
  /** A note about a row. */
  readonly noteOf?: ((pair: BodyPart) => string | undefined) | undefined;
  readonly error?: string | undefined;
  /** Shown below the rows: pairs that are sent automatically. */
  readonly children?: ReactNode;
}

const BLANK: BodyPart = { name: '', value: '' };
const isBlank = ({ name, value, file }: BodyPart) => name === '' && value === '' && file === undefined;

/** Rows of name and value, followed by an empty row. */
export function PairRows(props: PairRowsProps) {
  const { title, noun, rows, onChange, onRemove, takesFiles = false, noteOf, error, children } = props;
  const last = rows.at(-1);
  const shown = last && isBlank(last) ? rows : [...rows, BLANK];
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-12 font-medium text-fg-2">{title}</legend>
      <ul className="grid gap-1.5">
        {shown.map((row, index) => {
          const note = noteOf?.(row);
          const called = row.name || `${noun} ${index + 1}`;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their index; equal rows may exist
            <li key={index}>
              <span className="flex items-center gap-1.5">
                <TextInput
                  mono
                  size="sm"
                  aria-label={`Name of ${noun} ${index + 1}`}
                  placeholder="name"
                  className="basis-2/5"
                  value={row.name}
                  onChange={(event) => onChange(index, { ...row, name: event.target.value })}
                />
                {row.file ? (
                  <FileName file={row.file} />
                ) : (
                  <TextInput
                    mono
                    size="sm"
                    aria-label={`Value of ${called}`}
                    placeholder="value"
                    className="flex-1"
                    value={row.value}
                    onChange={(event) => onChange(index, { ...row, value: event.target.value })}
                  />
                )}
                {takesFiles ? (
                  <FileButton
                    label={`File of ${called}`}
                    onChoose={(file) => onChange(index, { ...row, file, value: '' })}
                    trigger={(choose) => (
                      <IconButton
                        icon={Paperclip}
                        size="sm"
                        label={`Choose a file for ${called}`}
                        tip="Choose a file"
                        onClick={choose}
                      />
                    )}
                  />
                ) : null}
                {index < rows.length ? (
                  <IconButton
                    icon={X}
                    size="sm"
                    label={`Remove ${called}`}
                    tip="Remove"
                    onClick={() => onRemove(index)}
                  />
                ) : (
                  <span aria-hidden className="w-ctl-sm flex-none" />
                )}
              </span>
              {note === undefined ? null : <p className="mt-0.5 text-12 text-warn-fg">{note}</p>}
            </li>
          );
        })}
      </ul>
      {error === undefined ? null : (
        <p role="alert" className="mt-1 text-12 wrap-anywhere text-bad-fg">
          {error}
        </p>
      )}
      {children}
    </fieldset>
  );
}

/** The rows with one changed or added. */
export function changed<T>(rows: readonly T[], index: number, pair: T): readonly T[] {
  return index < rows.length ? rows.map((row, at) => (at === index ? pair : row)) : [...rows, pair];
}
export function without<T>(rows: readonly T[], index: number): readonly T[] {
  return rows.filter((_, at) => at !== index);
}
