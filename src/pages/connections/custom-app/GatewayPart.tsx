import { CheckboxField, TextAreaField, TextField } from '../../../forms/fields.tsx';
import type { FormPart } from './form-control.ts';

/** Further hosts, links to rewrite and timeout of calls through the gateway. */
export function GatewayPart({ control }: Pick<FormPart, 'control'>) {
  return (
    <>
      <TextAreaField
        control={control}
        name="gateway.hosts"
        label="Further hosts"
        optional
        mono
        rows={2}
        spellCheck={false}
        placeholder="upload: https://upload.example.com"
        help="One per line: a name and a base URL. Calls select one with ~upload before the path and get the same credentials."
      />
      <CheckboxField
        control={control}
        name="gateway.rewrite_links"
        label="Rewrite links of responses to the gateway"
        help="In Link, Location and the JSON paths below, so that clients that follow them keep using the gateway."
      />
      <CheckboxField
        control={control}
        name="gateway.link_header"
        label="Pages of lists are linked in the Link header"
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextAreaField
          control={control}
          name="gateway.json_links"
          label="JSON paths of links"
          optional
          mono
          rows={2}
          spellCheck={false}
          placeholder="links.next"
          help="One per line, such as links.next or items.*.url."
        />
        <TextField
          control={control}
          name="gateway.answer_seconds"
          label="Response timeout in seconds"
          optional
          mono
          inputMode="numeric"
          placeholder="300"
          help="Until the response headers. Empty: the timeout of the installation."
        />
      </div>
    </>
  );
}
