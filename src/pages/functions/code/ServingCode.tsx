import { FlaskConical } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { HostedFunction } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import type { Reply } from '../../../api/operation.ts';
import { invalidate, q } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../../components/Link.tsx';
import { useHotkey } from '../../../hooks/use-hotkey.ts';
import { path } from '../../../lib/path.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import { filesQuery } from '../function-queries.ts';
import { CodeWorkspace } from './CodeWorkspace.tsx';
import { type CodePlace, CopyPlace } from './CopyPlace.tsx';
import { DeployBar } from './DeployBar.tsx';
import {
  changesOf,
  type Draft,
  dropDraft,
  type Files,
  handlerAfter,
  keepDraft,
  mainFile,
  rebaseDraft,
  useDraft,
} from './draft.ts';
import { hitsOfUnchanged } from './hits/file-hits.ts';

interface ServingCodeProps {
  fn: HostedFunction;
  code: Reply<'functionFiles'>;
  place: CodePlace;
  testing: boolean;
  onTest: () => void;
}

/** The editor of an owned function: edits become a new version when deployed. */
export function ServingCode({ fn, code, place, testing, onTest }: ServingCodeProps) {
  const { function_id } = fn;
  const params = { function_id };
  const draft = useDraft(function_id);
  const navigate = useNavigate();
  /** The problem that the user fixes: the code is tried on the requests that failed with it. */
  const problem_id = useSearchParams()[0].get('problem') || undefined;
  const reason = useReason('versionCreate');
  const message = useRef<HTMLInputElement>(null);
  const files = draft?.files ?? code.files;
  const before = draft?.before ?? code.files;
  const hits = useMemo(() => hitsOfUnchanged(place.hits, code.files, files), [place.hits, code.files, files]);
  const changes = useMemo(() => changesOf(before, files), [before, files]);
  const [naming, setNaming] = useState(false);
  const handler = draft?.handler ?? code.handler;
  const another = (next: string) => (next === code.handler ? undefined : next);
  const edit = (change: Partial<Draft>) =>
    keepDraft(function_id, { version: code.version, before: code.files, files, message: '', ...draft, ...change });

  const editFiles = (next: Files) => edit({ files: next, handler: another(handlerAfter(handler, files, next)) });

  const body = () => ({
    files,
    ...(draft?.handler === undefined ? {} : { handler: draft.handler.trim() }),
    ...(draft?.message.trim() ? { message: draft.message.trim() } : {}),
  });
  const deploy = useApiMutation('versionCreate', {
    failure: 'inline',
    invalidates: ['functionGet', 'functionList', 'versionList', 'functionSearch'],
    onSuccess: ({ version }, { body: sent }) => {
      const served = { version: version.version, handler: version.handler, files: sent.files };
      queryClient.setQueryData(filesQuery(function_id).queryKey, served);
      queryClient.setQueryData(q('functionGet', { params }).queryKey, (was) =>
        was ? { function: { ...was.function, version: version.version } } : was,
      );
      rebaseDraft(function_id, { ...served, message: sent.message });
      setNaming(false);
      toast({ title: `Version ${version.version} of ${fn.name} is live`, tone: 'ok' });
    },
  });
  const shadow = useApiMutation('shadowCreate', {
    failure: 'inline',
    invalidates: ['versionList', 'shadowList'],
    onSuccess: ({ shadow: { shadow_id } }, { body: sent }) => {
      dropDraft(function_id, sent.files ?? {});
      return navigate(path.shadow(function_id, shadow_id));
    },
  });
  const send = () => {
    if (!draft || reason || deploy.isPending) return;
    shadow.reset();
    // rejected if another version was deployed meanwhile: its files are loaded and reviewed before they are replaced
    deploy.mutate(
      { params, body: { ...body(), replaces: code.version } },
      {
        onError: ({ status }) =>
          void (status === 409 && invalidate('functionGet', 'functionFiles', 'versionList', 'functionList')),
      },
    );
  };
  // the first click opens the message field, the second deploys
  const save = () => (document.activeElement === message.current ? send() : message.current?.focus());
  useHotkey('mod+s', save);

  const error = deploy.error ?? shadow.error;
  const problems = error?.problems ?? [];
  const moved = draft !== undefined && draft.version !== code.version;
  return (
    <>
      {moved ? (
        <Banner
          tone="warn"
          action={
            <Link className="link font-medium" to={path.functionDiff(function_id, draft.version, code.version)}>
              See what changed
            </Link>
          }
        >
          Version {code.version} was deployed while you were editing version {draft.version}. Deploying now replaces it.
        </Banner>
      ) : null}
      <ServingBar
        fn={fn}
        code={code}
        place={place}
        reason={reason}
        naming={naming}
        onNaming={setNaming}
        testing={testing}
        onTest={onTest}
      />
      <CodeWorkspace
        scope={`${function_id}/edit`}
        files={files}
        before={before}
        file={place.file || mainFile(files, handler)}
        onOpen={place.onOpen}
        line={place.line}
        endLine={place.endLine}
        onLine={place.onLine}
        hits={hits}
        onHideHits={place.onHideHits}
        symbols={place.symbols}
        onChange={reason ? undefined : editFiles}
        problems={problems}
        onSave={save}
        cramped={testing}
      />
      {draft || naming ? (
        <DeployBar
          changes={changes}
          handler={naming || draft?.handler !== undefined ? handler : undefined}
          naming={naming}
          onHandler={(next) => edit({ handler: another(next) })}
          message={draft?.message ?? ''}
          onMessage={(text) => edit({ message: text })}
          messageRef={message}
          onDeploy={send}
          onDiscard={() => {
            keepDraft(function_id, undefined);
            setNaming(false);
            deploy.reset();
            shadow.reset();
          }}
          pending={deploy.isPending}
          reason={reason ?? (draft ? undefined : 'There are no changes to deploy.')}
          onTry={() => {
            deploy.reset();
            shadow.mutate({ params, body: { ...body(), ...(problem_id ? { filter: { problem_id } } : {}) } });
          }}
          trying={shadow.isPending}
          onProblem={problem_id !== undefined}
          error={problems.length === 0 ? error : null}
          quiet={testing}
          moved={moved}
          curl={() => curlText('versionCreate', { params, body: body() })}
        />
      ) : null}
    </>
  );
}

interface ServingBarProps extends ServingCodeProps {
  /** Why the code cannot be edited. */
  reason: string | undefined;
  naming: boolean;
  onNaming: (naming: boolean) => void;
}

/** The live version and its handler, with the available actions. */
function ServingBar({ fn, code, place, reason, naming, onNaming, testing, onTest }: ServingBarProps) {
  return (
    <div className="flex min-h-9 flex-none flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1 text-12 text-fg-3">
      {reason ? (
        <span className="min-w-0 truncate">
          Version <span className="data text-fg-2">{code.version}</span> is live, handler{' '}
          <span className="data text-fg-2">{code.handler}</span>. Read only: {reason}
        </span>
      ) : (
        <span className="flex min-w-0 items-center gap-1 whitespace-nowrap">
          <span className="min-w-0 truncate">
            Version <span className="data text-fg-2">{code.version}</span> is live, handler
          </span>
          <button
            type="button"
            className="link data max-w-48 flex-none truncate"
            title="Choose another handler"
            aria-expanded={naming}
            onClick={() => onNaming(!naming)}
          >
            {code.handler}
          </button>
        </span>
      )}
      <span className="ml-auto flex flex-none items-center gap-1">
        <CopyPlace fn={fn} version={code.version} place={place} />
        <span className="max-sm:hidden">
          <CopyAsCurl
            size="sm"
            text={() => curlText('functionFiles', { params: { function_id: fn.function_id } })}
            what="get the files"
          />
        </span>
        <Button size="sm" icon={FlaskConical} aria-pressed={testing} onClick={onTest}>
          Test
        </Button>
      </span>
    </div>
  );
}
