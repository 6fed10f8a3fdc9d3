import { useQuery } from '@tanstack/react-query';
import { FlaskConical, Rocket } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toApiError } from '../../../api/api-error.ts';
import type { Destination, HostedFunction } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import type { Reply } from '../../../api/operation.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { Link } from '../../../components/Link.tsx';
import { SentError } from '../../../forms/Form.tsx';
import { useHotkey } from '../../../hooks/use-hotkey.ts';
import { useLatest } from '../../../hooks/use-latest.ts';
import { plural } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { Tag } from '../../../ui/Tag.tsx';
import { CodeWorkspace } from '../code/CodeWorkspace.tsx';
import { changesOf, type Files, mainFile } from '../code/draft.ts';
import { UnsavedGuard } from '../code/UnsavedGuard.tsx';
import { filesQuery, functionQuery } from '../function-queries.ts';
import { TestCases } from './TestCases.tsx';
import { destinationQuery, type Place } from './transform-queries.ts';
import { UseBar } from './UseBar.tsx';

interface TransformEditorProps {
  readonly place: Place;
  readonly destination: Destination;
  readonly functionId: string;
  readonly onOther: () => void;
  /** The destination uses this function now. */
  readonly onUsed: () => void;
}

/** The code of the transformation beside the last events as its test cases. */
export function TransformEditor(props: TransformEditorProps) {
  const { place, destination, functionId } = props;
  const isUsed = destination.transform?.function_id === functionId;
  const pinned = isUsed ? (destination.transform?.version ?? undefined) : undefined;
  const fn = useQuery(functionQuery(functionId)).data?.function;
  const code = useQuery(filesQuery(functionId, pinned));
  const [edited, setEdited] = useState<Files>();
  const [file, setFile] = useState<string>();
  const reason = useReason('versionCreate');
  const before = code.data?.files;
  const changes = before && edited ? changesOf(before, edited) : new Map();
  const isChanged = changes.size > 0;
  // the last result stays while the next test runs or does not compile
  const [reply, setReply] = useState<Reply<'destinationTransformTest'>>();
  const test = useApiMutation('destinationTransformTest', { failure: 'inline', onSuccess: setReply });
  const [tested, setTested] = useState<Files>();
  const runTests = () => {
    if (!before || test.isPending) return;
    setTested(edited);
    test.mutate({
      params: place,
      body: {
        function_id: functionId,
        ...(isChanged && edited ? { files: { ...edited } } : { version: pinned ?? null }),
      },
    });
  };
  const use = useApiMutation('destinationUpdate', {
    failure: 'The destination was not changed',
    invalidates: ['triggerGet'],
    onSuccess: (reply) =>
      queryClient.setQueryData(destinationQuery(place.trigger_id, place.destination_id).queryKey, reply),
  });
  const deploy = useApiMutation('versionCreate', {
    failure: 'inline',
    invalidates: ['functionList', 'versionList', 'functionSearch'],
    onSuccess: async ({ version }, { body }) => {
      const { handler } = version;
      const served = { version: version.version, handler, files: body.files };
      queryClient.setQueryData(filesQuery(functionId).queryKey, served);
      queryClient.setQueryData(filesQuery(functionId, version.version).queryKey, served);
      queryClient.setQueryData(functionQuery(functionId).queryKey, (was) =>
        was ? { function: { ...was.function, version: version.version } } : was,
      );
      // a chosen version follows the code that is edited here
      if (pinned !== undefined)
        await use.mutateAsync({
          params: place,
          body: { transform: { function_id: functionId, version: version.version } },
        });
      // what was typed meanwhile is a change of the new version
      setEdited((typed) => (typed && changesOf(body.files, typed).size > 0 ? typed : undefined));
      setTested(undefined);
      toast({ title: `Version ${version.version} is live`, tone: 'ok' });
    },
  });
  const send = () => {
    if (!isChanged || !edited || !fn || reason || deploy.isPending) return;
    deploy.mutate({
      params: { function_id: functionId },
      body: { files: { ...edited }, handler: code.data?.handler, replaces: fn.version },
    });
  };
  useHotkey('mod+s', send);
  useHotkey('mod+enter', runTests);
  const first = useLatest(runTests);
  const version = code.data?.version;
  // the code that is used is tested at once, and again after a deploy
  useEffect(() => {
    if (version !== undefined) first.current();
  }, [version, first]);

  if (!code.data || !fn) {
    const error = code.error;
    if (!error) return <Loading />;
    const { message, requestId } = toApiError(error);
    return (
      <ErrorState
        title="The code could not be loaded"
        detail={message}
        requestId={requestId}
        onRetry={() => void code.refetch()}
      />
    );
  }
  const files = edited ?? code.data.files;
  const problems = deploy.error?.problems ?? test.error?.problems ?? [];
  const onSave = () => send();
  return (
    <>
      <PageHead
        title="Transform events"
        meta={<Between place={place} destination={destination} fn={fn} version={code.data.version} />}
        actions={
          <>
            <Button icon={FlaskConical} pending={test.isPending} kbd="mod+enter" onClick={runTests}>
              Test
            </Button>
            <Button
              variant={isUsed ? 'primary' : 'default'}
              icon={Rocket}
              pending={deploy.isPending}
              reason={reason ?? (isChanged ? undefined : 'There are no changes to deploy.')}
              kbd="mod+s"
              onClick={send}
            >
              Deploy
            </Button>
          </>
        }
      >
        <UseBar
          {...props}
          fn={fn}
          isUsed={isUsed}
          onUse={(transform) =>
            use.mutate({ params: place, body: { transform } }, transform ? { onSuccess: props.onUsed } : {})
          }
          pending={use.isPending}
        />
      </PageHead>
      {deploy.error && problems.length === 0 ? (
        <div className="flex-none border-t border-line px-4 py-2">
          <SentError error={deploy.error} />
        </div>
      ) : null}
      <div className="flex min-h-0 flex-1 border-t border-line max-lg:flex-col max-lg:overflow-y-auto">
        <section
          aria-label="Code"
          className="flex min-h-0 min-w-0 flex-1 max-lg:h-[60vh] max-lg:flex-none lg:border-r lg:border-line"
        >
          <CodeWorkspace
            scope={`${functionId}/transform`}
            files={files}
            before={code.data.files}
            file={file ?? mainFile(files, code.data.handler)}
            onOpen={setFile}
            onChange={reason ? undefined : setEdited}
            problems={problems}
            onSave={onSave}
            cramped
            noTree={Object.keys(files).length === 1}
          />
        </section>
        <TestCases
          reply={reply}
          error={test.error}
          pending={test.isPending}
          isOld={tested !== edited}
          changed={isChanged ? plural(changes.size, 'changed file') : undefined}
          onRetry={runTests}
        />
      </div>
      <UnsavedGuard unsaved={isChanged ? plural(changes.size, 'changed file') : undefined} />
    </>
  );
}

interface BetweenProps extends Pick<TransformEditorProps, 'place' | 'destination'> {
  readonly fn: HostedFunction;
  readonly version: number;
}

/** The destination and the function, as links. */
function Between({ place, destination, fn, version }: BetweenProps) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 text-12 text-fg-2">
      <Link
        className="link inline-flex min-h-6 items-center"
        to={path.destination(place.trigger_id, place.destination_id)}
      >
        {destination.name}
      </Link>
      by
      <Link className="link inline-flex min-h-6 items-center wrap-anywhere" to={path.function(fn.function_id)}>
        {fn.name}
      </Link>
      <Tag>{`v${version}`}</Tag>
    </span>
  );
}

function Loading() {
  return (
    <div className="p-4">
      <SkeletonLines lines={10} label="Loading the code" />
    </div>
  );
}
