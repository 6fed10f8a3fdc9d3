import { Braces } from 'lucide-react';
import { useState } from 'react';
import { SDKS } from '../../../../contract/text/sdk-snippets.ts';
import { Link } from '../../../components/Link.tsx';
import type { Starter } from '../../../components/starters/starter.ts';
import { path } from '../../../lib/path.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { CodeBlock } from '../../../ui/code/CodeBlock.tsx';
import type { CodeLanguage } from '../../../ui/code/code-tokens.ts';
import { Checkbox } from '../../../ui/controls/Checkbox.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import { SdkSnippet } from './SdkSnippet.tsx';
import { functionSnippet, SNIPPET_LANGUAGES, type SnippetCall, type SnippetLanguage, snippetOf } from './snippets.ts';

const OPTIONS: readonly { value: SnippetLanguage; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'fetch', label: 'fetch' },
  { value: 'python', label: 'Python' },
];
const LANGUAGE: Record<SnippetLanguage, CodeLanguage> = { curl: 'bash', fetch: 'javascript', python: 'python' };

const defaults = { lang: 'curl' };

/** SDKs of the app. Snippets of the request itself exist for the other languages. */
const sdksOf = (app: string) => SDKS.filter((sdk) => sdk.app === app && sdk.language === 'javascript');

/** The same request as code, and examples with the app's SDKs. `hostUrl`: the URL of the app's host at the gateway. */
export function Snippets({ call, hostUrl }: { call: SnippetCall; hostUrl: string }) {
  const [url, setUrl] = useUrlState(defaults);
  const [named, setNamed] = useState(true);
  const language = SNIPPET_LANGUAGES.find((each) => each === url.lang) ?? 'curl';
  const sdks = sdksOf(call.app);
  const sdk = sdks.find(({ name }) => name === url.lang);
  const code = sdk
    ? sdk.code({ url: `${call.baseUrl}/${call.app}`, hostUrl })
    : snippetOf(language, named ? call : { ...call, connectionId: undefined });
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-2">
        <SegmentedControl
          label="Language"
          size="sm"
          options={[...OPTIONS, ...sdks.map(({ name }) => ({ value: name, label: name }))]}
          value={sdk?.name ?? language}
          onChange={(lang) => setUrl({ lang })}
        />
        {sdk ? null : (
          <Checkbox label="Name this connection" checked={named} onChange={(event) => setNamed(event.target.checked)} />
        )}
        <span className="ml-auto flex items-center gap-2">
          <LinkButton
            size="sm"
            variant="ghost"
            icon={Braces}
            render={<Link to={path.functionNew()} state={{ starter: starterOf(call) }} />}
          >
            Save as function
          </LinkButton>
          <CopyButton text={code} label={`Copy the ${sdk?.name ?? language} code`}>
            Copy
          </CopyButton>
        </span>
      </div>
      {sdk ? <SdkSnippet sdk={sdk} code={code} /> : <RequestCode language={language} code={code} />}
    </>
  );
}

const starterOf = (call: SnippetCall): Starter => ({
  id: '',
  title: '',
  what: '',
  name: `call-${call.app}`,
  runtime: 'nodejs24.x',
  handler: 'index.default',
  files: { 'index.ts': functionSnippet(call) },
});

function RequestCode({ language, code }: { language: SnippetLanguage; code: string }) {
  return (
    <>
      <CodeBlock
        label={`The request in ${language}`}
        language={LANGUAGE[language]}
        code={code}
        wrap
        className="max-h-96"
      />
      <p className="mt-1 text-12 text-fg-3">
        The API key is read from <span className="data">API_KEY</span>
        {language === 'python' ? (
          <>
            ; needs <span className="data">pip install requests</span>
          </>
        ) : null}
        .
      </p>
    </>
  );
}
