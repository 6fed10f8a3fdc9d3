import { type LoaderFunctionArgs, useParams } from 'react-router';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import type { Handle } from '../../../layouts/handle.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { ChooseFunction } from './ChooseFunction.tsx';
import { TransformEditor } from './TransformEditor.tsx';
import { destinationQuery, functionsQuery, placeIn } from './transform-queries.ts';

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
