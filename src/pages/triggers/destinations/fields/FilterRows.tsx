import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { isScalar } from '../../../../../contract/event-filter.ts';
import { Button } from '../../../../ui/controls/Button.tsx';
import { IconButton } from '../../../../ui/controls/IconButton.tsx';
import { Select } from '../../../../ui/controls/Select.tsx';
import { TextInput } from '../../../../ui/controls/TextInput.tsx';
import { CONDITION_OPERATORS, type Condition, type ConditionOperator, NEW_CONDITION, takesOf } from './filter-rows.ts';
import type { PayloadLeaf } from './filter-text.ts';

export interface FilterRowsProps {
  readonly rows: readonly Condition[];
  /** The fields of a sample payload: suggested paths and example values. */
  readonly leaves: readonly PayloadLeaf[];
  readonly readOnly: boolean;
  readonly onChange: (rows: readonly Condition[]) => void;
}

/** Conditions that must all match, each a path, an operator and a value. */
export function FilterRows({ rows, leaves, readOnly, onChange }: FilterRowsProps) {
  const paths = useId();
  const change = (index: number, patch: Partial<Condition>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...patch } : row)));
  return (
    <>
      <datalist id={paths}>
        {leaves.map(({ path }) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      <ul className="grid gap-1.5">
        {rows.map((row, index) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their index, and keep their order
            key={index}
            row={row}
            number={index + 1}
            paths={paths}
            example={leaves.find(({ path }) => path === row.path)?.value}
            readOnly={readOnly}
            onChange={(patch) => change(index, patch)}
            onRemove={() => onChange(rows.filter((_, at) => at !== index))}
          />
        ))}
      </ul>
      {rows.length === 0 ? <p className="text-12 text-fg-3">Every event.</p> : null}
      {readOnly ? null : (
        <Button
          size="sm"
          icon={Plus}
          className="mt-1.5"
          onClick={() => onChange([...rows, { ...NEW_CONDITION, path: '' }])}
        >
          {rows.length === 0 ? 'Add condition' : 'And'}
        </Button>
      )}
    </>
  );
}

interface RowProps {
  readonly row: Condition;
  readonly number: number;
  readonly paths: string;
  readonly example: unknown;
  readonly readOnly: boolean;
  readonly onChange: (patch: Partial<Condition>) => void;
  readonly onRemove: () => void;
}

const PLACEHOLDERS = { value: '5000', text: 'a prefix or a suffix', list: 'open, closed', nothing: '' } as const;

function Row({ row: { path, operator, value }, number, paths, example, readOnly, onChange, onRemove }: RowProps) {
  const takes = takesOf(operator);
  const shown = isScalar(example) ? String(example ?? '').slice(0, 40) : '';
  return (
    <li className="grid grid-cols-[minmax(0,3fr)_128px_minmax(0,2fr)_auto] items-center gap-1.5 max-sm:grid-cols-[minmax(0,1fr)_auto]">
      <TextInput
        mono
        aria-label={`Path of condition ${number}`}
        placeholder="data.amount_due"
        list={paths}
        value={path}
        readOnly={readOnly}
        // only a new row has no path
        autoFocus={path === '' && !readOnly}
        onChange={({ target }) => onChange({ path: target.value })}
        className="max-sm:col-span-2"
      />
      <Select
        aria-label={`Operator of condition ${number}`}
        options={CONDITION_OPERATORS}
        value={operator}
        disabled={readOnly}
        onChange={({ target }) => onChange({ operator: target.value as ConditionOperator })}
        className="max-sm:col-span-2"
      />
      {takes === 'nothing' ? (
        <span />
      ) : (
        <TextInput
          mono
          aria-label={`Value of condition ${number}`}
          placeholder={shown || PLACEHOLDERS[takes]}
          value={value}
          readOnly={readOnly}
          onChange={({ target }) => onChange({ value: target.value })}
        />
      )}
      {readOnly ? null : <IconButton icon={X} label={`Remove condition ${number}`} onClick={onRemove} />}
    </li>
  );
}
