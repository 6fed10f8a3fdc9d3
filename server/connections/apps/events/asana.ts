/** An event as Asana's documentation shows it: what changed is named, and read through the gateway. */
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
      description: 'Only events of the task, project or the like with this id; of all where none is given.',
      pattern: '^[0-9]{1,30}$',
      examples: ['1337'],
    },
  }),
  {
    task: ['Anything that happens to a task.', task('changed')],
    'task.added': ['A task was created, or added to something.', task('added')],
    'task.changed': ['A task changed.', task('changed')],
    'task.removed': ['A task was taken out of something.', task('removed')],
    'task.deleted': ['A task was deleted.', task('deleted')],
    'task.undeleted': ['A deleted task was brought back.', task('undeleted')],
    '*': ['Every event that the webhook sends.', task('changed')],
  },
);
