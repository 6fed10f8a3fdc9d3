import { useQuery } from '@tanstack/react-query';
import { Braces } from 'lucide-react';
import type { Destination } from '../../../api/entities.ts';
import { Link } from '../../../components/Link.tsx';
import { path } from '../../../lib/path.ts';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { PanelSection } from '../../../ui/overlays/Panel.tsx';
import { functionsQuery } from '../trigger-queries.ts';

interface TransformSectionProps {
  readonly triggerId: string;
  readonly destination: Destination;
}

/** The function that turns events into the requests of the destination. */
export function TransformSection({ triggerId, destination: { destination_id, transform } }: TransformSectionProps) {
  const functions = useQuery(functionsQuery).data?.functions;
  const fn = functions?.find(({ function_id }) => function_id === transform?.function_id);
  return (
    <PanelSection
      title="Transformation"
      aside={
        <LinkButton
          size="sm"
          icon={Braces}
          render={<Link to={`${path.destination(triggerId, destination_id)}/transform`} />}
        >
          {transform ? 'Edit and test' : 'Transform events…'}
        </LinkButton>
      }
    >
      <p className="text-12 text-fg-3">
        {!transform ? (
          'None. A function can turn each event into the request: method, path, headers and body, or skip it.'
        ) : functions && !fn ? (
          <span className="text-bad-fg">The function was deleted, so deliveries fail. Choose another one.</span>
        ) : (
          <>
            Events are turned into requests by{' '}
            <Link className="link" to={path.function(transform.function_id)}>
              {fn?.name ?? 'a function'}
            </Link>
            , {transform.version === null ? 'its live version' : `always v${transform.version}`}.
          </>
        )}
      </p>
    </PanelSection>
  );
}
