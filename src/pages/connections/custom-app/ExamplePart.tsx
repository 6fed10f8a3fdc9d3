import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import type { AuthMethod } from '../../../../contract/states.ts';
import { usePrefetchedQuery } from '../../../api/queries.ts';
import { METHOD_NAMES } from '../../../lib/method-names.ts';
import { CodeBlock } from '../../../ui/code/CodeBlock.tsx';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import { accountQuery } from '../connection-queries.ts';
import { exampleOf } from './example.ts';
import type { FormPart } from './form-control.ts';
import { type AppValues, usedOf } from './values.ts';

/** A preview of the request with the current values. */
export function ExamplePart({ control }: Pick<FormPart, 'control'>) {
  const values = useWatch({ control }) as AppValues;
  const { addresses } = usePrefetchedQuery(accountQuery).data.account;
  const [wanted, setWanted] = useState<AuthMethod>();
  const used = usedOf(values);
  const shown = used.find((method) => method === wanted) ?? used[0];
  if (!shown) return <p className="text-fg-2">Choose an authentication method to preview the request.</p>;
  const { call, before, request } = exampleOf(values, shown, addresses);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      {used.length > 1 ? (
        <div className="-m-1 overflow-x-auto p-1">
          <SegmentedControl
            label="Authentication method"
            size="sm"
            options={used.map((method) => ({ value: method, label: METHOD_NAMES[method] }))}
            value={shown}
            onChange={setWanted}
          />
        </div>
      ) : null}
      {before.map(({ title, code }) => (
        <div key={title} className="grid gap-1.5">
          <p className="text-12 text-fg-3">{title}</p>
          <CodeBlock label={title} code={code} wrap />
        </div>
      ))}
      <p className="text-12 text-fg-3">This call</p>
      <CodeBlock label="A call through the gateway" code={call} wrap />
      <p className="text-12 text-fg-3">is forwarded as</p>
      <CodeBlock label="Request to the app" code={request} wrap />
    </div>
  );
}
