import { type AppDefinition, defineApp } from '../../definition.ts';
import type { Reference } from '../../source.ts';
import { microsoft } from '../microsoft.ts';

/** An app of Microsoft Graph under its name, with the scopes that it needs. */
function graphApp(
  given: Pick<AppDefinition, 'app' | 'name' | 'description' | 'category'>,
  scopes: string[],
  client: Reference,
): AppDefinition {
  const { base_url, docs_url, methods, probe, evidence } = microsoft;
  return defineApp({
    ...given,
    base_url,
    docs_url,
    methods: methods.map((method) =>
      method.method === 'OAUTH2' ? { ...method, scopes: [...method.scopes, ...scopes] } : method,
    ),
    probe,
    evidence: { verified: '2026-11-28', vendor: evidence?.vendor ?? [], others: [client] },
  });
}

export const microsoftApps: readonly AppDefinition[] = [
  graphApp(
    {
      app: 'microsoft-teams',
      name: 'Microsoft Teams',
      description: 'Chats, channels and messages of teams.',
      category: 'communication',
    },
    ['ChannelMessage.Send', 'Chat.Read'],
    'simstudioai/sim apps/sim/tools/microsoft_teams',
  ),
  graphApp(
    {
      app: 'outlook',
      name: 'Microsoft Outlook',
      description: 'Mail and calendar of a mailbox.',
      category: 'communication',
    },
    ['Mail.ReadWrite', 'Mail.Send', 'Calendars.ReadWrite'],
    'simstudioai/sim apps/sim/tools/outlook',
  ),
  graphApp(
    { app: 'onedrive', name: 'Microsoft OneDrive', description: 'Files and folders of a user.', category: 'files' },
    ['Files.ReadWrite'],
    'simstudioai/sim apps/sim/tools/onedrive',
  ),
  graphApp(
    {
      app: 'sharepoint',
      name: 'Microsoft SharePoint',
      description: 'Sites, lists and document libraries.',
      category: 'files',
    },
    ['Sites.ReadWrite.All'],
    'simstudioai/sim apps/sim/tools/sharepoint',
  ),
  graphApp(
    {
      app: 'microsoft-excel',
      name: 'Microsoft Excel',
      description: 'Worksheets, tables and ranges of workbooks.',
      category: 'productivity',
    },
    ['Files.ReadWrite'],
    'simstudioai/sim apps/sim/tools/microsoft_excel',
  ),
  graphApp(
    {
      app: 'microsoft-planner',
      name: 'Microsoft Planner',
      description: 'Plans, buckets and tasks.',
      category: 'productivity',
    },
    ['Tasks.ReadWrite'],
    'simstudioai/sim apps/sim/tools/microsoft_planner',
  ),
];
