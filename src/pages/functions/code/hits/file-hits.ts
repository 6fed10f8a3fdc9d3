/** The hits of a search in the files of one function: the service returns the lines, so that both agree on them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isCaseSensitive, readQuery } from '../../../../../contract/search/search-query.ts';
import type { HostedFunction } from '../../../../api/entities.ts';
import { q } from '../../../../api/queries.ts';
import type { FindText } from '../../../../editor/editor-hits.ts';
import { type Marker, useMarker } from '../../../../lib/search-marks.ts';
import type { Files } from '../draft.ts';
import { byFolder } from '../file-order.ts';
import { findTextOf } from './find-text.ts';

export type FileHit = { readonly file: string; readonly line: number; readonly endLine?: number | undefined };

export interface FileHits {
  /** The query as typed. */
  readonly query: string;
  /** In the order of the file tree, then by line. */
  readonly hits: readonly FileHit[];
  /** The number of all hits, of which very many are not listed. */
  readonly count: number;
  readonly marker: Marker;
  /** The query for the find widget; undefined if the widget cannot express it. */
  readonly find: FindText | undefined;
  /** Why there are no hits to show. */
  readonly failure: string | undefined;
}

interface Opened {
  fn: HostedFunction;
  own: boolean;
  version: number | undefined;
  query: string;
  choice: string;
}

/** The hits of the query in the URL. Undefined without a query, or until they are loaded. */
export function useFileHits({ fn, own, version, query, choice }: Opened): FileHits | undefined {
  const read = useMemo(() => readQuery(query), [query]);
  const isCode = read.mode !== 'ranked' && read.query !== '';
  const caseChoice = choice === 'yes' || choice === 'no' ? choice : 'auto';
  const sensitive = isCaseSensitive(read, caseChoice);
  const { function_id } = fn;
  const owner = own ? undefined : ('ALL' as const);
  const { data, error } = useQuery({
    ...q('functionSearch', { query: { q: query, owner, case: caseChoice, function_id, version, limit: 1 } }),
    enabled: isCode && version !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const marker = useMarker(read, caseChoice);
  return useMemo(() => {
    if (!isCode || (!data && !error)) return undefined;
    const found = data?.functions[0];
    const hits = (found?.hits ?? [])
      .map(({ path, line, end_line: endLine }) => ({ file: path, line, endLine }))
      .sort((a, b) => byFolder(a.file, b.file) || a.line - b.line);
    const failure = data ? undefined : 'The hits could not be loaded';
    return { query, hits, count: found?.hit_count ?? 0, marker, find: findTextOf(read, sensitive), failure };
  }, [isCode, data, error, query, marker, read, sensitive]);
}

/** Only the hits in files that have no unsaved changes: in the others, lines may have moved. */
export function hitsOfUnchanged(hits: FileHits | undefined, saved: Files, files: Files): FileHits | undefined {
  if (!hits || saved === files) return hits;
  const kept = hits.hits.filter(({ file }) => saved[file] === files[file]);
  return { ...hits, hits: kept, count: hits.count - (hits.hits.length - kept.length) };
}

/** The number of hits by file. */
export function countHits(hits: readonly FileHit[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { file } of hits) counts.set(file, (counts.get(file) ?? 0) + 1);
  return counts;
}

/** The next or the previous hit, seen from a place in a file; after the last one comes the first. */
export function stepFrom(hits: readonly FileHit[], place: Partial<FileHit>, by: 1 | -1): FileHit | undefined {
  const { file = hits[0]?.file ?? '', line = 0 } = place;
  const isAfter = (hit: FileHit) => (byFolder(hit.file, file) || hit.line - line) > 0;
  const isBefore = (hit: FileHit) => (byFolder(hit.file, file) || hit.line - line) < 0;
  return by === 1 ? (hits.find(isAfter) ?? hits[0]) : (hits.findLast(isBefore) ?? hits.at(-1));
}
