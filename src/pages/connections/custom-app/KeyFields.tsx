import { useWatch } from 'react-hook-form';
import { TextAreaField, TextField } from '../../../forms/fields.tsx';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import type { FormPart } from './form-control.ts';
import { USUAL } from './values.ts';

const PLACES = [
  { value: 'header', label: 'Header' },
  { value: 'query', label: 'Query' },
  { value: 'address', label: 'URL' },
] as const;

/** The place of the key in the request, and additional credentials. */
export function KeyFields({ control, setValue }: FormPart) {
  const where = useWatch({ control, name: 'API_KEY.place.in' });
  return (
    <>
      <div className="grid grid-cols-[max-content_minmax(0,1fr)_minmax(0,1.4fr)] items-start gap-4 max-sm:grid-cols-1">
        <div>
          <p aria-hidden className="mb-1 text-12 font-medium text-fg-2">
            Send key in
          </p>
          <SegmentedControl
            label="Send key in"
            options={PLACES}
            value={where}
            onChange={(value) => setValue('API_KEY.place', USUAL[value], { shouldDirty: true, shouldValidate: true })}
          />
        </div>
        {where === 'address' ? (
          <p className="text-12 text-fg-3">
            Write <span className="data text-fg-2">{'{api_key}'}</span> in the base URL where the key belongs.
          </p>
        ) : (
          <>
            <TextField control={control} name="API_KEY.place.name" label="Field name" mono />
            <TextField
              control={control}
              name="API_KEY.place.template"
              label="Value"
              mono
              help="{api_key} is replaced with the key."
            />
          </>
        )}
      </div>
      <TextAreaField
        control={control}
        name="API_KEY.more_places"
        label="Additional credentials"
        optional
        mono
        rows={2}
        spellCheck={false}
        placeholder="header X-App-Id: {app_id}"
        help="One per line: header or query, a name, a value. Users enter the value of a placeholder in braces as a secret."
      />
    </>
  );
}
