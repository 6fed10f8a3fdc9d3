import type { HostedFunction } from '../../../api/entities.ts';
import type { Reply } from '../../../api/operation.ts';
import { Link } from '../../../components/Link.tsx';
import { plural } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';

type Changes = NonNullable<Reply<'functionTrust'>['trust']['changes']>;

const PARTS = [
  ['env', 'variable'],
  ['hosts', 'host'],
  ['apps', 'app'],
  ['packages', 'package'],
] as const;

/** Changes since the version that was last viewed. */
export function TrustChanges({ fn, version, changes }: { fn: HostedFunction; version: number; changes: Changes }) {
  const said = PARTS.flatMap(([part, noun]) => [
    ...changes[part].added.map((name) => ({ sign: '+', words: `New ${noun}`, name })),
    ...changes[part].removed.map((name) => ({ sign: '−', words: `Removed ${noun}`, name })),
  ]);
  return (
    <section className="grid gap-1 rounded border border-accent-line bg-accent-soft px-2 py-1.5">
      <h3 className="text-12 font-medium text-fg">Since version {changes.since}, the last one you viewed</h3>
      <ul className="text-12">
        {said.map(({ sign, words, name }) => (
          <li key={`${sign} ${words} ${name}`} className="wrap-anywhere">
            {words} <code className="data">{name}</code>
          </li>
        ))}
        {said.length === 0 ? <li>No changes to variables, hosts, apps or packages.</li> : null}
        <li>
          <Link className="link" to={path.functionDiff(fn.function_id, changes.since, version)}>
            {plural(changes.files.length, 'changed file')}
          </Link>
        </li>
      </ul>
    </section>
  );
}
