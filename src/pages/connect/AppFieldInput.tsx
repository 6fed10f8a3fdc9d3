import { useState } from 'react';
import { Field } from '../../ui/controls/Field.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import type { AppField } from './field-problems.ts';
import { KeyFile } from './KeyFile.tsx';

export interface AppFieldInputProps {
  readonly field: AppField;
  readonly problem: string | undefined;
  readonly autoFocus: boolean;
  readonly onProblem: (problem: string | undefined) => void;
  /** Called with the text of a multiline field: typed, pasted or read from a file. It may be a whole key file. */
  readonly onKeyFile: (text: string) => void;
}

/** One input of the connect form, built from the app's data. */
export function AppFieldInput({ field, problem, autoFocus, onProblem, onKeyFile }: AppFieldInputProps) {
  const [hasBlanks, setHasBlanks] = useState(false);
  return (
    <Field
      label={field.label}
      help={hasBlanks ? 'This value starts or ends with a space; the space is kept.' : (field.help ?? undefined)}
      error={problem}
      optional={!field.required}
      required={field.required}
    >
      {field.type === 'multiline' ? (
        <KeyFile name={field.name} autoFocus={autoFocus} onProblem={onProblem} onText={onKeyFile} />
      ) : (
        <TextInput
          name={field.name}
          size="lg"
          type={field.type}
          mono={field.secret}
          defaultValue={field.default}
          onChange={field.secret ? ({ target }) => setHasBlanks(/^\s|\s$/.test(target.value)) : undefined}
          // the form is the only content of the window
          autoFocus={autoFocus}
          autoCapitalize="off"
          autoCorrect="off"
          autoComplete={field.secret ? 'new-password' : 'off'}
        />
      )}
    </Field>
  );
}
