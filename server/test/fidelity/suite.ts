import { answers } from './answers.ts';
import { requests } from './requests.ts';
import type { Group } from './rig.ts';
import { trouble, upgrades } from './trouble.ts';

export const suite: Group[] = [answers, requests, trouble, upgrades];

/** Checks this service doesn't pass, and why; docs/gateway.md says so too. */
export const LIMITS: Record<string, string> = {
  'Requests: trailers': 'the client of the app has no way to send them',
};
