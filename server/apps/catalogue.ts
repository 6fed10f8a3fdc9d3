import { airtable } from './catalogue/airtable.ts';
import { github } from './catalogue/github.ts';
import { hubspot } from './catalogue/hubspot.ts';
import { linear } from './catalogue/linear.ts';
import { notion } from './catalogue/notion.ts';
import { openai } from './catalogue/openai.ts';
import { schedule } from './catalogue/schedule.ts';
import { sendgrid } from './catalogue/sendgrid.ts';
import { shopify } from './catalogue/shopify.ts';
import { stripe } from './catalogue/stripe.ts';
import { trello } from './catalogue/trello.ts';
import { type CompiledApp, compileApp } from './compile.ts';

const DEFINITIONS = [airtable, github, hubspot, linear, notion, openai, schedule, sendgrid, shopify, stripe, trello];

/** The apps that every account has, by id. Compiled when the service starts, so a mistake in a file stops the start. */
export const catalogue: ReadonlyMap<string, CompiledApp> = new Map(
  DEFINITIONS.map((definition) => [definition.app, compileApp(definition)]),
);
