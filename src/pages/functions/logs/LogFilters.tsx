import { useInfiniteQuery } from '@tanstack/react-query';
import { Download, WrapText } from 'lucide-react';
import { memo } from 'react';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { FilterBar } from '../../../ui/controls/FilterBar.tsx';
import { FilterMenu } from '../../../ui/controls/FilterMenu.tsx';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { SearchInput } from '../../../ui/controls/SearchInput.tsx';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import { versionsQuery } from '../function-queries.ts';
import type { LogView } from './follow-log.ts';
import type { LogLine } from './log-buffer.ts';
import { asText, download } from './log-file.ts';

const SHOW = [
  { value: '', label: 'Filter' },
  { value: 'all', label: 'Highlight' },
] as const;
const TIMES = [
  { value: '', label: 'Absolute' },
  { value: 'relative', label: 'Relative' },
] as const;

const LEVELS = [
  { value: 'error', label: 'error' },
  { value: 'warn', label: 'warn, error' },
  { value: 'info', label: 'all but debug' },
] as const;

interface LogFiltersProps extends LogView {
  /** The function's versions. */
  readonly name: string;
  readonly typed: string;
  readonly mistaken: boolean;
  readonly setTyped: (pattern: string) => void;
  readonly relative: boolean;
  readonly wrap: boolean;
  readonly set: (patch: {
    show?: string;
    version?: string | undefined;
    level?: string | undefined;
    times?: string;
    wrap?: string | undefined;
  }) => void;
  readonly getLines: () => readonly LogLine[];
}

/** The filters and display options of the log. Not rendered again for each new line. */
export const LogFilters = memo(function LogFilters(props: LogFiltersProps) {
  const { functionId, filter_pattern, version, level, show, name } = props;
  const { typed, mistaken, setTyped, relative, wrap, set, getLines } = props;
  const { data: versionPages } = useInfiniteQuery(versionsQuery(functionId));
  const params = { function_id: functionId };
  const query = { filter_pattern, version, level, show };
  return (
    <FilterBar
      lead={
        <SearchInput
          label="Filter pattern"
          placeholder={'Words, ?any, -not, "a phrase", %regex%, { $.level = "error" }, [a, b]'}
          mono
          value={typed}
          onChange={setTyped}
          aria-invalid={mistaken || undefined}
          className="w-auto min-w-52 sm:min-w-36 sm:flex-1"
        />
      }
    >
      <SegmentedControl
        label="Lines that don’t match"
        size="sm"
        options={SHOW}
        value={show ?? ''}
        onChange={(next) => set({ show: next })}
      />
      <FilterMenu name="Level" options={LEVELS} value={level} onChange={(next) => set({ level: next })} />
      <FilterMenu
        name="Version"
        mono
        options={(versionPages?.pages ?? []).flatMap((page) =>
          page.versions.map(({ version: number }) => ({ value: String(number), label: `v${number}` })),
        )}
        value={version}
        onChange={(next) => set({ version: next })}
      />
      <SegmentedControl
        label="Times"
        size="sm"
        options={TIMES}
        value={relative ? 'relative' : ''}
        onChange={(times) => set({ times })}
      />
      <IconButton
        size="sm"
        icon={WrapText}
        label="Wrap long lines"
        aria-pressed={wrap}
        onClick={() => set({ wrap: wrap ? 'off' : 'on' })}
      />
      <CopyButton text={() => asText(getLines())} label="Copy the log lines" />
      <IconButton
        size="sm"
        icon={Download}
        label="Download the log lines"
        onClick={() => download(`${name}.log`, asText(getLines()))}
      />
      <CopyAsCurl size="sm" text={() => curlText('functionLogTail', { params, query })} what="follow this log" />
    </FilterBar>
  );
});
