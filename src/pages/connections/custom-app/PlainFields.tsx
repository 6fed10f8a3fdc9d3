import { RadioCardsField, TextAreaField, TextField } from '../../../forms/fields.tsx';
import type { FormPart } from './form-control.ts';

/** The app's labels for user name and password. */
export function BasicFields({ control }: FormPart) {
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          control={control}
          name="BASIC.username_label"
          label="User name label"
          optional
          maxLength={100}
          placeholder="User name"
        />
        <TextField
          control={control}
          name="BASIC.password_label"
          label="Password label"
          optional
          maxLength={100}
          placeholder="Password"
        />
      </div>
      <TextAreaField
        control={control}
        name="BASIC.login"
        label="Login request"
        optional
        mono
        rows={4}
        spellCheck={false}
        placeholder={LOGIN_EXAMPLE}
        help="For an app that exchanges user name and password for a token: JSON with url, params and token_path. Empty: HTTP Basic."
      />
    </>
  );
}

const LOGIN_EXAMPLE = `{
  "url": "https://api.example.com/login",
  "params": {"user": "{username}", "password": "{password}"},
  "token_path": "token"
}`;

const MCP_AUTH = [
  {
    value: 'oauth',
    title: 'Automatic',
    description: 'Discovers the server’s settings, registers a client and asks the user to authorize.',
  },
  { value: 'client', title: 'Pre-registered client', description: 'Each user enters the client ID and secret.' },
  { value: 'token', title: 'A token', description: 'Each user pastes their own.' },
] as const;

export function McpFields({ control }: FormPart) {
  return (
    <>
      <TextField
        control={control}
        name="MCP.server_url"
        label="Server URL"
        mono
        inputMode="url"
        placeholder="https://mcp.example.com/mcp"
      />
      <RadioCardsField control={control} name="MCP.auth" label="Authorization" options={MCP_AUTH} />
    </>
  );
}
