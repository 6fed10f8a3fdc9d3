import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { type FieldPath, type FieldValues, useController, useWatch } from 'react-hook-form';
import { parseExactly } from '../../../../../contract/text/exact-json.ts';
import { isMailUrl } from '../../../../../contract/text/mail-url.ts';
import { EMAIL_BODY } from '../../../../../contract/text/message-templates.ts';
import { q } from '../../../../api/queries.ts';
import { useFormField } from '../../../../forms/form-fields.ts';
import { usePreference } from '../../../../hooks/use-preference.ts';
import { formatBytes, formatClock, middleCut } from '../../../../lib/format.ts';
import { timeZone } from '../../../../stores/time-zone.ts';
import { CodeBlock } from '../../../../ui/code/CodeBlock.tsx';
import { Button } from '../../../../ui/controls/Button.tsx';
import { Chip, statusIcons } from '../../../../ui/controls/Chip.tsx';
import { Field } from '../../../../ui/controls/Field.tsx';
import { Select } from '../../../../ui/controls/Select.tsx';
import type { HeaderRow } from '../destination-form.ts';
import type { DestinationFieldsProps } from './AddressFields.tsx';
import { TemplateInput, type TemplateInputHandle } from './TemplateInput.tsx';
import { TemplateMenu, TemplateOffer, useTemplateChoice } from './TemplateMenu.tsx';
import {
  envelopeOf,
  namesOf,
  placeText,
  type Rendering,
  renderingOf,
  type TemplateEvent,
  type TemplateResult,
  visibleRequest,
} from './template-text.ts';

export interface TemplateFieldProps<In extends FieldValues, Out> extends DestinationFieldsProps<In, Out> {
  /** The events to render with: the newest ones, or the sample event if there are none. */
  readonly events: readonly TemplateEvent[];
}

/** The body template, beside its rendered result. */
export function TemplateField<In extends FieldValues, Out>(props: TemplateFieldProps<In, Out>) {
  const { control, at, readOnly, events } = props;
  const name = `${at}body_template` as FieldPath<In>;
  useFormField(name);
  const { field, fieldState } = useController({ control, name });
  const [eventId, setEventId] = useState<string>();
  const input = useRef<TemplateInputHandle>(null);
  const event = useWithRequest(events.find(({ event_id }) => event_id === eventId) ?? events[0]);
  const names = useMemo(() => (event ? namesOf(event) : []), [event]);
  const text = String(field.value);
  const url = String(useWatch({ control, name: `${at}url` as FieldPath<In> }));
  const result = useResult(props, url);
  const isMail = isMailUrl(url);
  const choice = useTemplateChoice({ url, text, onChange: field.onChange });
  const made = useMemo(
    () => (event && (text !== '' || isMail) ? renderingOf(text || EMAIL_BODY, event, result) : undefined),
    [event, text, result, isMail],
  );
  return (
    <div className="grid gap-x-3 gap-y-2 sm:grid-cols-2">
      <div className="grid min-w-0 content-start gap-2">
        <Field
          label="Body template"
          optional
          error={fieldState.error?.message}
          help={isMail ? <TextHelp /> : result === 'text' ? <OwnTextHelp /> : <JsonHelp />}
          aside={readOnly ? undefined : <TemplateMenu url={url} onChoose={choice.choose} />}
        >
          <TemplateInput
            ref={input}
            name={name}
            value={text}
            names={names}
            readOnly={readOnly ?? false}
            placeholder={isMail ? EMAIL_BODY : PLACEHOLDERS[result]}
            onChange={field.onChange}
            onBlur={field.onBlur}
          />
        </Field>
        {readOnly ? null : <TemplateOffer text={text} choice={choice} />}
      </div>
      <section aria-label="Rendered body" className="min-w-0">
        <div className="mb-1 flex min-h-[18px] items-center gap-2">
          <span className="text-12 font-medium text-fg-2">Rendered with</span>
          <EventChoice events={events} chosen={event} onChange={setEventId} />
        </div>
        {event ? (
          <CodeBlock
            wrap
            language={result === 'text' || (result === 'form' && made) ? 'text' : 'json'}
            label="Text of the rendered body"
            className="max-h-56 min-h-16"
            code={bodyText(made, event)}
          />
        ) : (
          <p className="text-12 text-fg-3">No events yet. Send a test event to preview the template.</p>
        )}
        <div role="status" className="mt-1 text-12">
          {made ? (
            <Verdict made={made} text={text} result={result} onGo={(position) => input.current?.goTo(position)} />
          ) : null}
          {!made && event ? <span className="text-fg-3">The whole event, as sent without a template.</span> : null}
        </div>
      </section>
    </div>
  );
}

const JsonHelp = () => (
  <>
    Leave empty to send the whole event as JSON. Write a name between <code>{'{{'}</code> and <code>{'}}'}</code>; its
    value is inserted as text inside quotes, as JSON elsewhere.
  </>
);

const TextHelp = () => (
  <>
    Leave empty to send the text of the event. Write a name between <code>{'{{'}</code> and <code>{'}}'}</code>; its
    value is inserted as text.
  </>
);

const OwnTextHelp = () => (
  <>
    Write a name between <code>{'{{'}</code> and <code>{'}}'}</code>; its value is inserted as text.
  </>
);

const JSON_PLACEHOLDER = '{ "due": {{ payload.data.amount_due }} }';
const PLACEHOLDERS: Record<TemplateResult, string> = {
  json: JSON_PLACEHOLDER,
  any: JSON_PLACEHOLDER,
  form: '{ "From": "Sluice", "Body": "{{ message.text }}" }',
  text: '{{ message.title }}: {{ message.text }}',
};

/** The event with its request, which lists of events don't contain. */
function useWithRequest(event: TemplateEvent | undefined): TemplateEvent | undefined {
  const { trigger_id = '', event_id = '' } = event ?? {};
  const isStored = event !== undefined && !event_id.startsWith('00000000-');
  const { data } = useQuery({ ...q('eventGet', { params: { trigger_id, event_id } }), enabled: isStored });
  const request = data?.event.request ?? undefined;
  return useMemo(() => (event && request ? { ...event, request: visibleRequest(request) } : event), [event, request]);
}

function bodyText(made: Rendering | undefined, event: TemplateEvent): string {
  if (!made) return JSON.stringify(parseExactly(envelopeOf(event)), null, 2);
  return made.body ?? '';
}

interface VerdictProps {
  readonly made: Rendering;
  readonly text: string;
  readonly result: TemplateResult;
  readonly onGo: (position: number) => void;
}

function Verdict({ made, text, result, onGo }: VerdictProps) {
  if (made.ok) {
    return (
      <Chip quiet tone="ok" icon={statusIcons.succeeded}>
        {made.json ? 'Valid JSON' : result === 'form' ? 'Valid form' : 'Text'},{' '}
        {formatBytes(new Blob([made.body]).size)}
      </Chip>
    );
  }
  const { position } = made;
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 text-bad-fg">
      <span className="wrap-anywhere">
        {position === undefined ? '' : `${placeText(text, position)}: `}
        {made.message}
      </span>
      {position === undefined ? null : (
        <Button size="sm" variant="ghost" onClick={() => onGo(position)}>
          Go to error
        </Button>
      )}
    </span>
  );
}

interface EventChoiceProps {
  readonly events: readonly TemplateEvent[];
  readonly chosen: TemplateEvent | undefined;
  readonly onChange: (eventId: string) => void;
}

function EventChoice({ events, chosen, onChange }: EventChoiceProps) {
  const [zone] = usePreference(timeZone);
  if (!chosen || events.length < 2)
    return <span className="text-12 text-fg-3">{chosen ? 'Sample event' : 'nothing'}</span>;
  return (
    <Select
      size="sm"
      aria-label="Event to render with"
      className="max-w-60"
      value={chosen.event_id}
      options={events.map(({ event_id, received_at }) => ({
        value: event_id,
        label: `${formatClock(new Date(received_at), zone)}  ${middleCut(event_id, 13)}`,
      }))}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** Emails are text. A custom content type other than JSON accepts any text; a stored value cannot be read here. */
function useResult<In extends FieldValues, Out>(
  { control, at }: DestinationFieldsProps<In, Out>,
  url: string,
): TemplateResult {
  const rows = useWatch({ control, name: `${at}headers` as FieldPath<In> }) as readonly HeaderRow[];
  const format = useWatch({ control, name: `${at}body_format` as FieldPath<In> });
  if (isMailUrl(url) || format === 'TEXT') return 'text';
  if (format === 'FORM') return 'form';
  const own = rows.find(({ name }) => name.toLowerCase() === 'content-type');
  return !own || (!own.kept && /^application\/(?:[\w.+-]+\+)?json\b/i.test(own.value)) ? 'json' : 'any';
}
