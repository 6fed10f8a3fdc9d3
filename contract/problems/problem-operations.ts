/** Schemas of the operations of problems, as those of operations.ts. */
import { z } from 'zod';
import { Id } from '../fields.ts';
import { takes } from '../shapes/takes.ts';
import * as problemReplays from './problem-replays.ts';
import * as problems from './problems.ts';

const problemParams = z.object({ problem_id: Id });
const receiptParams = z.object({ problem_id: Id, replay_id: Id });
const problem = z.object({ problem: problems.Problem });

export const problemOperations = {
  problemList: takes({ query: problems.ProblemQuery, reply: problems.ProblemPage }),
  problemGet: takes({ params: problemParams, reply: problems.ProblemDetail }),
  problemFailureList: takes({
    params: problemParams,
    query: problems.ProblemFailureQuery,
    reply: problems.ProblemFailurePage,
  }),
  problemAcknowledge: takes({ params: problemParams, body: problems.ProblemAcknowledge, reply: problem }),
  problemIgnore: takes({ params: problemParams, body: problems.ProblemIgnore, reply: problem }),
  problemResolve: takes({ params: problemParams, body: problems.ProblemResolve, reply: problem }),
  problemReopen: takes({ params: problemParams, reply: problem }),
  problemReplayCreate: takes({
    params: problemParams,
    body: problemReplays.ProblemReplayCreate,
    reply: problemReplays.ProblemReplayReply,
  }),
  receiptGet: takes({ params: receiptParams, reply: problemReplays.ReceiptReply }),
  receiptLineList: takes({
    params: receiptParams,
    query: problemReplays.ReceiptLineQuery,
    reply: problemReplays.ReceiptLinePage,
  }),
  receiptExport: takes({
    params: receiptParams,
    query: problemReplays.ReceiptExportQuery,
    reply: problemReplays.ReceiptLine,
  }),
};
