import { type LoaderFunctionArgs, useNavigate, useParams } from 'react-router';
import type { App } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../../components/Link.tsx';
import { SETTLED } from '../../../components/UnsavedChanges.tsx';
import type { Handle } from '../../../layouts/handle.ts';
import { ScrollPage } from '../../../layouts/ScrollPage.tsx';
import { path } from '../../../lib/path.ts';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { accountQuery, appCrumb, appIn, appQuery } from '../connection-queries.ts';
import { CustomAppForm } from './CustomAppForm.tsx';
import { bodyOf, changesOf, valuesOf } from './values.ts';

export const handle: Handle = { crumb: (args) => `Edit ${appCrumb(args)}` };
export const loader = ({ params }: LoaderFunctionArgs) => ensure(appQuery(appIn(params)), accountQuery);

/** Edits a custom app. Existing connections keep their credentials. */
export function Component() {
  const { app } = usePrefetchedQuery(appQuery(appIn(useParams()))).data;
  return (
    <>
      <PageHead title={`Edit ${app.name}`} />
      <ScrollPage label={`Edit ${app.name}`}>
        {app.definition ? (
          <EditApp key={app.app} app={app} definition={app.definition} />
        ) : (
          <ErrorState
            title={`${app.name} can’t be changed`}
            detail="Built-in apps are the same for every account. Create a custom app instead."
            actions={<LinkButton render={<Link to={path.app(app.app)} />}>Go to {app.name}</LinkButton>}
          />
        )}
      </ScrollPage>
    </>
  );
}

function EditApp({ app, definition }: { app: App; definition: NonNullable<App['definition']> }) {
  const navigate = useNavigate();
  const params = { app: app.app };
  const reason = useReason('appUpdate');
  const update = useApiMutation('appUpdate', {
    failure: 'inline',
    invalidates: ['appList', 'appGet', 'appCredentialList', 'auditList'],
    onSuccess: async (reply) => {
      queryClient.setQueryData(appQuery(app.app).queryKey, reply);
      await navigate(path.app(app.app), { state: SETTLED });
    },
  });
  return (
    <CustomAppForm
      start={valuesOf(definition)}
      isNew={false}
      submitLabel="Save changes"
      reason={reason}
      error={update.error}
      pending={update.isPending}
      done={update.isSuccess}
      onSubmit={(values, before) => update.mutate({ params, body: changesOf(bodyOf(before), bodyOf(values)) })}
      onCancel={() => void navigate(path.app(app.app))}
      curl={(values, before) => curlText('appUpdate', { params, body: changesOf(bodyOf(before), bodyOf(values)) })}
    />
  );
}
