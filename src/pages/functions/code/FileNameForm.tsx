import { useId, useState } from 'react';
import { TextInput } from '../../../ui/controls/TextInput.tsx';
import { type Files, pathMistake } from './draft.ts';

interface FileNameFormProps {
  label: string;
  initial: string;
  files: Files;
  onName: (path: string) => void;
  onCancel: () => void;
}

/** The path of a file, edited inside the tree: Enter applies it, Escape cancels. */
export function FileNameForm({ label, initial, files, onName, onCancel }: FileNameFormProps) {
  const [path, setPath] = useState(initial);
  const [tried, setTried] = useState(false);
  const noteId = useId();
  const mistake =
    path === initial && initial !== '' && files[initial] !== undefined ? undefined : pathMistake(path.trim(), files);
  return (
    <form
      className="px-2 py-0.5"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (path === initial) onCancel();
        else if (!mistake) onName(path.trim());
      }}
    >
      <TextInput
        autoFocus
        mono
        size="sm"
        aria-label={label}
        aria-invalid={(tried && mistake !== undefined) || undefined}
        aria-describedby={tried && mistake ? noteId : undefined}
        value={path}
        onChange={(event) => setPath(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          onCancel();
        }}
        onBlur={() => (path === initial || path.trim() === '' ? onCancel() : undefined)}
      />
      {tried && mistake ? (
        <p id={noteId} role="alert" className="mt-0.5 text-12 text-bad-fg">
          {mistake}
        </p>
      ) : null}
    </form>
  );
}
