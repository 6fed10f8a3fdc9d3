import { type LoaderFunctionArgs, redirect } from 'react-router';
import { ensure, usePrefetchedQuery } from '../../api/queries.ts';
import type { Handle } from '../../layouts/handle.ts';
import { ScrollPage } from '../../layouts/ScrollPage.tsx';
import { path } from '../../lib/path.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { PageHead } from '../../ui/PageHead.tsx';
import { accountQuery, appsQuery, connectable } from './connection-queries.ts';
import { NewCustomApp } from './custom-app/NewCustomApp.tsx';
import { AppPicker } from './picker/AppPicker.tsx';

export const handle: Handle = { crumb: 'New connection' };
export const loader = ({ request }: LoaderFunctionArgs) => {
  // links from before apps had pages
  const app = new URL(request.url).searchParams.get('app');
  if (app !== null) throw redirect(path.app(app));
  return ensure(appsQuery, accountQuery);
};

const defaults = { custom: '', q: '', category: '' };

/** The app picker. An app that is missing can be added as a custom app. */
export function Component() {
  const [url, setUrl] = useUrlState(defaults);
  const apps = connectable(usePrefetchedQuery(appsQuery).data.apps);
  return (
    <>
      <PageHead title={url.custom ? 'Custom app' : 'New connection'} />
      {url.custom ? (
        <ScrollPage label="Custom app">
          <NewCustomApp name={url.q} onCancel={() => setUrl({ custom: undefined })} />
        </ScrollPage>
      ) : (
        <AppPicker
          apps={apps}
          query={url.q}
          category={url.category}
          onQuery={(q) => setUrl({ q })}
          onCategory={(category) => setUrl({ category })}
          onCustom={(name) => setUrl({ custom: 'on', q: name }, { push: true })}
        />
      )}
    </>
  );
}
