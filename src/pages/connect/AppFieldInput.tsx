import { Field } from '../../ui/Field.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import type { AppField } from './field-problems.ts';
import { KeyFile } from './KeyFile.tsx';

export interface AppFieldInputProps {
  readonly field: AppField;
  readonly problem: string | undefined;
  readonly autoFocus: boolean;
  readonly onProblem: (problem: string | undefined) => void;
}

/** One thing a person enters to connect, as the app's data describes it. */
export function AppFieldInput({ field, problem, autoFocus, onProblem }: AppFieldInputProps) {
  return (
    <Field
      label={field.label}
      help={field.help ?? undefined}
      error={problem}
      optional={!field.required}
      required={field.required}
    >
      {field.type === 'multiline' ? (
        <KeyFile name={field.name} autoFocus={autoFocus} onProblem={onProblem} />
      ) : (
        <TextInput
          name={field.name}
          size="lg"
          type={field.type}
          mono={field.secret}
          // the window is there for nothing else
          autoFocus={autoFocus}
          autoCapitalize="off"
          autoCorrect="off"
          autoComplete={field.secret ? 'new-password' : 'off'}
        />
      )}
    </Field>
  );
}
