import { useQuery } from '@tanstack/react-query';
import { Braces, ChevronDown, Plus } from 'lucide-react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { DESTINATION_METHODS } from '../../../../../contract/states.ts';
import { isConnectionUrl } from '../../../../../contract/text/connection-url.ts';
import { isMailUrl, partsOfMailUrl, writeMailUrl } from '../../../../../contract/text/mail-url.ts';
import { hasPlaceholders } from '../../../../../contract/text/url-template.ts';
import type { HostedFunction } from '../../../../api/entities.ts';
import { Link } from '../../../../components/Link.tsx';
import { SelectField, TextField } from '../../../../forms/fields.tsx';
import { path } from '../../../../lib/path.ts';
import { Button } from '../../../../ui/controls/Button.tsx';
import { Field } from '../../../../ui/controls/Field.tsx';
import { TextInput } from '../../../../ui/controls/TextInput.tsx';
import { Menu } from '../../../../ui/overlays/Menu.tsx';
import { MenuHead, MenuItem, MenuLink } from '../../../../ui/overlays/MenuItem.tsx';
import { functionsQuery } from '../../trigger-queries.ts';
import { ConnectionFields, ConnectionMenu } from './ConnectionFields.tsx';
import { renderedUrl, type TemplateEvent } from './template-text.ts';

const METHODS = DESTINATION_METHODS.map((value) => ({ value, label: value }));

export interface DestinationFieldsProps<In extends FieldValues, Out> {
  readonly control: Control<In, unknown, Out>;
  /** Path of the destination in the form: `destinations.0.`; empty if the form is the destination. */
  readonly at: string;
  /** Whether the destination exists: its name is no longer derived from the URL. */
  readonly named?: boolean | undefined;
  readonly readOnly?: boolean | undefined;
}

/**
 * Method, URL and name in one row; own functions and connections are offered by name. An email has a subject, and no
 * method. A connected app has a connection and a path instead of the URL.
 */
export function AddressFields<In extends FieldValues, Out>({
  control,
  at,
  named = false,
  readOnly,
  events = [],
}: DestinationFieldsProps<In, Out> & { readonly events?: readonly TemplateEvent[] }) {
  const name = (field: string) => `${at}${field}` as FieldPath<In>;
  const functions = useQuery(functionsQuery).data?.functions ?? [];
  const url = useController({ control, name: name('url') }).field;
  const title = useController({ control, name: name('name') }).field;
  const isMail = isMailUrl(String(url.value));
  const isConnection = isConnectionUrl(String(url.value));
  const own = functions.find((fn) => sameAddress(fn.url, String(url.value)));
  const choose = (fn: HostedFunction) => {
    url.onChange(fn.url);
    if (title.value === '' || functions.some((other) => other.name === title.value)) title.onChange(fn.name);
  };
  return (
    <div className="flex flex-wrap items-start gap-x-2 gap-y-3">
      {isMail ? null : (
        <SelectField
          control={control}
          name={name('method')}
          label="Method"
          options={METHODS}
          mono
          disabled={readOnly}
          className="w-24"
        />
      )}
      {isConnection ? null : (
        <TextField
          control={control}
          name={name('url')}
          label="URL"
          mono
          readOnly={readOnly}
          placeholder="https:// or mailto:"
          inputMode="url"
          className="min-w-52 flex-1 basis-64"
          aside={
            readOnly ? undefined : (
              <span className="flex flex-wrap">
                <FunctionMenu functions={functions} onChoose={choose} />
                <ConnectionMenu onChoose={url.onChange} />
              </span>
            )
          }
          help={helpOf(own, isMail) ?? previewOf(String(url.value), events[0])}
        />
      )}
      <TextField
        control={control}
        name={name('name')}
        label="Name"
        optional={!named}
        readOnly={readOnly}
        placeholder={named ? undefined : isConnection ? 'from the connection' : 'from the URL'}
        className="min-w-32 flex-1 basis-32"
      />
      {isConnection ? <ConnectionFields control={control} at={at} readOnly={readOnly} events={events} /> : null}
      {isMail ? <SubjectField url={String(url.value)} onChange={url.onChange} readOnly={readOnly} /> : null}
    </div>
  );
}

function helpOf(own: HostedFunction | undefined, isMail: boolean): string | undefined {
  if (own) return `Your function ${own.name}: each delivery runs it, and the attempt links to the run.`;
  return isMail ? 'Up to 20 addresses, separated by commas. The mail server of this installation sends it.' : undefined;
}

/** The URL that the newest event would be sent to, if it has placeholders. */
function previewOf(url: string, event: TemplateEvent | undefined): string | undefined {
  if (!event || !hasPlaceholders(url)) return undefined;
  const made = renderedUrl(url, event);
  return made.ok ? `For the newest event: ${made.body}` : made.message;
}

interface SubjectFieldProps {
  readonly url: string;
  readonly onChange: (url: string) => void;
  readonly readOnly: boolean | undefined;
}

/** The subject, which is part of the URL. */
function SubjectField({ url, onChange, readOnly }: SubjectFieldProps) {
  const { addresses, subject } = partsOfMailUrl(url);
  return (
    <Field
      label="Subject"
      optional
      className="w-full"
      help="A template in one line. The default is the event’s title or type."
    >
      <TextInput
        mono
        value={subject}
        readOnly={readOnly}
        placeholder="{{ message.title }}"
        onChange={({ target }) => onChange(writeMailUrl(addresses, target.value))}
      />
    </Field>
  );
}

/** A trailing slash of an empty path does not change the URL. */
function sameAddress(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}

interface FunctionMenuProps {
  readonly functions: readonly HostedFunction[];
  readonly onChoose: (fn: HostedFunction) => void;
}

function FunctionMenu({ functions, onChoose }: FunctionMenuProps) {
  return (
    <Menu
      label="Own functions"
      align="end"
      trigger={(opener) => (
        <Button {...opener} size="sm" variant="ghost" className="-my-1">
          Own function
          <ChevronDown size={12} aria-hidden />
        </Button>
      )}
    >
      {functions.length === 0 ? <MenuHead>No functions yet</MenuHead> : null}
      {functions.map((fn) => (
        <MenuItem key={fn.function_id} icon={Braces} onSelect={() => onChoose(fn)}>
          {fn.name}
        </MenuItem>
      ))}
      <MenuLink icon={Plus} render={<Link to={path.functionNew()} />}>
        New function
      </MenuLink>
    </Menu>
  );
}
