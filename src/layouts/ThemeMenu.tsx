import { Monitor, Moon, Sun } from 'lucide-react';
import { usePreference } from '../hooks/use-preference.ts';
import { type Theme, theme } from '../stores/theme.ts';
import { IconButton } from '../ui/controls/IconButton.tsx';
import { Menu } from '../ui/overlays/Menu.tsx';
import { MenuChoice } from '../ui/overlays/MenuItem.tsx';

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'System' },
];
const ICONS = { light: Sun, dark: Moon, system: Monitor } as const;

/** The theme menu: light, dark or system. */
export default function ThemeMenu() {
  const [chosen, setChosen] = usePreference(theme);
  return (
    <Menu
      label="Theme"
      align="end"
      trigger={(trigger) => <IconButton {...trigger} icon={ICONS[chosen]} label="Theme" />}
    >
      {THEMES.map(({ value, label }) => (
        <MenuChoice key={value} checked={value === chosen} onSelect={() => setChosen(value)}>
          {label}
        </MenuChoice>
      ))}
    </Menu>
  );
}
