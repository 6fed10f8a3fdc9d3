import type { HostedFunction } from '../../api/entities.ts';
import { Tag } from '../../ui/Tag.tsx';
import { VISIBILITY } from './function-queries.ts';

/** Version, runtime and visibility, shown after a function's name. */
export function FunctionTags({ fn }: { fn: Pick<HostedFunction, 'version' | 'runtime' | 'visibility'> }) {
  return (
    <>
      <Tag mono>v{fn.version}</Tag>
      <Tag mono>{fn.runtime}</Tag>
      <VisibilityTag visibility={fn.visibility} />
    </>
  );
}

export function VisibilityTag({ visibility }: Pick<HostedFunction, 'visibility'>) {
  const { word, icon } = VISIBILITY[visibility];
  return <Tag icon={icon}>{word}</Tag>;
}
