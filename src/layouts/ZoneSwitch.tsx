import { usePreference } from '../hooks/use-preference.ts';
import { timeZone } from '../stores/time-zone.ts';
import { SegmentedControl } from '../ui/controls/SegmentedControl.tsx';

/** Such as Europe/Berlin. */
const { timeZone: zoneName } = Intl.DateTimeFormat().resolvedOptions();
const ZONES = [
  { value: 'utc', label: 'UTC' },
  { value: 'local', label: 'Local', title: zoneName },
] as const;

/** The switch between UTC and local time. */
export function ZoneSwitch() {
  const [zone, setZone] = usePreference(timeZone);
  return <SegmentedControl label="Time zone" size="sm" options={ZONES} value={zone} onChange={setZone} />;
}
