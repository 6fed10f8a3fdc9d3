import { useInfiniteQuery } from '@tanstack/react-query';
import { GitCompare } from 'lucide-react';
import { useNavigate } from 'react-router';
import type { Run } from '../../../api/entities.ts';
import { runsQuery } from '../../../components/runs/run-query.ts';
import { usePreference } from '../../../hooks/use-preference.ts';
import { formatAbsolute, formatClock, sentenceCase, type TimeZone } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { timeZone } from '../../../stores/time-zone.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Menu } from '../../../ui/overlays/Menu.tsx';
import { MenuItem } from '../../../ui/overlays/MenuItem.tsx';

const OFFERED = 12;
const PATH_MAX = 20;

/** Times of another day include the date. */
function timeOf({ created_at }: Pick<Run, 'created_at'>, zone: TimeZone): string {
  const at = new Date(created_at);
  const day = formatAbsolute(at, zone).slice(0, 10);
  const clock = formatClock(at, zone);
  return day === formatAbsolute(new Date(), zone).slice(0, 10) ? clock : `${day.slice(5)} ${clock}`;
}

/** A menu of the function's latest runs to compare with this one. */
export function CompareWith({ run }: { run: Run }) {
  const { function_id, run_id } = run;
  const [zone] = usePreference(timeZone);
  const navigate = useNavigate();
  const { data } = useInfiniteQuery(runsQuery({}, function_id));
  const others = (data?.pages[0]?.runs ?? []).filter((other) => other.run_id !== run_id).slice(0, OFFERED);
  if (others.length === 0) return null;
  return (
    <Menu
      label="Compare with a run"
      trigger={(trigger) => (
        <Button icon={GitCompare} {...trigger}>
          Compare with…
        </Button>
      )}
    >
      {others.map((other) => (
        <MenuItem key={other.run_id} onSelect={() => void navigate(path.runCompare(function_id, run_id, other.run_id))}>
          {timeOf(other, zone)} {other.status === 'OK' ? 'OK' : sentenceCase(other.status)}{' '}
          {other.response_status ?? ''} v{other.version}{' '}
          <span className="data text-fg-3">
            {other.method} {other.path.length > PATH_MAX ? `${other.path.slice(0, PATH_MAX)}…` : other.path}
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}
