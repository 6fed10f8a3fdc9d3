import type { ReactNode } from 'react';
import { Menu } from '../overlays/Menu.tsx';
import { MenuChoice } from '../overlays/MenuItem.tsx';
import { AddFilter, FilterChip } from './FilterChip.tsx';
import type { SelectOption } from './Select.tsx';

export interface FilterMenuProps {
  name: string;
  options: readonly (SelectOption & { readonly note?: ReactNode })[];
  /** The value of the selected option; undefined if the filter is inactive. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  mono?: boolean | undefined;
}

/** A filter with a few options: dashed until one is selected, then name | value | ×. */
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
