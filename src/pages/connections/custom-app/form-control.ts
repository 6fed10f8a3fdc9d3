import type { Control, UseFormSetValue } from 'react-hook-form';
import type { AppValues } from './values.ts';

/** The props shared by the sections of the form. */
export interface FormPart {
  readonly control: Control<AppValues, unknown, AppValues>;
  readonly setValue: UseFormSetValue<AppValues>;
}
