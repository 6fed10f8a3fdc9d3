import type { App } from '../../api/entities.ts';
import { SourceMark } from '../../components/SourceMark.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';

export interface SourcePickerProps {
  readonly sources: readonly App[];
  readonly source: App;
  readonly eventType: string;
  readonly onChange: (source: string, eventType: string) => void;
}

/** Who sends, and what. With one source and one type there is nothing to choose, but it is said. */
export function SourcePicker({ sources, source, eventType, onChange }: SourcePickerProps) {
  return (
    <div className="grid gap-4">
      <RadioCards
        label="Source"
        options={sources.map(({ app, name, event_types }) => ({
          value: app,
          title: name,
          description: event_types.length === 1 ? event_types[0]?.description : `${event_types.length} event types`,
          aside: <SourceMark source={app} />,
        }))}
        value={source.app}
        onChange={(app) => onChange(app, sources.find((each) => each.app === app)?.event_types[0]?.event_type ?? '')}
      />
      {source.event_types.length > 1 ? (
        <RadioCards
          label="Event type"
          options={source.event_types.map(({ event_type, description }) => ({
            value: event_type,
            title: event_type,
            description,
          }))}
          value={eventType}
          onChange={(type) => onChange(source.app, type)}
        />
      ) : (
        <p className="text-fg-2">
          Its events are of the type <span className="data text-fg">{eventType}</span>.
        </p>
      )}
    </div>
  );
}
