import { createContext, use, useEffect } from 'react';

/** Names of the fields a Form shows, so that a refusal can be told beside the right one. */
export const FormFields = createContext<Set<string> | null>(null);

/** For field wrappers, and for controls of a page's own that show `form.formState.errors` by themselves. */
export function useFormField(name: string): void {
  const fields = use(FormFields);
  useEffect(() => {
    fields?.add(name);
    return () => {
      fields?.delete(name);
    };
  }, [fields, name]);
}
