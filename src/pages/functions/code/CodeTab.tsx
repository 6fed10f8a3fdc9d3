import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { toApiError } from '../../../api/api-error.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { usePageActions } from '../../../layouts/palette/page-actions.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { filesQuery, functionQuery, idIn, useIsOwn } from '../function-queries.ts';
import { OldVersion } from '../versions/OldVersion.tsx';
import { TrustCard } from '../versions/TrustCard.tsx';
import { useFileHits } from './hits/file-hits.ts';
import { ServingCode } from './ServingCode.tsx';
import { useSymbols } from './symbols/use-symbols.ts';
import { TestPanel } from './TestPanel.tsx';

const defaults = { file: '', line: '', version: '', test: '', trust: '', q: '', case: '', symbol: '' };

function versionIn(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** `12` or `12-18`. */
function linesIn(text: string): { line: number | undefined; endLine: number | undefined } {
  const [first = '', last = ''] = text.split('-', 2);
  return { line: versionIn(first), endLine: versionIn(last) };
}

export const loader = ({ params, request }: LoaderFunctionArgs) => {
  const functionId = idIn(params);
  const version = versionIn(new URL(request.url).searchParams.get('version') ?? '');
  // a missing version is reported in the page, not instead of it
  return version === undefined
    ? ensure(functionQuery(functionId), filesQuery(functionId))
    : ensure(functionQuery(functionId), filesQuery(functionId, version)).catch(() => null);
};

/** The test panel fits beside the code. */
const isWide = () => matchMedia('(min-width: 1536px)').matches;
/** The analysis card fits beside the code. */
const isBesideCode = () => matchMedia('(min-width: 1280px)').matches;

/** The live code, editable by its owner. Other versions and other accounts' functions are read-only. */
export function Component() {
  const functionId = idIn(useParams());
  const { function: fn } = usePrefetchedQuery(functionQuery(functionId)).data;
  const own = useIsOwn(fn);
  const [url, setUrl] = useUrlState(defaults);
  const asked = versionIn(url.version);
  const old = asked !== undefined && asked !== fn.version;
  const { data, error, refetch } = useQuery(filesQuery(functionId, old ? asked : undefined));
  const testing = own && (url.test === 'on' || (url.test === '' && isWide()));
  const trusting = !own && data !== undefined && (url.trust === 'on' || (url.trust === '' && isBesideCode()));
  const toggleTrust = () => setUrl({ trust: trusting ? 'off' : 'on' });
  const toggleTest = () => setUrl({ test: testing ? 'off' : 'on' });
  usePageActions(
    own
      ? [{ label: testing ? 'Hide the test panel' : 'Test this function', icon: FlaskConical, onSelect: toggleTest }]
      : [{ label: trusting ? 'Hide code analysis' : 'Code analysis', onSelect: toggleTrust }],
  );

  const hits = useFileHits({ fn, own, version: data?.version, query: url.q, choice: url.case });
  const symbols = useSymbols({
    functionId,
    version: data?.version,
    name: url.symbol,
    onName: (symbol) => setUrl({ symbol }),
  });
  const place = {
    hits,
    symbols,
    onHideHits: () => setUrl({ q: undefined, case: undefined }),
    file: url.file,
    ...linesIn(url.line),
    onLine: (file: string, line: number, extend: boolean) => {
      const from = extend && (url.file === '' || url.file === file) ? linesIn(url.line).line : undefined;
      const range = [line, from ?? line].sort((a, b) => a - b);
      setUrl({ file, line: [...new Set(range)].join('-') });
    },
    onOpen: (file: string) => setUrl({ file, line: undefined }),
  };
  if (error && !data) {
    const failure = toApiError(error);
    const hidden = old && !own && failure.status === 404;
    return (
      <ErrorState
        title={asked === undefined ? 'The code could not be loaded' : `Version ${asked} could not be loaded`}
        detail={
          hidden
            ? 'It is not public: other accounts see only versions that were live while the function was.'
            : failure.message
        }
        requestId={failure.requestId}
        onRetry={() => void refetch()}
        actions={
          old ? (
            <Button onClick={() => setUrl({ version: undefined, line: undefined })}>Show live version</Button>
          ) : null
        }
      />
    );
  }
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        {!data ? (
          <div className="p-4">
            <SkeletonLines lines={10} label="Loading the code" />
          </div>
        ) : old || !own ? (
          <OldVersion
            key={data.version}
            fn={fn}
            code={data}
            place={place}
            own={own}
            testing={testing}
            onTest={own ? toggleTest : undefined}
            onTrust={own || trusting ? undefined : toggleTrust}
            onServing={() => setUrl({ version: undefined, line: undefined })}
          />
        ) : (
          <ServingCode fn={fn} code={data} place={place} testing={testing} onTest={toggleTest} />
        )}
      </div>
      {trusting ? <TrustCard key={data.version} fn={fn} version={data.version} onClose={toggleTrust} /> : null}
      {testing ? <TestPanel fn={fn} version={old ? asked : undefined} onClose={toggleTest} /> : null}
    </div>
  );
}
