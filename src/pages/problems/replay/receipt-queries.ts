import type { ReceiptOutcome } from '../../../../contract/states.ts';
import { pages, q } from '../../../api/queries.ts';
import { path } from '../../../lib/path.ts';

export type Ids = { readonly problem_id: string; readonly replay_id: string };
export const idsIn = (params: Readonly<Record<string, string | undefined>>): Ids => ({
  problem_id: params['problemId'] ?? '',
  replay_id: params['replayId'] ?? '',
});

/** The page of a receipt, which only pages of problems link to. */
export const receiptPath = (problemId: string, replayId: string): string =>
  `${path.problem(problemId)}/replays/${replayId}`;

export const replayQuery = ({ replay_id }: Ids) => q('replayGet', { params: { replay_id } });
export const receiptQuery = (params: Ids) => q('receiptGet', { params });
/** In words. */
export const OUTCOMES: Record<ReceiptOutcome, string> = {
  DELIVERED: 'Delivered',
  ALREADY_DELIVERED: 'Already delivered',
  FAILED: 'Failed',
  RETRYING: 'Retrying',
  WAITING: 'Waiting',
  CANCELED: 'Canceled',
  NOT_SENT: 'Not sent',
};
export const isOutcome = (text: string): text is ReceiptOutcome => Object.hasOwn(OUTCOMES, text);
export const lineDefaults = { outcome: '' };
export const linesQuery = (params: Ids, outcome: string) =>
  pages('receiptLineList', {
    params,
    query: isOutcome(outcome) ? { outcome } : {},
  });
