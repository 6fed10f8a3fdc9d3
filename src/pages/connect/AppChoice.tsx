import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { type ApiError, toApiError } from '../../api/api-error.ts';
import { AppIcon } from '../../components/apps/AppIcon.tsx';
import { type ConnectChoice, chooseApp } from './connect-api.ts';

export interface AppChoiceProps {
  readonly choice: ConnectChoice;
  readonly onChosen: () => void;
}

/** The apps of a connect session, each a button. */
export function AppChoice({ choice: { apps }, onChosen }: AppChoiceProps) {
  const [pending, setPending] = useState<string>();
  const [refused, setRefused] = useState<ApiError>();

  async function choose(app: string) {
    if (pending) return;
    setPending(app);
    setRefused(undefined);
    try {
      await chooseApp(app, { back: true });
      onChosen();
    } catch (thrown) {
      setRefused(toApiError(thrown));
      setPending(undefined);
    }
  }

  if (apps.length === 0) return <p className="p-5 text-fg-2">None of the apps of this session exists any longer.</p>;
  return (
    <>
      {refused ? (
        <p role="alert" className="border-b border-bad-line bg-bad-bg px-5 py-2 text-bad-fg wrap-anywhere">
          {refused.message}
        </p>
      ) : null}
      <ul aria-label="Apps" className="divide-y divide-line">
        {apps.map(({ app, name, description }) => (
          <li key={app}>
            <button
              type="button"
              aria-busy={pending === app || undefined}
              onClick={() => void choose(app)}
              className="flex w-full items-center gap-3 px-5 py-3 text-left hover:bg-hover focus-visible:-outline-offset-2"
            >
              <AppIcon app={app} name={name} size="lg" />
              <span className="min-w-0 flex-1 wrap-anywhere">
                <span className="block font-medium">{name}</span>
                <span className="block text-12 text-fg-3">{description}</span>
              </span>
              <ChevronRight size={14} className="flex-none text-fg-3" aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
