import { catalogue } from './catalogue.ts';

/** The app in a metric's label: an account's own apps have names that are not for the operator, and any number. */
export const appLabel = (app: string): string => (catalogue.has(app) ? app : 'custom');
