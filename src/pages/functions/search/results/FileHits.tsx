import { FileCode } from 'lucide-react';
import { memo, useMemo } from 'react';
import type { SearchReply } from '../../../../api/entities.ts';
import { plural } from '../../../../lib/format.ts';
import { path } from '../../../../lib/path.ts';
import { type Marker, noMarks } from '../../../../lib/search-marks.ts';
import { FunctionTags } from '../../FunctionTags.tsx';
import { useNear } from '../../versions/use-near.ts';
import type { OpenedSearch } from '../search-state.ts';
import { CopiesList } from './CopiesList.tsx';
import { CARD, RESULTS } from './FunctionHits.tsx';
import { HitSnippets } from './HitSnippets.tsx';

interface FileHitsProps {
  found: SearchReply['functions'][number];
  file: string;
  /** The first file of its function, which lists the copies. */
  isFirstFile: boolean;
  marker: Marker;
  search: OpenedSearch;
  owned: boolean;
  /** One of the first results, which are visible before anything is measured. */
  first: boolean;
}

/** One file of the results: its function, then its hits. */
export const FileHits = memo(function FileHits(props: FileHitsProps) {
  const { found, file, isFirstFile, marker, search, owned, first } = props;
  const [isNear, watched] = useNear(RESULTS, first);
  const hits = useMemo(() => found.hits.filter((hit) => hit.path === file), [found.hits, file]);
  const isPart = found.hit_count > found.hits.length;
  const [{ line, last_version = found.version } = { line: 1 }] = hits;
  return (
    <li ref={watched} className={CARD}>
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
        <h2 className="flex min-w-0 items-center gap-x-3 text-13 font-medium tracking-normal">
          <FileCode size={14} strokeWidth={1.75} className="flex-none text-fg-3" aria-hidden />
          <a
            className="link data min-w-0 wrap-anywhere"
            data-found
            href={path.functionLine(found.function_id, { version: last_version, file, line, ...search })}
          >
            {file}
          </a>
        </h2>
        <a
          className="link min-w-0 truncate text-12"
          data-found
          title={found.name}
          href={path.function(found.function_id)}
        >
          {found.name}
        </a>
        <FunctionTags fn={found} />
        {owned ? null : <span className="min-w-0 truncate text-12 text-fg-3">{found.account_name}</span>}
        <span className="ml-auto text-12 text-fg-3">
          {plural(hits.length, 'hit')}
          {isPart ? ' or more' : null}
        </span>
      </div>
      <HitSnippets
        found={found}
        hits={hits}
        file={file}
        marker={isNear ? marker : noMarks}
        search={search}
        drawn={isNear}
      />
      {found.copies && isFirstFile ? (
        <CopiesList function_id={found.function_id} name={found.name} copies={found.copies} owned={owned} />
      ) : null}
    </li>
  );
});
