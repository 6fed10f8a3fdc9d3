/** The lines of an export, in each of its formats. */
import type { Reply } from '../../../contract/operations.ts';
import { type Cell, csvLine } from '../../lib/bodies/csv.ts';

/** An event with its payload as stored text. */
export type ExportRow = Omit<Reply<'eventExport'>, 'payload'> & { payload: string };

/** One line of JSON. The payload is inserted as it is stored, except line breaks between its tokens. */
export function* ndjsonOf({ payload, ...rest }: ExportRow): Generator<string> {
  yield `${JSON.stringify(rest).slice(0, -1)},"payload":${payload.replace(/[\r\n]/g, '')}}\n`;
}

export const ndjsonErrorOf = (body: unknown): string => `${JSON.stringify({ error: body })}\n`;

type Outcome = ExportRow['outcomes'][number];

const COLUMNS: Record<string, (event: ExportRow, delivery: Outcome | undefined) => Cell> = {
  event_id: ({ event_id }) => event_id,
  trigger_id: ({ trigger_id }) => trigger_id,
  trigger_name: ({ trigger_name }) => trigger_name,
  source: ({ source }) => source,
  event_type: ({ event_type }) => event_type,
  received_at: ({ received_at }) => received_at,
  replay_of: ({ replay_of }) => replay_of,
  delivery_id: (_, delivery) => delivery?.delivery_id,
  destination_id: (_, delivery) => delivery?.destination_id,
  destination_name: (_, delivery) => delivery?.destination_name,
  status: (_, delivery) => delivery?.status,
  attempts: (_, delivery) => delivery?.attempts,
  last_response_status: (_, delivery) => delivery?.last_response_status,
  last_error_message: (_, delivery) => delivery?.last_error_message,
  payload: ({ payload }) => payload,
};

export const csvHead = csvLine(Object.keys(COLUMNS));

/** One line for each delivery of the event; one line with empty columns for an event without deliveries. */
export function* csvOf(event: ExportRow): Generator<string> {
  const deliveries = event.outcomes.length === 0 ? [undefined] : event.outcomes;
  const columns = Object.values(COLUMNS);
  for (const delivery of deliveries) yield csvLine(columns.map((column) => column(event, delivery)));
}
