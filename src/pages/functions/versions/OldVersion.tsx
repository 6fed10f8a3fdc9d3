import { FlaskConical } from 'lucide-react';
import type { HostedFunction } from '../../../api/entities.ts';
import type { Reply } from '../../../api/operation.ts';
import { q } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { Link } from '../../../components/Link.tsx';
import { path } from '../../../lib/path.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import { CodeWorkspace } from '../code/CodeWorkspace.tsx';
import type { CodePlace } from '../code/CopyPlace.tsx';
import { CopyPlace } from '../code/CopyPlace.tsx';
import { keepDraft, mainFile, useDraft } from '../code/draft.ts';

interface OldVersionProps {
  fn: HostedFunction;
  code: Reply<'functionFiles'>;
  place: CodePlace;
  own: boolean;
  testing: boolean;
  /** Absent for other accounts' functions, which cannot be called from here. */
  onTest: (() => void) | undefined;
  onServing: () => void;
  /** Opens the code analysis. */
  onTrust?: (() => void) | undefined;
}

const NO_PROBLEMS = [] as const;

/** Read-only code: an earlier version, or another account's function. */
export function OldVersion({ fn, code, place, own, testing, onTest, onServing, onTrust }: OldVersionProps) {
  const { function_id } = fn;
  const draft = useDraft(function_id);
  const reason = useReason('versionCreate') ?? (draft ? 'Deploy or discard your changes first.' : undefined);
  const serving = code.version === fn.version;
  const edit = async () => {
    const { files, version } = await queryClient.query({
      ...q('functionFiles', { params: { function_id } }),
      staleTime: 'static',
    });
    keepDraft(function_id, { version, before: files, files: code.files, message: `Based on version ${code.version}` });
    onServing();
    toast({ title: `Editing from version ${code.version}`, tone: 'neutral' });
  };
  return (
    <>
      {!own && fn.description ? (
        <p
          className="line-clamp-3 flex-none border-b border-line px-3 py-2 wrap-anywhere text-fg-2"
          title={fn.description}
        >
          {fn.description}
        </p>
      ) : null}
      <div className="flex min-h-9 flex-none flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1 text-12 text-fg-2">
        <span>
          Version <span className="data">{code.version}</span>
          {serving ? ' is live' : `; version ${fn.version} is live`}, handler{' '}
          <span className="data">{code.handler}</span>, read only
        </span>
        <span className="ml-auto flex flex-wrap items-center justify-end gap-2">
          {onTrust ? (
            <Button size="sm" onClick={onTrust}>
              Code analysis
            </Button>
          ) : null}
          <CopyPlace fn={fn} version={code.version} place={place} />
          {serving ? null : (
            <>
              <Link className="link" to={path.functionDiff(function_id, code.version, fn.version)}>
                Compare with live version
              </Link>
              <Button size="sm" onClick={onServing}>
                Show live version
              </Button>
              {own ? (
                <Button size="sm" reason={reason} onClick={() => void edit()}>
                  Edit from here
                </Button>
              ) : null}
            </>
          )}
          {onTest ? (
            <Button size="sm" icon={FlaskConical} aria-pressed={testing} onClick={onTest}>
              Test
            </Button>
          ) : null}
        </span>
      </div>
      <CodeWorkspace
        scope={`${function_id}/v${code.version}`}
        files={code.files}
        file={place.file || mainFile(code.files, code.handler)}
        onOpen={place.onOpen}
        line={place.line}
        endLine={place.endLine}
        onLine={place.onLine}
        hits={place.hits}
        onHideHits={place.onHideHits}
        symbols={place.symbols}
        problems={NO_PROBLEMS}
        cramped={testing}
      />
    </>
  );
}
