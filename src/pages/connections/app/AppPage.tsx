import { MoreHorizontal, Pencil } from 'lucide-react';
import { useState } from 'react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { CATEGORY_NAMES } from '../../../../contract/text/category-names.ts';
import type { App } from '../../../api/entities.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { useReason } from '../../../api/session.ts';
import { AppIcon } from '../../../components/apps/AppIcon.tsx';
import { CopyAsCurlItem, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../../components/Link.tsx';
import type { Handle } from '../../../layouts/handle.ts';
import { ScrollPage } from '../../../layouts/ScrollPage.tsx';
import { path } from '../../../lib/path.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { Menu } from '../../../ui/overlays/Menu.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Tag } from '../../../ui/Tag.tsx';
import { AppCheckSettings } from '../CheckSettings.tsx';
import { accountQuery, appCrumb, appIn, appQuery, credentialsQuery } from '../connection-queries.ts';
import { Section } from '../Section.tsx';
import { AppConnections } from './AppConnections.tsx';
import { AppCredentials } from './AppCredentials.tsx';
import { AppFacts } from './AppFacts.tsx';
import { ConnectSection } from './ConnectSection.tsx';
import { waitsForClient } from './connect-choice.ts';
import { DeleteAppSection } from './DeleteAppSection.tsx';
import { EventTypes } from './EventTypes.tsx';
import { MethodList } from './MethodList.tsx';

export const handle: Handle = { crumb: appCrumb };
export const loader = ({ params }: LoaderFunctionArgs) =>
  ensure(appQuery(appIn(params)), credentialsQuery(appIn(params)), accountQuery);

/** One app: description, authentication methods, and the connect button. */
export function Component() {
  const { app } = usePrefetchedQuery(appQuery(appIn(useParams()))).data;
  return (
    <>
      <PageHead
        title={app.name}
        meta={
          <>
            <AppIcon app={app.app} name={app.name} />
            <Tag>{app.custom ? 'Custom app' : CATEGORY_NAMES[app.category]}</Tag>
          </>
        }
        actions={
          <>
            {app.custom ? <Edit app={app} /> : null}
            <More app={app} />
          </>
        }
      />
      <ScrollPage label={app.name}>
        <div key={app.app} className="min-h-full border-t border-line xl:flex">
          <div className="divide-y divide-line xl:w-[720px]">
            {app.methods.length > 0 ? <Connecting app={app} /> : null}
            {app.event_types.length > 0 ? <EventTypes app={app} /> : null}
          </div>
          <div className="divide-y divide-line border-line max-xl:border-t xl:min-w-[400px] xl:flex-1 xl:border-l">
            <Section title="Details" lead={app.description || undefined}>
              <AppFacts app={app} />
            </Section>
            {app.methods.length > 0 ? (
              <Section title={app.methods.length > 1 ? 'Authentication methods' : 'Authentication method'}>
                <MethodList methods={app.methods} />
              </Section>
            ) : null}
            {app.custom ? <DeleteAppSection app={app} /> : null}
          </div>
        </div>
      </ScrollPage>
    </>
  );
}

/** The pending step comes first, and keeps its place once it is done */
function Connecting({ app }: { app: App }) {
  const [waiting] = useState(() => waitsForClient(app) !== undefined);
  return (
    <>
      {waiting ? <AppCredentials app={app} /> : null}
      <ConnectSection app={app} />
      <AppConnections app={app} />
      <AppCheckSettings app={app} />
      {waiting ? null : <AppCredentials app={app} />}
    </>
  );
}

function Edit({ app }: { app: App }) {
  const reason = useReason('appUpdate');
  return reason === undefined ? (
    <LinkButton icon={Pencil} render={<Link to={path.appEdit(app.app)} />}>
      Edit
    </LinkButton>
  ) : (
    <Button icon={Pencil} reason={reason}>
      Edit
    </Button>
  );
}

function More({ app: { app, name } }: { app: App }) {
  return (
    <Menu
      label={`More actions for ${name}`}
      align="end"
      trigger={(opener) => (
        <IconButton {...opener} icon={MoreHorizontal} label={`More actions for ${name}`} tip="More" />
      )}
    >
      <CopyAsCurlItem text={() => curlText('appGet', { params: { app } })}>Copy get request as curl</CopyAsCurlItem>
    </Menu>
  );
}
