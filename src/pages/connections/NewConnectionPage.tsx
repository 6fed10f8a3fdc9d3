import { ensure, usePrefetchedQuery } from '../../api/queries.ts';
import { Link } from '../../components/Link.tsx';
import type { Handle } from '../../layouts/handle.ts';
import { ScrollPage } from '../../layouts/ScrollPage.tsx';
import { path } from '../../lib/path.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { AppPicker } from './AppPicker.tsx';
import { ConnectApp } from './ConnectApp.tsx';
import { CustomAppForm } from './CustomAppForm.tsx';
import { accountQuery, appsQuery, connectable } from './connection-queries.ts';

export const handle: Handle = { crumb: 'New connection' };
export const loader = () => ensure(appsQuery, accountQuery);

const defaults = { app: '', custom: '', q: '' };

/** Which app, then its connect window. An app that isn't there yet is described on the way. */
export function Component() {
  const [url, setUrl] = useUrlState(defaults);
  const apps = connectable(usePrefetchedQuery(appsQuery).data.apps);
  const chosen = apps.find(({ app }) => app === url.app);
  return (
    <>
      <PageHead title="New connection" />
      <ScrollPage label="New connection">
        <div className="border-t border-line *:max-w-[720px]">
          {url.custom ? (
            <CustomAppForm
              onMade={(app) => setUrl({ app, custom: undefined })}
              onCancel={() => setUrl({ custom: undefined })}
            />
          ) : chosen ? (
            <ConnectApp key={chosen.app} app={chosen} />
          ) : url.app ? (
            <NoSuchApp id={url.app} />
          ) : (
            <AppPicker
              apps={apps}
              query={url.q}
              onQuery={(q) => setUrl({ q })}
              onCustom={() => setUrl({ custom: 'on' }, { push: true })}
            />
          )}
        </div>
      </ScrollPage>
    </>
  );
}

function NoSuchApp({ id }: { id: string }) {
  return (
    <ErrorState
      title="No such app"
      detail={
        <>
          This account has no app <span className="data">{id}</span> that can be connected.
        </>
      }
      actions={<LinkButton render={<Link to={path.connectionNew()} />}>Choose an app</LinkButton>}
    />
  );
}
