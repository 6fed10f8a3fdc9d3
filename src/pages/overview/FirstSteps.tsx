import { Braces, Check, KeyRound, Plug, Zap } from 'lucide-react';
import { Link } from '../../components/Link.tsx';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';
import type { Icon } from '../../ui/icon.ts';
import { firstSteps, type StepsDone } from './steps-done.ts';

type Step = { name: keyof StepsDone; title: string; what: string; icon: Icon; action: string; to: string };

const STEPS: readonly Step[] = [
  {
    name: 'key',
    title: 'Create an API key',
    what: 'Authenticates calls to the API and your connected apps.',
    icon: KeyRound,
    action: 'New key',
    to: path.keyNew(),
  },
  {
    name: 'function',
    title: 'Deploy a function',
    what: 'Code with its own URL; every call is stored as a run.',
    icon: Braces,
    action: 'New function',
    to: path.functionNew(),
  },
  {
    name: 'connection',
    title: 'Connect an app',
    what: 'Call its native API through the gateway with your key.',
    icon: Plug,
    action: 'New connection',
    to: path.connectionNew(),
  },
  {
    name: 'trigger',
    title: 'Create a trigger',
    what: 'Its events go to your destinations, with retries and replay.',
    icon: Zap,
    action: 'New trigger',
    to: path.triggerNew(),
  },
];

/** The four setup steps; each is checked automatically. */
export default function FirstSteps({ done }: { done: StepsDone }) {
  const next = STEPS.find(({ name }) => !done[name]);
  return (
    <section aria-labelledby="first-steps" className="px-4 pt-1 pb-4 max-sm:px-3">
      <div className="flex items-center">
        <h2 id="first-steps" className="flex-1 text-14">
          First steps
        </h2>
        <Button variant="ghost" size="sm" onClick={() => firstSteps.set('hidden')}>
          Hide
        </Button>
      </div>
      <ol className="mt-2 grid rounded-lg border border-line-2 sm:grid-cols-2 xl:grid-cols-4">
        {STEPS.map((step) => (
          <li
            key={step.title}
            className="flex flex-col gap-1 border-line p-4 not-first:border-t sm:nth-2:border-t-0 sm:even:border-l xl:border-t-0! xl:not-first:border-l"
          >
            <StepMark step={step} done={done[step.name]} />
            <p className="text-fg-2">{step.what}</p>
            <div className="mt-auto pt-2">
              {done[step.name] ? null : (
                <LinkButton variant={step === next ? 'primary' : 'default'} render={<Link to={step.to} />}>
                  {step.action}
                </LinkButton>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function StepMark({ step: { title, icon: Mark }, done }: { step: Step; done: boolean }) {
  return (
    <h3 className="flex items-center gap-2 text-13 tracking-normal">
      {done ? (
        <Check size={16} strokeWidth={2} className="flex-none text-ok-fg" aria-hidden />
      ) : (
        <Mark size={16} strokeWidth={1.75} className="flex-none text-fg-3" aria-hidden />
      )}
      {title}
      {done ? <span className="text-12 font-normal text-fg-3">done</span> : null}
    </h3>
  );
}
