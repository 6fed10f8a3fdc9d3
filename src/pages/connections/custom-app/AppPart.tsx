import { TextAreaField, TextField } from '../../../forms/fields.tsx';
import type { FormPart } from './form-control.ts';

export interface AppPartProps extends Pick<FormPart, 'control'> {
  /** False for an existing app: API clients use its ID. */
  readonly isNew: boolean;
  /** Only MCP methods are chosen: each has its own URL. */
  readonly needsAddress: boolean;
}

/** The app's name, ID and base URL. */
export function AppPart({ control, isNew, needsAddress }: AppPartProps) {
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          control={control}
          name="name"
          label="Name"
          autoFocus={isNew}
          maxLength={100}
          placeholder="Order ledger"
        />
        <TextField control={control} name="app" label="ID" mono readOnly={!isNew} help="Part of the gateway URL." />
      </div>
      <TextField
        control={control}
        name="base_url"
        label="Base URL"
        mono
        inputMode="url"
        optional={!needsAddress}
        placeholder="https://api.example.com/v1"
        help="Call paths are appended to it. Users enter the value of a placeholder such as {shop} when connecting."
      />
    </>
  );
}

/** Default headers, and the request that tests credentials. */
export function CallsPart({ control }: Pick<FormPart, 'control'>) {
  return (
    <>
      <TextAreaField
        control={control}
        name="default_headers"
        label="Headers"
        optional
        mono
        rows={2}
        spellCheck={false}
        placeholder="X-Api-Version: 2026-01-01"
        help="One per line. Sent unless the call sets the header. Don’t put secrets here."
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          control={control}
          name="probe"
          label="Test path"
          optional
          mono
          placeholder="/me"
          help="A GET request to this path must succeed with valid credentials."
        />
        <TextField
          control={control}
          name="docs_url"
          label="Documentation"
          optional
          mono
          inputMode="url"
          placeholder="https://docs.example.com"
          help="Shown to users when they connect."
        />
      </div>
    </>
  );
}
