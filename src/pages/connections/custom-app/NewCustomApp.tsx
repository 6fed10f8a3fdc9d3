import { useNavigate } from 'react-router';
import { useApiMutation } from '../../../api/mutations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { SETTLED } from '../../../components/UnsavedChanges.tsx';
import { path } from '../../../lib/path.ts';
import { appQuery, appsQuery } from '../connection-queries.ts';
import { CustomAppForm } from './CustomAppForm.tsx';
import { bodyOf, newApp } from './values.ts';

export interface NewCustomAppProps {
  /** The search text that matched no app. */
  readonly name: string;
  readonly onCancel: () => void;
}

/** The form for a new custom app, inside the app picker. */
export function NewCustomApp({ name, onCancel }: NewCustomAppProps) {
  const navigate = useNavigate();
  const reason = useReason('appCreate');
  const create = useApiMutation('appCreate', {
    failure: 'inline',
    invalidates: ['appList', 'auditList'],
    onSuccess: async (reply) => {
      const { app } = reply;
      queryClient.setQueryData(appQuery(app.app).queryKey, reply);
      queryClient.setQueryData(appsQuery.queryKey, (known) => known && { apps: [...known.apps, app] });
      await navigate(path.app(app.app), { replace: true, state: SETTLED });
    },
  });
  return (
    <CustomAppForm
      start={newApp(name)}
      isNew
      submitLabel="Add app"
      reason={reason}
      error={create.error}
      pending={create.isPending}
      done={create.isSuccess}
      onSubmit={(values) => create.mutate({ body: bodyOf(values) })}
      onCancel={onCancel}
      curl={(values) => curlText('appCreate', { body: bodyOf(values) })}
    />
  );
}
