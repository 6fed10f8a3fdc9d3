import type { DryRun } from '../../api/entities.ts';
import { prettyJson } from '../../ui/code/json-nodes.ts';
import { cx } from '../../ui/cx.ts';
import { scrollRegion } from '../../ui/scroll-region.ts';
import { type DiffRow, diffLines } from './line-diff.ts';

type Item = Pick<DryRun['items'][number], 'last' | 'next' | 'destination_name'>;
type Message = NonNullable<Item['next']>;

/** Headers that differ in every message. */
const EACH_TIME = new Set(['webhook-timestamp', 'webhook-signature']);
const NOTHING = '';

const line = (message: Message | null) => (message ? `${message.method} ${message.url}` : NOTHING);
const body = (message: Message | null) => (message?.body ? prettyJson(message.body) : NOTHING);

/** The rows of the headers, in the order they are sent. */
function headerRows(last: Message | null, next: Message | null): readonly DiffRow[] {
  const names = new Set([...Object.keys(last?.headers ?? {}), ...Object.keys(next?.headers ?? {})]);
  const written = (message: Message | null, name: string) => {
    const value = message?.headers[name];
    if (value === undefined) return undefined;
    return EACH_TIME.has(name.toLowerCase()) ? `${name}: (new each time)` : `${name}: ${value}`;
  };
  return [...names].map((name) => {
    const [left, right] = [written(last, name), written(next, name)];
    return { left, right, same: left === right };
  });
}

/** The number of differing lines; undefined if one side is missing. */
export function differencesOf({ last, next }: Item): number | undefined {
  if (!last || !next) return undefined;
  const rows = [...diffLines(line(last), line(next)), ...headerRows(last, next), ...diffLines(body(last), body(next))];
  return rows.filter(({ same }) => !same).length;
}

interface MessageDiffProps {
  readonly item: Item;
  readonly titles?: readonly [string, string];
}

const TITLES = ['Last request', 'Next request'] as const;

/** A diff of the last and the next request: URL, headers, body. */
export function MessageDiff({ item: { last, next, destination_name }, titles = TITLES }: MessageDiffProps) {
  const parts = [
    { name: 'URL', rows: diffLines(line(last), line(next)) },
    { name: 'Headers', rows: headerRows(last, next) },
    { name: 'Body', rows: diffLines(body(last), body(next)) },
  ].filter(({ rows }) => rows.length > 0);
  return (
    <div
      {...scrollRegion(`Last and next request to ${destination_name}`)}
      className="max-h-96 overflow-auto rounded border border-line bg-sunken focus-visible:-outline-offset-2"
    >
      <table className="w-full table-fixed text-12/5">
        <thead className="sticky top-0 bg-sunken text-left text-fg-3">
          <tr className="border-b border-line">
            <th scope="col" className="px-2 py-1 font-medium">
              {titles[0]}
            </th>
            <th scope="col" className="border-l border-line px-2 py-1 font-medium">
              {titles[1]}
            </th>
          </tr>
        </thead>
        {parts.map(({ name, rows }) => (
          <tbody key={name} className="border-b border-line last:border-b-0">
            <tr className="text-fg-3">
              <th scope="rowgroup" colSpan={2} className="px-2 pt-1 text-left font-medium">
                {name}
              </th>
            </tr>
            {rows.map((row, index) => (
              // lines are never reordered
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <tr key={index} className="align-top">
                <Side text={row.left} same={row.same} tone="bg-bad-bg" word="was: " />
                <Side text={row.right} same={row.same} tone="bg-ok-bg" word="now: " edge />
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

interface SideProps {
  readonly text: string | undefined;
  readonly same: boolean;
  readonly tone: string;
  readonly word: string;
  readonly edge?: boolean;
}

function Side({ text, same, tone, word, edge = false }: SideProps) {
  return (
    <td
      className={cx(
        'data px-2 wrap-anywhere whitespace-pre-wrap',
        edge && 'border-l border-line',
        !same && text !== undefined && tone,
        same && 'text-fg-2',
      )}
    >
      {!same && text !== undefined ? <span className="sr-only">{word}</span> : null}
      {text}
    </td>
  );
}
