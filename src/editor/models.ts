/**
 * Monaco's text models by scope: a function's draft, a version. They outlive a change of the file, so that each file
 * keeps its undo history, and go away with the last editor of their scope.
 */
import { monaco } from './monaco.ts';

const held = new Map<string, number>();

/** A model's name. Every segment is escaped: a `#` in a file's name is no fragment. */
export function modelPath(scope: string, path: string): string {
  return `file:///${[...scope.split('/'), ...path.split('/')].map(encodeURIComponent).join('/')}`;
}

/** For an editor's effect: the returned function lets go. */
export function holdModels(scope: string): () => void {
  held.set(scope, (held.get(scope) ?? 0) + 1);
  return () => {
    held.set(scope, (held.get(scope) ?? 1) - 1);
    // after the editor is gone: a model must not be disposed of while one shows it
    setTimeout(() => {
      if (held.get(scope)) return;
      held.delete(scope);
      const prefix = monaco.Uri.parse(modelPath(scope, '')).path;
      for (const model of monaco.editor.getModels()) if (model.uri.path.startsWith(prefix)) model.dispose();
    });
  };
}
