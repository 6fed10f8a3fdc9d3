/** Form values of a custom app from a draft. */
import type { Reply } from '../../../api/operation.ts';
import { type AppValues, newApp, valuesOf } from '../custom-app/values.ts';

export type AppDraft = Reply<'appDraft'>;

/** The values of a draft, with the chosen base URL. A draft without methods keeps the usual one. */
export function valuesOfDraft({ app }: AppDraft, base_url: string): AppValues {
  const { paths, ...rest } = app;
  const values = valuesOf({ ...rest, app: '', base_url, default_headers: {} });
  return {
    ...values,
    uses: rest.methods.length > 0 ? values.uses : newApp().uses,
    paths: paths.length > 0 ? JSON.stringify(paths) : '',
  };
}
