import { type ReactNode, useRef } from 'react';
import { formatBytes } from '../../../../lib/format.ts';

export interface FileButtonProps {
  /** The name of the file input. */
  readonly label: string;
  readonly onChoose: (file: File) => void;
  /** The button that opens the browser's dialog. */
  readonly trigger: (choose: () => void) => ReactNode;
}

/** A button that has the user choose a file. */
export function FileButton({ label, onChoose, trigger }: FileButtonProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      {trigger(() => picker.current?.click())}
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={label}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onChoose(file);
          // the same file can be chosen again after a change
          target.value = '';
        }}
      />
    </>
  );
}

/** The name and the size of a chosen file. */
export function FileName({ file }: { file: File }) {
  return (
    <span className="flex min-w-0 flex-1 items-baseline gap-2">
      <span className="data truncate" title={file.name}>
        {file.name}
      </span>
      <span className="flex-none text-12 text-fg-3">{formatBytes(file.size)}</span>
    </span>
  );
}
