import type { TimeZone } from '../lib/format.ts';
import { preference } from './preference.ts';

/** Whether the console displays times in UTC or in the browser's time zone. */
export const timeZone = preference<TimeZone>('sluice.time_zone', ['utc', 'local'], 'local');
