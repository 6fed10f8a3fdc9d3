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
  const isOfSource = first === 'TRIGGER';
  const fixes = parts.flatMap(({ kind, resource_id, trigger_id, name, exists }): (Fix & { isFirst: boolean })[] => {
    if (!exists || (kind === 'TRIGGER' && !isOfSource)) return [];
    const isFirst = kind === first;
    const { text, to } = {
      DESTINATION: { text: `Edit destination ${name}`, to: path.destination(trigger_id ?? '', resource_id) },
      FUNCTION: { text: `Deploy a version of ${name}`, to: codeOf(resource_id, frame) },
      CONNECTION: { text: `Reconnect ${name}`, to: path.connection(resource_id) },
      TRIGGER: { text: `Edit trigger ${name}`, to: path.trigger(resource_id, 'settings') },
    }[kind];
    return [{ isFirst, text, to }];
  });
  return [...fixes.filter(({ isFirst }) => isFirst), ...fixes.filter(({ isFirst }) => !isFirst)];
}

/** The editor, at the line that failed. */
function codeOf(function_id: string, frame: ProblemDetail['frame']): string {
  if (frame?.function_id !== function_id) return path.function(function_id);
  return path.functionLine(function_id, { file: frame.file, line: frame.line });
}
