import { createContext, use, useEffect } from 'react';

/** Names of the fields a Form shows, so that an error can be shown beside the right one. */
export const FormFields = createContext<Set<string> | null>(null);

/** For field wrappers, and for a page's own controls that show `form.formState.errors` themselves. */
export function useFormField(name: string): void {
  const fields = use(FormFields);
  useEffect(() => {
    fields?.add(name);
    return () => {
      fields?.delete(name);
    };
  }, [fields, name]);
}
