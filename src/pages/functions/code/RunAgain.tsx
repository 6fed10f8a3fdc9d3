import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Run } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { usePrefetchedQuery } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useReason } from '../../../api/session.ts';
import { curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { path } from '../../../lib/path.ts';
import { Checkbox } from '../../../ui/controls/Checkbox.tsx';
import { Panel, PanelSection } from '../../../ui/overlays/Panel.tsx';
import { functionQuery, runQuery } from '../function-queries.ts';
import { RequestForm } from './RequestForm.tsx';
import { typedFrom } from './request.ts';

/** Edits the run's request and sends it again; opens the new run. */
export function RunAgain({ run, onClose }: { run: Run; onClose: () => void }) {
  const { function_id, version } = run;
  const params = { function_id };
  const { function: fn } = usePrefetchedQuery(functionQuery(function_id)).data;
  const [first] = useState(() => typedFrom(run));
  const [typed, setTyped] = useState(first.typed);
  const [sameVersion, setSameVersion] = useState(false);
  const reason = useReason('functionInvoke');
  const navigate = useNavigate();
  const which = sameVersion ? { version } : {};
  const invoke = useApiMutation('functionInvoke', {
    failure: 'inline',
    onSuccess: ({ run: made }) => {
      queryClient.setQueryData(runQuery(function_id, made.run_id).queryKey, made);
      return navigate(path.run(function_id, made.run_id));
    },
  });
  return (
    <Panel mode="over" title={`Run ${fn.name} again`} onClose={onClose}>
      <PanelSection>
        <RequestForm
          typed={typed}
          onType={setTyped}
          onSend={(body) => invoke.mutate({ params, body: { ...body, ...which } })}
          sendLabel="Run"
          pending={invoke.isPending}
          reason={reason}
          error={invoke.error}
          curl={(body) => curlText('functionInvoke', { params, body: { ...body, ...which } })}
        />
        {first.leftOut.length > 0 ? (
          <p className="mt-3 text-12 text-fg-3">Not stored, so left out here: {first.leftOut.join(', ')}.</p>
        ) : null}
        {version === fn.version ? null : (
          <Checkbox
            className="mt-3"
            label={`Run version ${version} again`}
            help={`Otherwise the live version ${fn.version} runs.`}
            checked={sameVersion}
            onChange={(event) => setSameVersion(event.target.checked)}
          />
        )}
      </PanelSection>
    </Panel>
  );
}
