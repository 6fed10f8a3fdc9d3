/** What simulates one source in source-senders.ts. */

/** `number` identifies the event: deliveries with the same number are duplicates. */
export type Delivery = { event_type: string; sample: unknown; number: number; url: string; secret: string; at: Date };
export type Sender = {
  secret: string;
  /** The required signature header. */
  signature: string;
  /** False for a plain token: body and timestamp are then not verified. */
  covers: { body: boolean; time: boolean };
  body(delivery: Delivery): string;
  headers(delivery: Delivery, body: string): Record<string, string>;
};
