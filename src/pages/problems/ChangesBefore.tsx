import { routes } from '../../../contract/routes.ts?worded';
import type { Problem, ProblemDetail } from '../../api/entities.ts';
import type { Operation } from '../../api/operation.ts';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';

const summaryOf = (operation: string): string =>
  operation in routes ? routes[operation as Operation].summary : operation;

/** `Deploy a version (4) by Ada`: the change before a problem was opened. */
export const precedingText = ({ operation, version, actor_name }: NonNullable<Problem['preceded_by']>): string =>
  `“${summaryOf(operation)}”${version === null ? '' : ` (version ${version})`} by ${actor_name}`;

/** Entries of the audit log before the problem was opened, newest first. */
export function ChangesBefore({ changes }: Pick<ProblemDetail, 'changes'>) {
  if (changes.length === 0) return <p className="text-fg-2">Nothing was changed in the 24 hours before.</p>;
  return (
    <ul className="grid gap-1">
      {changes.map(({ audit_id, at, operation, actor_name, is_related }) => (
        <li key={audit_id} className="flex flex-wrap items-baseline gap-x-3">
          <Time at={at} as="clock" className="text-fg-3" />
          <span className={is_related ? 'font-medium' : 'text-fg-2'}>{summaryOf(operation)}</span>
          <span className="text-fg-3">{actor_name}</span>
          {is_related ? <Tag>Of a failing resource</Tag> : null}
        </li>
      ))}
    </ul>
  );
}
