import { Zap } from 'lucide-react';
import type { App } from '../../../api/entities.ts';
import { useReason } from '../../../api/session.ts';
import { Link } from '../../../components/Link.tsx';
import { path } from '../../../lib/path.ts';
import { JsonTree } from '../../../ui/code/JsonTree.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Disclosure } from '../../../ui/controls/Disclosure.tsx';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { Section } from '../Section.tsx';

/** The app's event types, each with a link to a new trigger. */
export function EventTypes({ app }: { app: App }) {
  const reason = useReason('triggerCreate');
  return (
    <Section title="Event types" lead={`Events that ${app.name} sends. A trigger receives and delivers them.`}>
      <ul className="border-t border-line">
        {app.event_types.map(({ event_type, description, sample }) => (
          <li key={event_type} className="border-b border-line py-1.5">
            <span className="data wrap-anywhere">{event_type}</span>
            <span className="block text-12 text-fg-3">{description}</span>
            <Disclosure
              summary={
                <>
                  Sample<span className="sr-only"> of {event_type}</span>
                </>
              }
            >
              <JsonTree
                text={JSON.stringify(sample)}
                label={`Sample of ${event_type}`}
                pathPrefix="payload"
                depth={1}
              />
            </Disclosure>
          </li>
        ))}
      </ul>
      <div className="mt-3">
        {reason === undefined ? (
          <LinkButton icon={Zap} render={<Link to={path.triggerNew({ source: app.app })} />}>
            New trigger
          </LinkButton>
        ) : (
          <Button icon={Zap} reason={reason}>
            New trigger
          </Button>
        )}
      </div>
    </Section>
  );
}
