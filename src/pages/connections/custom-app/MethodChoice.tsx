import { useController } from 'react-hook-form';
import { AUTH_METHODS, type AuthMethod } from '../../../../contract/states.ts';
import { useFormField } from '../../../forms/form-fields.ts';
import { Checkbox } from '../../../ui/controls/Checkbox.tsx';
import type { FormPart } from './form-control.ts';

export const METHOD_WORDS: Record<AuthMethod, { title: string; help: string }> = {
  API_KEY: { title: 'API key', help: 'Sent with every call.' },
  BASIC: { title: 'User name and password', help: 'HTTP Basic, with labels of your choice.' },
  JWT: { title: 'Signed token', help: 'Sent as is, or exchanged for an access token.' },
  OAUTH1: { title: 'OAuth 1', help: 'Users authorize on its page; calls are signed.' },
  OAUTH2: { title: 'OAuth 2', help: 'Users authorize on its page, or enter a client.' },
  MCP: { title: 'MCP server', help: 'Tools over Streamable HTTP.' },
};

/** The authentication methods that users can choose among. */
export function MethodChoice({ control }: Pick<FormPart, 'control'>) {
  useFormField('uses');
  const { field, fieldState } = useController({ control, name: 'uses' });
  const uses: readonly AuthMethod[] = field.value;
  const toggle = (method: AuthMethod) =>
    field.onChange(uses.includes(method) ? uses.filter((each) => each !== method) : [...uses, method]);
  return (
    <fieldset className="min-w-0" aria-describedby={fieldState.error ? 'uses-error' : undefined}>
      <legend className="mb-1 text-12 font-medium text-fg-2">Authentication methods</legend>
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        {AUTH_METHODS.map((method, index) => (
          <Checkbox
            key={method}
            ref={index === 0 ? field.ref : undefined}
            label={METHOD_WORDS[method].title}
            help={METHOD_WORDS[method].help}
            checked={uses.includes(method)}
            onChange={() => toggle(method)}
          />
        ))}
      </div>
      {fieldState.error ? (
        <p id="uses-error" role="alert" className="mt-1 text-12 text-bad-fg">
          {fieldState.error.message}
        </p>
      ) : null}
    </fieldset>
  );
}
