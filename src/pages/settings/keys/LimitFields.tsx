import { useQuery } from '@tanstack/react-query';
import { type Control, useController, useWatch } from 'react-hook-form';
import { q } from '../../../api/queries.ts';
import { CheckboxField, RadioCardsField, SelectField, TextAreaField } from '../../../forms/fields.tsx';
import { sentenceCase } from '../../../lib/format.ts';
import { Checkbox } from '../../../ui/controls/Checkbox.tsx';
import { GROUPS, type KeyValues } from './key-form.ts';
import { RULE_EXAMPLE } from './rule-lines.ts';

const ACCESS = [
  {
    value: 'FULL',
    title: 'Full access',
    description: 'All operations, apps and functions, with the rights of an admin.',
  },
  { value: 'LIMITED', title: 'Limited', description: 'Only the chosen permissions. It can’t manage API keys.' },
] as const;
const HELP: Record<(typeof GROUPS)[number], string> = {
  connections: 'Apps, connections and their calls log.',
  triggers: 'Triggers, destinations and rejected requests.',
  events: 'Events, deliveries, replays and exports.',
  functions: 'Functions, their code, variables, runs and logs.',
  settings: 'Account, members, API keys and the audit log.',
};
const LEVELS = [
  { value: 'none', label: 'No access' },
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Read and write' },
];

type Controlled = { readonly control: Control<KeyValues> };

/** What a key may use: full access, or permissions with further limits; and from where. */
export function LimitFields({ control }: Controlled) {
  const [access, functions, invoke, calls] = useWatch({ control, name: ['access', 'functions', 'invoke', 'calls'] });
  return (
    <>
      <RadioCardsField control={control} name="access" label="Access" options={ACCESS} />
      {access === 'LIMITED' ? (
        <fieldset className="grid gap-3">
          <legend className="mb-2 text-13 font-medium">Permissions</legend>
          <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
            {GROUPS.map((group) => (
              <SelectField
                key={group}
                control={control}
                name={group}
                label={sentenceCase(group)}
                help={HELP[group]}
                options={group === 'settings' ? LEVELS.slice(0, 2) : LEVELS}
              />
            ))}
          </div>
          <CheckboxField
            control={control}
            name="invoke"
            label="Invoke functions"
            help="Calls the URL of functions that need a key, and runs functions through the API."
          />
          {invoke || functions !== 'none' ? <FunctionsField control={control} /> : null}
          <CheckboxField
            control={control}
            name="calls"
            label="Call apps through the gateway"
            help="With the credentials of this account’s connections."
          />
          {calls ? (
            <TextAreaField
              control={control}
              name="gateway"
              label="Permitted calls"
              optional
              rows={3}
              mono
              placeholder={RULE_EXAMPLE}
              help={`Empty: all calls. Otherwise one rule a line, with methods, app and path: ${RULE_EXAMPLE}. ANY stands for all methods, * for one part of a path, ** at the end for the rest.`}
            />
          ) : null}
        </fieldset>
      ) : null}
      <TextAreaField
        control={control}
        name="ip_ranges"
        label="Permitted IP addresses"
        optional
        rows={2}
        mono
        placeholder="203.0.113.0/24"
        help="Empty: all. Otherwise addresses or CIDR ranges, one a line. A key with ranges can’t manage API keys."
      />
    </>
  );
}

const functionsQuery = q('functionList', { query: { limit: 200 } });

/** The functions that the key may use; none selected: all. */
function FunctionsField({ control }: Controlled) {
  const { field } = useController({ control, name: 'function_ids' });
  const { data, error } = useQuery(functionsQuery);
  const functions = data?.functions ?? [];
  const toggle = (id: string, selected: boolean) =>
    field.onChange(selected ? [...field.value, id] : field.value.filter((each) => each !== id));
  return (
    <fieldset>
      <legend className="mb-1 text-12 font-medium text-fg-2">
        Functions <span className="font-normal text-fg-3">– none selected: all</span>
      </legend>
      {error ? <p className="text-12 text-bad-fg">The functions could not be loaded.</p> : null}
      {data && functions.length === 0 ? <p className="text-12 text-fg-3">This account has no functions.</p> : null}
      {functions.length > 0 ? (
        <div className="grid max-h-40 gap-1 overflow-y-auto rounded border border-line px-3 py-1.5">
          {functions.map(({ function_id, name }) => (
            <Checkbox
              key={function_id}
              label={<span className="wrap-anywhere">{name}</span>}
              checked={field.value.includes(function_id)}
              onChange={(event) => toggle(function_id, event.target.checked)}
            />
          ))}
        </div>
      ) : null}
    </fieldset>
  );
}
