import { airtable } from './airtable.ts';
import { type CompiledApp, compileApp } from './compile.ts';
import { github } from './github.ts';
import { hubspot } from './hubspot.ts';
import { linear } from './linear.ts';
import { notion } from './notion.ts';
import { openai } from './openai.ts';
import { schedule } from './schedule.ts';
import { sendgrid } from './sendgrid.ts';
import { shopify } from './shopify.ts';
import { stripe } from './stripe.ts';
import { trello } from './trello.ts';

const DEFINITIONS = [airtable, github, hubspot, linear, notion, openai, schedule, sendgrid, shopify, stripe, trello];

/** The apps that every account has, by id. Compiled when the service starts, so a mistake in a file stops the start. */
export const catalogue: ReadonlyMap<string, CompiledApp> = new Map(
  DEFINITIONS.map((definition) => [definition.app, compileApp(definition)]),
);
