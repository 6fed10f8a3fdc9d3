import { type LoaderFunctionArgs, redirect, useNavigate } from 'react-router';
import { ensure, usePrefetchedQuery } from '../../api/queries.ts';
import { SETTLED } from '../../components/UnsavedChanges.tsx';
import type { Handle } from '../../layouts/handle.ts';
import { ScrollPage } from '../../layouts/ScrollPage.tsx';
import { path } from '../../lib/path.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { PageHead } from '../../ui/PageHead.tsx';
import { CustomAppForm } from './CustomAppForm.tsx';
import { accountQuery, appsQuery, connectable } from './connection-queries.ts';
import { AppPicker } from './picker/AppPicker.tsx';

export const handle: Handle = { crumb: 'New connection' };
export const loader = ({ request }: LoaderFunctionArgs) => {
  // links of before there were pages of apps
  const app = new URL(request.url).searchParams.get('app');
  if (app !== null) throw redirect(path.app(app));
  return ensure(appsQuery, accountQuery);
};

const defaults = { custom: '', q: '', category: '' };

/** Which app. One that isn't there yet is described on the way. */
export function Component() {
  const [url, setUrl] = useUrlState(defaults);
  const navigate = useNavigate();
  const apps = connectable(usePrefetchedQuery(appsQuery).data.apps);
  return (
    <>
      <PageHead title="New connection" />
      {url.custom ? (
        <ScrollPage label="Custom app">
          <div className="border-t border-line *:max-w-[720px]">
            <CustomAppForm
              onMade={(app) => void navigate(path.app(app), { replace: true, state: SETTLED })}
              onCancel={() => setUrl({ custom: undefined })}
            />
          </div>
        </ScrollPage>
      ) : (
        <AppPicker
          apps={apps}
          query={url.q}
          category={url.category}
          onQuery={(q) => setUrl({ q })}
          onCategory={(category) => setUrl({ category })}
          onCustom={() => setUrl({ custom: 'on' }, { push: true })}
        />
      )}
    </>
  );
}
