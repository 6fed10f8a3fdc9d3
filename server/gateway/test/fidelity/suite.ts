import { answers } from './answers.ts';
import { requests } from './requests.ts';
import type { Group } from './rig.ts';
import { trouble, upgrades } from './trouble.ts';

export const suite: Group[] = [answers, requests, trouble, upgrades];
