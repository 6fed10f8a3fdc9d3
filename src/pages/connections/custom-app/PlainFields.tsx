import { RadioCardsField, TextField } from '../../../forms/fields.tsx';
import type { FormPart } from './form-control.ts';

/** What the two halves are called at this app. */
export function BasicFields({ control }: FormPart) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TextField
        control={control}
        name="BASIC.username_label"
        label="User name is called"
        optional
        maxLength={100}
        placeholder="User name"
      />
      <TextField
        control={control}
        name="BASIC.password_label"
        label="Password is called"
        optional
        maxLength={100}
        placeholder="Password"
      />
    </div>
  );
}

const MCP_AUTH = [
  {
    value: 'oauth',
    title: 'Automatic',
    description: 'Asks the server, registers and lets a person agree.',
  },
  { value: 'client', title: 'A client registered before', description: 'Each user enters its ID and secret.' },
  { value: 'token', title: 'A token', description: 'Each user pastes their own.' },
] as const;

export function McpFields({ control }: FormPart) {
  return (
    <>
      <TextField
        control={control}
        name="MCP.server_url"
        label="Server address"
        mono
        inputMode="url"
        placeholder="https://mcp.example.com/mcp"
      />
      <RadioCardsField control={control} name="MCP.auth" label="It lets in" options={MCP_AUTH} />
    </>
  );
}
