/** Scopes shown before the list is folded. */
const SHOWN = 6;

export interface ScopesProps {
  readonly scopes: readonly string[];
  readonly appName: string;
}

/** The requested scopes in the provider's own words, shown before the redirect. */
export function Scopes({ scopes, appName }: ScopesProps) {
  if (scopes.length === 0) return null;
  const rest = scopes.slice(SHOWN);
  return (
    <div>
      <h2 className="mb-1 text-12 font-medium text-fg-2">{appName} will be asked to allow</h2>
      <ScopeList scopes={scopes.slice(0, SHOWN)} />
      {rest.length > 0 ? (
        <details className="mt-1">
          <summary className="text-12 text-accent">and {rest.length} more</summary>
          <ScopeList scopes={rest} />
        </details>
      ) : null}
    </div>
  );
}

function ScopeList({ scopes }: { scopes: readonly string[] }) {
  return (
    <ul className="grid gap-1">
      {scopes.map((scope) => (
        <li key={scope} className="data wrap-anywhere text-fg-2">
          {scope}
        </li>
      ))}
    </ul>
  );
}
