/** `npm run bench:connections`: lookups of 10,000 connections. Needs half a minute. */
import { connectionLookups, lookupTable } from './connection-lookups.ts';

process.stdout.write(`${lookupTable(await connectionLookups())}\n`);
