import type { ReactNode } from 'react';
import { Menu } from '../overlays/Menu.tsx';
import { MenuChoice } from '../overlays/MenuItem.tsx';
import { AddFilter, FilterChip } from './FilterChip.tsx';
import type { SelectOption } from './Select.tsx';

export interface FilterMenuProps {
  name: string;
  options: readonly (SelectOption & { readonly note?: ReactNode })[];
  /** The chosen option's value; undefined is not set. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  mono?: boolean | undefined;
}

/** A filter with a few choices: dashed until one is chosen, then name | value | ×. */
export function FilterMenu({ name, options, value, onChange, mono = false }: FilterMenuProps) {
  const chosen = options.find((option) => option.value === value);
  return (
    <Menu
      label={name}
      trigger={(trigger) =>
        value === undefined ? (
          <AddFilter {...trigger} name={name} />
        ) : (
          <FilterChip
            name={name}
            value={chosen?.label ?? value}
            onClear={() => onChange(undefined)}
            trigger={trigger}
          />
        )
      }
    >
      {options.map((option) => (
        <MenuChoice
          key={option.value}
          mono={mono}
          note={option.note}
          checked={option.value === value}
          onSelect={() => onChange(option.value)}
        >
          {option.label}
        </MenuChoice>
      ))}
    </Menu>
  );
}
