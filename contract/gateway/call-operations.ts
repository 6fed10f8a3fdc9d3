/** Operations for the calls of all connections, and for captures. */
import { z } from 'zod';
import { takes } from '../shapes/takes.ts';
import * as calls from './calls.ts';

export const callOperations = {
  callList: takes({ query: calls.LoggedCallQuery, reply: calls.LoggedCallPage }),
  callGet: takes({ params: calls.Params, reply: calls.LoggedCallDetail }),
  captureList: takes({ reply: calls.CaptureList }),
  captureCreate: takes({ body: calls.CaptureCreate, reply: z.object({ capture: calls.Capture }) }),
  captureDelete: takes({ params: calls.CaptureParams, reply: z.object({}) }),
};
