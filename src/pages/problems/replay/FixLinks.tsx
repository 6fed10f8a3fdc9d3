import { FAILING_PART } from '../../../../contract/problems/failing-part.ts';
import type { ProblemDetail } from '../../../api/entities.ts';
import { Link } from '../../../components/Link.tsx';
import { path } from '../../../lib/path.ts';

type Fix = { readonly text: string; readonly to: string };

const FIXES_SHOWN = 6;

/** Where the cause can be fixed: links to the resources that fail, the likely ones first. */
export function FixLinks({ detail }: { detail: ProblemDetail }) {
  const fixes = fixesOf(detail);
  if (fixes.length === 0) return <p className="text-fg-2">What failed was deleted.</p>;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {fixes.slice(0, FIXES_SHOWN).map(({ text, to }) => (
        <li key={to}>
          <Link className="link inline-flex min-h-6 items-center wrap-anywhere" to={to}>
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function fixesOf({ problem, parts, frame }: ProblemDetail): Fix[] {
  const first = FAILING_PART[problem.kind];
  const fixes = parts.flatMap((part): (Fix & { isFirst: boolean })[] => {
    if (!part.exists || (part.kind === 'TRIGGER' && first !== 'TRIGGER')) return [];
    return linksTo(part, { problem, frame }).map((fix) => ({ ...fix, isFirst: part.kind === first }));
  });
  return [...fixes.filter(({ isFirst }) => isFirst), ...fixes.filter(({ isFirst }) => !isFirst)];
}

function linksTo(
  { kind, resource_id, trigger_id, name, is_transformed }: ProblemDetail['parts'][number],
  { problem, frame }: Pick<ProblemDetail, 'problem' | 'frame'>,
): Fix[] {
  const { problem_id } = problem;
  switch (kind) {
    case 'DESTINATION': {
      const to = path.destination(trigger_id ?? '', resource_id);
      const edit = { text: `Edit destination ${name}`, to };
      if (!is_transformed && problem.kind !== 'DELIVERY') return [edit];
      const text = is_transformed ? `Edit the transformation of ${name}` : `Add a transformation to ${name}`;
      return [edit, { text, to: `${to}/transform` }];
    }
    case 'FUNCTION':
      return [
        { text: `Deploy a version of ${name}`, to: codeOf(resource_id, frame, problem_id) },
        { text: `Try a version of ${name}`, to: path.functionTry(resource_id, undefined, problem_id) },
      ];
    case 'CONNECTION':
      return [{ text: `Reconnect ${name}`, to: path.connection(resource_id) }];
    case 'TRIGGER':
      return [{ text: `Edit trigger ${name}`, to: path.trigger(resource_id, 'settings') }];
  }
}

/** The editor, at the line that failed. */
function codeOf(function_id: string, frame: ProblemDetail['frame'], problem: string): string {
  if (frame?.function_id !== function_id) return path.functionLine(function_id, { problem });
  return path.functionLine(function_id, { file: frame.file, line: frame.line, problem });
}
