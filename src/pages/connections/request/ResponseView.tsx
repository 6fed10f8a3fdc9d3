import { formatBytes, formatDuration } from '../../../lib/format.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { CodeBlock } from '../../../ui/code/CodeBlock.tsx';
import { Chip, type Tone } from '../../../ui/controls/Chip.tsx';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import { Time } from '../../../ui/Time.tsx';
import { explainNetworkError } from '../network-errors.ts';
import { DownloadBody, PrettyBody, RawBody } from './ResponseBody.tsx';
import { type AppResponse, statusWord } from './response.ts';
import { TimingBar } from './TimingBar.tsx';
import type { Exchange } from './use-sender.ts';

const defaults = { view: 'pretty' };

/** The app's response or the error, and the timing. */
export function ResponseView({ exchange }: { exchange: Exchange }) {
  const { request, at, answer } = exchange;
  const { response, error, timing } = answer;
  return (
    <div className="grid gap-3 *:min-w-0">
      <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-fg-2">
        {response ? <StatusChip response={response} /> : <Chip tone="bad">No response</Chip>}
        <span className="data">{formatDuration(timing.total_ms)}</span>
        {response ? <span className="data">{formatBytes(response.bytes)}</span> : null}
        <Time at={at} as="clock" className="text-fg-3" />
        <span className="data min-w-0 flex-1 basis-40 truncate text-fg-3" title={`${request.method} ${request.path}`}>
          {request.method} {request.path}
        </span>
      </div>
      {error ? (
        <p className="wrap-anywhere">
          {error.message} {explainNetworkError(error.message)}
        </p>
      ) : null}
      {exchange.isStopped ? <p className="text-fg-2">Stopped. What came before is shown.</p> : null}
      {error && response ? <p className="text-fg-2">The response ended early. What came before is shown.</p> : null}
      <TimingBar timing={timing} />
      {response ? <ResponseParts response={response} method={request.method} path={request.path} /> : null}
    </div>
  );
}

function toneOf(status: number): Tone {
  if (status < 300) return 'ok';
  return status < 400 ? 'mute' : 'bad';
}

export function StatusChip({ response }: { response: Pick<AppResponse, 'status' | 'reason'> }) {
  return (
    <Chip tone={toneOf(response.status)}>
      {response.status} {statusWord(response)}
    </Chip>
  );
}

interface ResponsePartsProps {
  readonly response: AppResponse;
  readonly method: string;
  readonly path: string;
}

function ResponseParts({ response, method, path }: ResponsePartsProps) {
  const [url, setUrl] = useUrlState(defaults);
  const views = [
    { value: 'pretty', label: 'Pretty' },
    { value: 'raw', label: 'Raw' },
    { value: 'headers', label: `Headers ${response.headers.length}` },
  ];
  const view = views.some(({ value }) => value === url.view) ? url.view : defaults.view;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <SegmentedControl
          label="Show"
          size="sm"
          options={views}
          value={view}
          onChange={(next) => setUrl({ view: next })}
        />
        {response.body === '' ? null : (
          <span className="ml-auto">
            <DownloadBody response={response} path={path} />
          </span>
        )}
      </div>
      {view === 'pretty' ? <PrettyBody response={response} method={method} /> : null}
      {view === 'raw' ? <RawBody response={response} method={method} /> : null}
      {view === 'headers' ? (
        <CodeBlock
          code={response.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
          label="Response headers"
          wrap
          copy
        />
      ) : null}
      {response.truncated && view !== 'headers' ? (
        <p className="text-12 text-warn-fg">The body is truncated: only its beginning is shown and downloaded.</p>
      ) : null}
    </>
  );
}
