import type { ProblemDetail } from '../../api/entities.ts';
import { KIND_NOUNS } from '../../components/problems/problem-words.ts';
import { sentenceCase } from '../../lib/format.ts';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { Time } from '../../ui/Time.tsx';

type Sample = ProblemDetail['samples'][number];

/** Failures side by side: request as sent, response, error. */
export function Samples({ samples }: Pick<ProblemDetail, 'samples'>) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,320px),1fr))] gap-4">
      {samples.map((sample) => (
        <li key={sample.failure.subject_id} className="min-w-0 rounded-lg border border-line-2 bg-raised p-3">
          <SampleCard sample={sample} />
        </li>
      ))}
    </ul>
  );
}

function SampleCard({ sample: { failure, request, response, error, call } }: { sample: Sample }) {
  return (
    <div className="grid gap-2">
      <h3 className="flex items-baseline gap-2 text-13">
        {sentenceCase(KIND_NOUNS[failure.kind][0])}
        <Time at={failure.last_at} className="text-12 text-fg-3" />
      </h3>
      {request ? (
        <p className="data text-12 wrap-anywhere">
          {request.method} {request.url}
        </p>
      ) : null}
      {request?.body ? (
        <CodeBlock code={request.body} language="json" label="Request body" wrap className="max-h-48" />
      ) : null}
      {response ? (
        <p className="text-12 text-fg-2">
          Response <span className="data">{response.status}</span>
        </p>
      ) : null}
      {response?.body ? (
        <CodeBlock code={response.body} language="json" label="Response body" wrap className="max-h-48" />
      ) : null}
      {call ? (
        <p className="data text-12 wrap-anywhere">
          {call.app}: {call.method} {call.path} {call.status ?? call.error}
        </p>
      ) : null}
      {error === null ? null : <CodeBlock code={error} label="Error" wrap className="max-h-48" />}
    </div>
  );
}
