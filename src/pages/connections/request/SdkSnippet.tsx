import type { Sdk } from '../../../../contract/text/sdk-snippets.ts';
import { CodeBlock } from '../../../ui/code/CodeBlock.tsx';
import type { CodeLanguage } from '../../../ui/code/code-tokens.ts';

const LANGUAGE: Record<Sdk['language'], CodeLanguage> = { javascript: 'javascript', python: 'python', bash: 'bash' };

/** An example of the app's official SDK, which calls the gateway. */
export function SdkSnippet({ sdk, code }: { sdk: Sdk; code: string }) {
  return (
    <>
      <CodeBlock
        label={`Example with ${sdk.name}`}
        language={LANGUAGE[sdk.language]}
        code={code}
        wrap
        className="max-h-96"
      />
      <p className="mt-1 text-12 text-fg-3">
        An example for the SDK <span className="data">{sdk.name}</span>, not this request. {sdk.note} The API key is
        read from <span className="data">API_KEY</span>, and the app’s default connection is used.
      </p>
    </>
  );
}
