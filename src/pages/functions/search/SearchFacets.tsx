import { useState } from 'react';
import type { Visibility } from '../../../../contract/states.ts';
import type { SearchReply } from '../../../api/entities.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { Checkbox } from '../../../ui/controls/Checkbox.tsx';
import { Switch } from '../../../ui/controls/Switch.tsx';
import { cx } from '../../../ui/cx.ts';
import { VISIBILITY } from '../function-queries.ts';
import { facetsOf, toggled } from './facets.ts';
import { type SearchState, useSearchState } from './search-state.ts';

interface SearchFacetsProps {
  state: SearchState;
  reply: SearchReply | undefined;
}

/** The search filters. Selected filters are written into the query, where they can be read, edited and copied. */
export function SearchFacets({ state, reply }: SearchFacetsProps) {
  const [, set] = useSearchState();
  const functions = reply?.functions ?? [];
  const inCode = reply !== undefined && reply.mode !== 'ranked';
  const isMore = { functions: reply?.truncated === true, hits: reply !== undefined && !isWhole(reply) };
  return (
    <>
      {reply && functions.length > 0 && isMore.hits ? <p className="text-12 text-fg-3">{countedWords(reply)}</p> : null}
      {facetsOf(functions, state.asked, state.owner === 'ALL', reply?.facets).map(
        ({ label, name, counted, options }) => (
          <Choices key={label} label={label} chosen={options.some((option) => option.chosen)}>
            {options.map(({ value, count, chosen }) => (
              <Choice
                key={value}
                mono={name !== 'owner'}
                chosen={chosen}
                words={value}
                count={count}
                counted={counted}
                isMore={isMore[counted]}
                onChange={() => set({ q: toggled(state.asked, name, value), limit: undefined })}
              />
            ))}
          </Choices>
        ),
      )}
      {state.owner === 'SELF' ? <Visibilities state={state} functions={functions} isMore={isMore.functions} /> : null}
      {inCode ? (
        <div className="grid gap-1">
          <Switch
            label="All versions"
            checked={state.history}
            onChange={(event) => set({ history: event.target.checked ? 'on' : undefined })}
          />
          <p className="text-12 text-fg-3">
            {state.history
              ? 'Each hit shows the versions that contain it.'
              : 'Searches past versions too; each hit shows which versions contain it.'}
          </p>
        </div>
      ) : null}
    </>
  );
}

/** Whether the response contains every hit. */
const isWhole = ({ truncated, functions }: SearchReply) =>
  !truncated && functions.every(({ hit_count, hits }) => hit_count === hits.length);

function countedWords({ mode, functions }: SearchReply): string {
  const hits = functions.reduce((sum, each) => sum + each.hits.length, 0);
  const inCode = mode === 'ranked' ? '' : ` and ${plural(hits, 'hit')}`;
  return `A + means there may be more: counts cover the first ${plural(functions.length, 'function')}${inCode}. Selecting one searches them all.`;
}

interface VisibilitiesProps {
  state: SearchState;
  functions: SearchReply['functions'];
  isMore: boolean;
}

function Visibilities({ state, functions, isMore }: VisibilitiesProps) {
  const [, set] = useSearchState();
  const counts = new Map<Visibility, number>();
  for (const { visibility } of functions) counts.set(visibility, (counts.get(visibility) ?? 0) + 1);
  const shown = (Object.keys(VISIBILITY) as Visibility[]).filter(
    (each) => counts.has(each) || each === state.visibility,
  );
  if (shown.length === 0) return null;
  return (
    <Choices label="Visibility" chosen={state.visibility !== undefined}>
      {shown.map((each) => (
        <Choice
          key={each}
          chosen={each === state.visibility}
          words={VISIBILITY[each].word}
          count={counts.get(each) ?? 0}
          counted="functions"
          isMore={isMore}
          onChange={() => set({ visibility: each === state.visibility ? undefined : each })}
        />
      ))}
    </Choices>
  );
}

/** Where not all filters fit, those without a choice start closed. */
const isLow = () => matchMedia('(height < 640px)').matches;

function Choices({ label, chosen, children }: { label: string; chosen: boolean; children: React.ReactNode }) {
  const [open] = useState(() => chosen || !isLow());
  return (
    <details open={open}>
      <summary className="mb-1 cursor-pointer text-12 font-medium text-fg-2">{label}</summary>
      <fieldset aria-label={label} className="grid min-w-0 gap-0.5">
        {children}
      </fieldset>
    </details>
  );
}

interface ChoiceProps {
  words: string;
  count: number;
  counted: 'functions' | 'hits';
  /** Counted over a part of the results. */
  isMore: boolean;
  chosen: boolean;
  onChange: () => void;
  mono?: boolean;
}

function Choice({ words, count, counted, isMore, chosen, onChange, mono = false }: ChoiceProps) {
  return (
    <div className="flex min-w-0 items-center gap-2">
      <Checkbox
        className="min-w-0 flex-1"
        checked={chosen}
        onChange={onChange}
        label={
          <span className={cx('line-clamp-2 wrap-anywhere', mono ? 'data' : 'text-12')} title={words}>
            <bdi>{words}</bdi>
          </span>
        }
      />
      {/* a chosen value such as fetch* has no count */}
      {count > 0 ? (
        <span
          className="flex-none text-12 text-fg-3 tabular-nums"
          title={`${isMore ? 'At least ' : ''}${plural(count, counted.slice(0, -1))}`}
        >
          {formatCount(count)}
          {isMore ? '+' : null}
        </span>
      ) : null}
    </div>
  );
}
