/** An event as Asana's documentation shows it: it names the changed resource, which is read through the gateway. */
import { eventTypes, parameters } from '../source.ts';

const event = (resource: object, action: string) => ({
  resource: { gid: '1337', ...resource },
  parent: null,
  created_at: '2013-08-21T18:20:37.972Z',
  user: { gid: '1123', resource_type: 'user' },
  action,
});
const task = (action: string) => event({ resource_type: 'task', resource_subtype: 'default_task' }, action);

export const asanaEvents = eventTypes(
  parameters({
    resource: {
      type: 'string',
      title: 'Resource',
      description: 'Only events of the task, project or other resource with this ID.',
      pattern: '^[0-9]{1,30}$',
      examples: ['1337'],
    },
  }),
  {
    task: ['Anything that happens to a task.', task('changed')],
    'task.added': ['A task was created, or added to a project or section.', task('added')],
    'task.changed': ['A task changed.', task('changed')],
    'task.removed': ['A task was removed from a project or section.', task('removed')],
    'task.deleted': ['A task was deleted.', task('deleted')],
    'task.undeleted': ['A deleted task was restored.', task('undeleted')],
    '*': ['Every event that the webhook sends.', task('changed')],
  },
);
