import { type LoaderFunctionArgs, useParams } from 'react-router';
import { isMailUrl } from '../../../../contract/text/mail-url.ts';
import type { Destination } from '../../../api/entities.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { Link } from '../../../components/Link.tsx';
import type { Handle } from '../../../layouts/handle.ts';
import { path } from '../../../lib/path.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { ChooseFunction } from './ChooseFunction.tsx';
import { TransformEditor } from './TransformEditor.tsx';
import { destinationQuery, functionsQuery, type Place, placeIn } from './transform-queries.ts';

export const handle: Handle = {
  crumb: ({ params, cached }) => {
    const { trigger_id, destination_id } = placeIn(params);
    const name = cached(destinationQuery(trigger_id, destination_id))?.destination.name;
    return name ? `Transformation of ${name}` : 'Transformation';
  },
};
export const loader = ({ params }: LoaderFunctionArgs) => {
  const { trigger_id, destination_id } = placeIn(params);
  return ensure(destinationQuery(trigger_id, destination_id), functionsQuery);
};

const defaults = { function: '' };
const CHOOSE = 'choose';

/** The function that turns the events of a destination into requests: chosen or created, edited, tested, deployed. */
export function Component() {
  const place = placeIn(useParams());
  const { destination } = usePrefetchedQuery(destinationQuery(place.trigger_id, place.destination_id)).data;
  const { functions } = usePrefetchedQuery(functionsQuery).data;
  const [url, setUrl] = useUrlState(defaults);
  if (isMailUrl(destination.url)) return <NotForEmails place={place} destination={destination} />;
  const functionId = url.function || destination.transform?.function_id || CHOOSE;
  const isKnown = functionId !== CHOOSE && functions.some(({ function_id }) => function_id === functionId);
  if (!isKnown)
    return (
      <ChooseFunction
        place={place}
        destination={destination}
        functions={functions}
        isDeleted={functionId !== CHOOSE}
        onChoose={(function_id) => setUrl({ function: function_id })}
      />
    );
  return (
    <TransformEditor
      key={functionId}
      place={place}
      destination={destination}
      functionId={functionId}
      onOther={() => setUrl({ function: CHOOSE })}
      onUsed={() => setUrl({ function: undefined })}
    />
  );
}

/** Says why there is nothing to edit for an email. */
function NotForEmails({ place, destination }: { place: Place; destination: Destination }) {
  const to = path.destination(place.trigger_id, place.destination_id);
  return (
    <>
      <PageHead title="Transform events" />
      <EmptyState
        title="Emails are not transformed"
        actions={<LinkButton render={<Link to={to} />}>Edit {destination.name}</LinkButton>}
      >
        {destination.name} sends emails, which have no method, path or headers. Its subject and text are templates of
        the destination.
      </EmptyState>
    </>
  );
}
