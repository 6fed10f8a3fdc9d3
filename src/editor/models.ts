/**
 * Monaco text models by scope (a function's draft, a version). They survive switching files, so that each file keeps
 * its undo history, and are disposed with the last editor of their scope.
 */
import { monaco } from './monaco.ts';

const held = new Map<string, number>();

/** The URI of a model. Segments are escaped, so that a `#` in a file name is not a fragment. */
export function modelPath(scope: string, path: string): string {
  return `file:///${[...scope.split('/'), ...path.split('/')].map(encodeURIComponent).join('/')}`;
}

/** Retains the models of a scope; returns the function that releases them. */
export function holdModels(scope: string): () => void {
  held.set(scope, (held.get(scope) ?? 0) + 1);
  return () => {
    held.set(scope, (held.get(scope) ?? 1) - 1);
    // after the editor is disposed: a displayed model must not be disposed
    setTimeout(() => {
      if (held.get(scope)) return;
      held.delete(scope);
      const prefix = monaco.Uri.parse(modelPath(scope, '')).path;
      for (const model of monaco.editor.getModels()) if (model.uri.path.startsWith(prefix)) model.dispose();
    });
  };
}
