import { Rocket } from 'lucide-react';
import { useState } from 'react';
import { useApiMutation } from '../../../api/mutations.ts';
import { useReason } from '../../../api/session.ts';
import { Link } from '../../../components/Link.tsx';
import { STARTERS, starterOf } from '../../../components/starters/starters.ts';
import { path } from '../../../lib/path.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { StepError, StepRow } from './StepRow.tsx';

const OPTIONS = STARTERS.map(({ id, title }) => ({ value: id, label: title }));

/** Deploys a starter. */
export function FunctionStep({ done }: { readonly done: boolean }) {
  const reason = useReason('functionCreate');
  const [chosen, setChosen] = useState('scheduled-report');
  const starter = starterOf(chosen);
  const deploy = useApiMutation('functionCreate', { failure: 'inline', invalidates: ['functionList', 'overviewGet'] });
  const made = deploy.data?.function;
  return (
    <StepRow
      title="Deploy a starter function"
      what={starter?.what}
      done={done}
      result={
        deploy.error ? (
          <StepError error={deploy.error} />
        ) : made ? (
          <p className="wrap-anywhere">
            {made.name} is deployed at {made.url}{' '}
            <Link className="link underline underline-offset-2" to={`${path.function(made.function_id)}?test=on`}>
              Test function
            </Link>
          </p>
        ) : null
      }
    >
      <span className="w-44">
        <Select
          aria-label="Starter"
          options={OPTIONS}
          value={chosen}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
      </span>
      <Button
        icon={Rocket}
        reason={reason}
        pending={deploy.isPending}
        onClick={() => {
          if (!starter) return;
          const { name, runtime, handler, files } = starter;
          deploy.mutate({ body: { name, runtime, handler, files } });
        }}
      >
        Deploy
      </Button>
      <LinkButton variant="ghost" render={<Link to={path.functionNew(chosen)} />}>
        Edit first
      </LinkButton>
    </StepRow>
  );
}
