import { Paperclip, X } from 'lucide-react';
import { IconButton } from '../../../../ui/controls/IconButton.tsx';
import { TextInput } from '../../../../ui/controls/TextInput.tsx';
import { changed, without } from '../PairRows.tsx';
import type { BodyPart } from '../typed-request.ts';
import { FileButton, FileName } from './FileButton.tsx';

export interface PartRowsProps {
  readonly parts: readonly BodyPart[];
  readonly onChange: (parts: readonly BodyPart[]) => void;
}

const BLANK: BodyPart = { name: '', value: '' };
const isBlank = ({ name, value, file }: BodyPart) => name === '' && value === '' && file === undefined;

/** The parts of a multipart body, each a text or a file, followed by an empty row. */
export function PartRows({ parts, onChange }: PartRowsProps) {
  const last = parts.at(-1);
  const shown = last && isBlank(last) ? parts : [...parts, BLANK];
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-12 font-medium text-fg-2">Parts</legend>
      <ul className="grid gap-1.5">
        {shown.map((part, index) => {
          const called = part.name || `part ${index + 1}`;
          const change = (next: Partial<BodyPart>) => onChange(changed(parts, index, { ...part, ...next }));
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their index; equal rows may exist
            <li key={index} className="flex items-center gap-1.5">
              <TextInput
                mono
                size="sm"
                aria-label={`Name of part ${index + 1}`}
                placeholder="name"
                className="basis-2/5"
                value={part.name}
                onChange={(event) => change({ name: event.target.value })}
              />
              {part.file ? (
                <FileName file={part.file} />
              ) : (
                <TextInput
                  mono
                  size="sm"
                  aria-label={`Value of ${called}`}
                  placeholder="value"
                  className="flex-1"
                  value={part.value}
                  onChange={(event) => change({ value: event.target.value })}
                />
              )}
              <FileButton
                label={`File of ${called}`}
                onChoose={(file) => change({ file, value: '' })}
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
              {index < parts.length ? (
                <IconButton
                  icon={X}
                  size="sm"
                  label={`Remove ${called}`}
                  tip="Remove"
                  onClick={() => onChange(without(parts, index))}
                />
              ) : (
                <span aria-hidden className="w-ctl-sm flex-none" />
              )}
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
