import type { FieldPath, FieldValues } from 'react-hook-form';
import { useWatch } from 'react-hook-form';
import { isMailUrl } from '../../../../contract/text/mail-url.ts';
import { AddressFields, type DestinationFieldsProps } from './fields/AddressFields.tsx';
import { FilterField } from './fields/FilterField.tsx';
import { BodyFields, ForwardHeadersField } from './fields/ForwardFields.tsx';
import { HeadersField } from './fields/HeadersField.tsx';
import { OrderFields } from './fields/OrderFields.tsx';
import { PaceFields } from './fields/PaceFields.tsx';
import { RetryField } from './fields/RetryField.tsx';
import type { TemplateEvent } from './fields/template-text.ts';

export interface DestinationFormProps<In extends FieldValues, Out> extends DestinationFieldsProps<In, Out> {
  readonly events: readonly TemplateEvent[];
  /** The trigger whose past events test the filter; undefined while the trigger is being created. */
  readonly triggerId: string | undefined;
}

/** All settings of a destination. */
export function DestinationFields<In extends FieldValues, Out>(props: DestinationFormProps<In, Out>) {
  return (
    <>
      <AddressFields {...props} />
      <OwnHeaders {...props} />
      <MessageFields {...props} />
    </>
  );
}

/** The headers of requests; an email has none. */
export function OwnHeaders<In extends FieldValues, Out>(props: DestinationFieldsProps<In, Out>) {
  const url = useWatch({ control: props.control, name: `${props.at}url` as FieldPath<In> });
  return isMailUrl(String(url)) ? null : <HeadersField {...props} />;
}

/** Body template, filter, retry schedule, limits and order. */
export function MessageFields<In extends FieldValues, Out>(props: DestinationFormProps<In, Out>) {
  const { control, at, events, triggerId } = props;
  const [method, url] = useWatch({ control, name: [`${at}method`, `${at}url`] as FieldPath<In>[] });
  return (
    <>
      {method === 'GET' && !isMailUrl(String(url)) ? (
        <p className="text-12 text-fg-3">GET requests have no body, so the output of the template is not sent.</p>
      ) : null}
      <BodyFields {...props} />
      <ForwardHeadersField {...props} />
      <FilterField
        {...props}
        payload={events[0]?.payload}
        triggerId={triggerId}
        help="Only events whose payload matches are sent here; the others are marked Skipped."
      />
      <RetryField {...props} />
      <PaceFields {...props} />
      <OrderFields {...props} />
    </>
  );
}
