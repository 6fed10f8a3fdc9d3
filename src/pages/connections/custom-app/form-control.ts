import type { Control, UseFormSetValue } from 'react-hook-form';
import type { AppValues } from './values.ts';

/** What the parts of the form get from it. */
export interface FormPart {
  readonly control: Control<AppValues, unknown, AppValues>;
  readonly setValue: UseFormSetValue<AppValues>;
}
