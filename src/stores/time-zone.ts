import type { TimeZone } from '../lib/format.ts';
import { preference } from './preference.ts';

/** Whether times are written in UTC or in the browser's zone; one switch for the whole console. */
export const timeZone = preference<TimeZone>('sluice.time_zone', ['utc', 'local'], 'local');
