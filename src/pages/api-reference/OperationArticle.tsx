import { ExternalLink } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { exampleOf } from '../../../contract/text/example-of.ts';
import { Link } from '../../components/Link.tsx';
import { usePreference } from '../../hooks/use-preference.ts';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { Disclosure } from '../../ui/controls/Disclosure.tsx';
import { SegmentedControl } from '../../ui/controls/SegmentedControl.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { consolePageOf } from './console-page.ts';
import { FieldList, ParameterList } from './FieldList.tsx';
import { answersOf, bodyOf, type Reference, type ReferenceOperation } from './reference-document.ts';
import { LANGUAGES, languagePreference, sampleOf } from './samples.ts';
import { TryIt, type Values } from './TryIt.tsx';
import { Inline, Words } from './Words.tsx';

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-6">
      <h2 className="mb-1 text-14">{title}</h2>
      {children}
    </section>
  );
}

/** An operation: what it does, its fields and responses, samples in four languages, and a form that sends it. */
export function OperationArticle({
  reference,
  operation,
  isSignedIn,
}: {
  reference: Reference;
  operation: ReferenceOperation;
  isSignedIn: boolean;
}) {
  const { schemas } = reference.document.components;
  const body = bodyOf(operation);
  const [language, setLanguage] = usePreference(languagePreference);
  const [values, setValues] = useState<Values>({});
  const [text, setText] = useState(() =>
    body === undefined ? undefined : JSON.stringify(exampleOf(body, schemas, true), null, 2),
  );
  const answers = answersOf(reference, operation);
  const page = consolePageOf(operation.path, values);
  const request = sampleRequest(operation, values, text);
  const inHeader = operation.parameters.filter((each) => each.in === 'header');
  const parameters = operation.parameters.filter((each) => each.in !== 'header');
  return (
    <article className="min-w-0 max-w-[760px]">
      <h1 tabIndex={-1} className="text-18 outline-none">
        {operation.summary}
      </h1>
      <p className="mt-1 flex min-w-0 flex-wrap items-center gap-2">
        <Tag mono>{operation.method}</Tag>
        <code className="data wrap-anywhere">{operation.path}</code>
      </p>
      <div className="mt-3">
        <Words text={operation.description} />
      </div>
      <p className="mt-2 flex flex-wrap gap-x-4 text-fg-3">
        <span>
          Operation <code className="data">{operation.operationId}</code>
        </span>
        {page && isSignedIn ? (
          <Link to={page.to} className="link inline-flex items-center gap-1">
            {page.label}
            <ExternalLink size={12} aria-hidden />
          </Link>
        ) : null}
      </p>

      <Part title="Request sample">
        <SegmentedControl label="Language" options={LANGUAGES} value={language} onChange={setLanguage} size="sm" />
        <CodeBlock
          className="mt-2"
          code={sampleOf(language, request, reference.baseUrl)}
          language={language === 'fetch' || language === 'client' ? 'javascript' : 'text'}
          label="Request sample"
          copy
        />
      </Part>
      {parameters.length > 0 ? (
        <Part title="Parameters">
          <ParameterList parameters={parameters} schemas={schemas} />
        </Part>
      ) : null}
      {body ? (
        <Part title="Body">
          <FieldList schema={body} schemas={schemas} />
        </Part>
      ) : null}
      {inHeader.length > 0 ? (
        <Part title="Headers">
          <ParameterList parameters={inHeader} schemas={schemas} />
        </Part>
      ) : null}
      <Part title="Responses">
        {answers.map(([status, answer]) => {
          const schema = answer.content?.['application/json']?.schema;
          const isError = status !== '200';
          return (
            <div key={status} className="border-b border-line py-2 last:border-b-0">
              <div className="flex gap-2">
                <strong className="data">{status === 'default' ? 'others' : status}</strong>
                <div className="min-w-0 text-fg-2">
                  {isError ? <Words text={answer.description ?? ''} /> : <Inline text={answer.description ?? ''} />}
                </div>
              </div>
              {schema && !isError ? (
                <>
                  <FieldList schema={schema} schemas={schemas} />
                  <Disclosure summary="Example of the response">
                    <CodeBlock
                      code={JSON.stringify(exampleOf(schema, schemas), null, 2)}
                      language="json"
                      label="Example of the response"
                      copy
                    />
                  </Disclosure>
                </>
              ) : null}
            </div>
          );
        })}
      </Part>
      {isSignedIn && operation.responses['200']?.content?.['text/event-stream'] === undefined ? (
        <Part title="Try it">
          <TryIt
            operation={operation}
            path={request.path}
            values={values}
            onChange={setValues}
            body={text}
            onBody={setText}
          />
        </Part>
      ) : null}
    </article>
  );
}

/** The request with the entered values; placeholders of the path without a value stay. */
function sampleRequest(operation: ReferenceOperation, values: Values, text: string | undefined) {
  const of = (where: string) =>
    Object.fromEntries(
      operation.parameters.flatMap(({ name, in: place, required }) => {
        const value = values[name] || (required ? `{${name}}` : '');
        return place === where && value !== '' ? [[name, value]] : [];
      }),
    );
  const [params, query] = [of('path'), of('query')];
  const search = new URLSearchParams(query).toString();
  const plain = operation.path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    values[name] ? encodeURIComponent(values[name]) : whole,
  );
  return {
    operationId: operation.operationId,
    method: operation.method,
    path: plain + (search ? `?${search}` : ''),
    needsKey: operation.security?.length !== 0,
    params,
    query,
    body: parsed(text),
  };
}

function parsed(text: string | undefined): unknown {
  if (text === undefined || text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
