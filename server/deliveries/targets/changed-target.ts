/**
 * The destination as a bulk replay sends to it: with another version of its function, or another body template. The
 * changes are stored with the replay and apply to all attempts of its deliveries, on any node.
 */
import type { Target } from '../store/destinations/destinations.ts';
import type { ReplayChanges } from '../store/replays/replays.ts';

/** By target and changes, so that requests of a changed target are prepared once. */
const changedTargets = new WeakMap<Target, WeakMap<ReplayChanges, Target>>();

/** The target with the changes of a replay. */
export function changedTarget(target: Target, changes: ReplayChanges): Target {
  const { function_id, function_version, body_template } = changes;
  if (function_version === null && body_template === null) return target;
  const known = changedTargets.get(target) ?? new WeakMap<ReplayChanges, Target>();
  changedTargets.set(target, known);
  const changed = known.get(changes) ?? {
    ...target,
    ...(body_template === null ? {} : { body_template, body_source: 'EVENT' as const }),
    ...(function_id === null || function_version === null
      ? {}
      : { version: { function_id, number: function_version } }),
  };
  known.set(changes, changed);
  return changed;
}
