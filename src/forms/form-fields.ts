import { createContext, use, useEffect } from 'react';

/** The names of the fields in a Form, to show an error at the right field. */
export const FormFields = createContext<Set<string> | null>(null);

/** Registers a field. For field wrappers and for controls that show `form.formState.errors` themselves. */
export function useFormField(name: string): void {
  const fields = use(FormFields);
  useEffect(() => {
    fields?.add(name);
    return () => {
      fields?.delete(name);
    };
  }, [fields, name]);
}
