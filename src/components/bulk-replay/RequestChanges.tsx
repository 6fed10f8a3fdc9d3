import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Destination } from '../../api/entities.ts';
import { q } from '../../api/queries.ts';
import { newestTriggersQuery } from '../../layouts/attention.ts';
import { Disclosure } from '../../ui/controls/Disclosure.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Select } from '../../ui/controls/Select.tsx';
import { TextArea } from '../../ui/controls/TextArea.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import type { ReplayChoice } from './replay-input.ts';

export interface RequestChangesProps {
  readonly destinationId: string;
  readonly choice: ReplayChoice;
  readonly onChange: (changes: Pick<ReplayChoice, 'template' | 'version'>) => void;
}

/** Another body template, or another version of the function, for the attempts of the replay only. */
export function RequestChanges(props: RequestChangesProps) {
  return (
    <Disclosure summary="Change the request">
      <Fields {...props} />
    </Disclosure>
  );
}

function Fields({ destinationId: destination_id, choice, onChange }: RequestChangesProps) {
  const triggers = useQuery(newestTriggersQuery).data?.triggers ?? [];
  const { trigger_id = '' } =
    triggers.find(({ destinations }) => destinations.some((each) => each.destination_id === destination_id)) ?? {};
  const found = useQuery({
    ...q('destinationGet', { params: { trigger_id, destination_id } }),
    enabled: trigger_id !== '',
  });
  const functions = useQuery(q('functionList', { query: { limit: 200 } })).data?.functions ?? [];
  if (found.error)
    return (
      <ErrorState
        title="The destination could not be loaded"
        detail={found.error.message}
        onRetry={() => void found.refetch()}
      />
    );
  if (!found.data) return <SkeletonLines lines={3} label="Loading the destination" />;
  const { destination } = found.data;
  const origin = new URL(destination.url).origin;
  const called = functions.find(({ url }) => new URL(url).origin === origin);
  return (
    <div className="grid gap-3">
      {called ? (
        <VersionField
          functionId={called.function_id}
          version={choice.version}
          onChange={(version) => onChange({ template: choice.template, version })}
        />
      ) : null}
      <TemplateField
        key={destination_id}
        destination={destination}
        template={choice.template}
        onChange={(template) => onChange({ template, version: choice.version })}
      />
    </div>
  );
}

interface VersionFieldProps {
  readonly functionId: string;
  readonly version: string;
  readonly onChange: (version: string) => void;
}

function VersionField({ functionId: function_id, version, onChange }: VersionFieldProps) {
  const { data } = useQuery(q('versionList', { params: { function_id }, query: { limit: 50 } }));
  const options = (data?.versions ?? []).map((each) => ({ value: String(each.version), label: `v${each.version}` }));
  return (
    <Field label="Function version">
      <Select
        value={version}
        placeholder="The live version"
        options={options}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
}

interface TemplateFieldProps {
  readonly destination: Destination;
  readonly template: string;
  readonly onChange: (template: string) => void;
}

/** Each dry run is a request, so the template is applied when the field loses the focus. */
function TemplateField({ destination, template, onChange }: TemplateFieldProps) {
  const stored = destination.body_template ?? '';
  const [text, setText] = useState(template === '' ? stored : template);
  if (destination.body_source === 'ORIGINAL')
    return (
      <p className="text-12 text-fg-3">
        The destination sends the original body, so the replay cannot have a body template.
      </p>
    );
  return (
    <Field
      label="Body template"
      help="For this replay only. Leave the field to update the dry run."
      optional={stored === ''}
    >
      <TextArea
        mono
        rows={4}
        value={text}
        placeholder={'{ "due": {{ payload.data.amount_due }} }'}
        onChange={({ target }) => setText(target.value)}
        onBlur={() => onChange(text === stored ? '' : text)}
      />
    </Field>
  );
}
