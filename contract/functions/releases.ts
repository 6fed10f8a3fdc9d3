/** Operations with which a version is tried before it becomes live, or becomes live for a share of the calls. */
import { z } from 'zod';
import { Id } from '../fields.ts';
import { takes } from '../shapes/takes.ts';
import * as gradual from './gradual.ts';
import * as shadows from './shadows.ts';

const functionParams = z.object({ function_id: Id });
const shadowParams = z.object({ function_id: Id, shadow_id: Id });

export const releaseOperations = {
  shadowCreate: takes({ params: functionParams, body: shadows.ShadowCreate, reply: shadows.ShadowCreated }),
  shadowList: takes({ params: functionParams, query: shadows.ShadowQuery, reply: shadows.ShadowPage }),
  shadowGet: takes({ params: shadowParams, reply: shadows.ShadowDetail }),
  shadowCancel: takes({ params: shadowParams, reply: shadows.ShadowReply }),
  shadowRequestList: takes({ params: shadowParams, query: shadows.RequestQuery, reply: shadows.RequestPage }),
  shadowRequestGet: takes({ params: shadowParams.extend({ run_id: Id }), reply: shadows.RequestDetail }),
  gradualGet: takes({ params: functionParams, reply: gradual.GradualReply }),
  gradualPut: takes({ params: functionParams, body: gradual.GradualPut, reply: gradual.GradualReply }),
  gradualDelete: takes({ params: functionParams, reply: z.object({}) }),
};
