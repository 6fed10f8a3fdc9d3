import { useId } from 'react';
import { TextInput } from '../../../ui/controls/TextInput.tsx';
import { type AppPath, suggestionsFor, typedPath } from './path-suggestions.ts';
import type { TypedRequest } from './typed-request.ts';

export interface PathInputProps {
  readonly paths: readonly AppPath[];
  readonly method: string;
  readonly path: string;
  readonly onType: (change: Partial<TypedRequest>) => void;
  /** Fills in a request from a pasted text; false if it is a path. */
  readonly onPaste: (text: string) => boolean;
}

/** The native path of a request. Suggests the paths of the app's OpenAPI document, if it has one. */
export function PathInput({ paths, method, path, onType, onPaste }: PathInputProps) {
  const list = useId();
  return (
    <>
      <TextInput
        mono
        value={path}
        placeholder="/, or paste a URL or a curl command"
        onPaste={(event) => {
          if (onPaste(event.clipboardData.getData('text'))) event.preventDefault();
        }}
        {...(paths.length > 0 ? { list } : {})}
        onChange={(event) => onType(typedPath(paths, event.target.value, method))}
      />
      {paths.length > 0 ? (
        <datalist id={list}>
          {suggestionsFor(paths, path).map((each) => (
            <option key={each.path} value={each.path}>
              {each.label}
            </option>
          ))}
        </datalist>
      ) : null}
    </>
  );
}
