/**
 * Undeployed code, stored by function for the life of the browser tab, so that opening a run or a diff loses nothing.
 * Leaving the function asks for confirmation (UnsavedGuard.tsx).
 */
import { useSyncExternalStore } from 'react';
import { plural } from '../../../lib/format.ts';

export type Files = Readonly<Record<string, string>>;
export type Draft = {
  /** The base version and its files. */
  readonly version: number;
  readonly before: Files;
  readonly files: Files;
  readonly message: string;
  /** Set if it differs from the live handler. */
  readonly handler?: string | undefined;
};
export type FileChange = 'added' | 'changed' | 'removed';

/** The changes by path; an empty map means no change. */
export function changesOf(before: Files, after: Files): ReadonlyMap<string, FileChange> {
  const changes = new Map<string, FileChange>();
  for (const path of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    if (before[path] === after[path]) continue;
    changes.set(path, before[path] === undefined ? 'added' : after[path] === undefined ? 'removed' : 'changed');
  }
  return changes;
}

const PATH = /^(?!\/)(?!.*(?:^|\/)\.{1,2}(?:\/|$))(?!.*\/\/)[^\u0000-\u001f\u007f\\:*?"<>|]{1,255}(?<!\/)$/;

/** Why a path is invalid; undefined if it is valid. */
export function pathMistake(path: string, files: Files): string | undefined {
  if (path === '') return 'Enter a file name.';
  if (!PATH.test(path)) return 'Enter a relative path such as src/index.ts.';
  if (files[path] !== undefined) return `A file ${path} already exists.`;
  return undefined;
}

/** The files without `path`, or with it moved to `to`. */
export function withFile(files: Files, path: string, text: string): Files {
  return { ...files, [path]: text };
}
export function withoutFile(files: Files, path: string): Files {
  return Object.fromEntries(Object.entries(files).filter(([each]) => each !== path));
}
export function withMoved(files: Files, path: string, to: string): Files {
  return Object.fromEntries(Object.entries(files).map(([each, text]) => [each === path ? to : each, text]));
}

/** The file that the editor opens first: the handler's, else the first one. */
export function mainFile(files: Files, handler: string): string {
  const paths = Object.keys(files).sort();
  const module = handler.slice(0, handler.lastIndexOf('.'));
  const own = paths.find((path) => path.slice(0, path.lastIndexOf('.')) === module);
  return own ?? paths[0] ?? '';
}

/** The handler, adjusted to a moved file. */
export function handlerAfter(handler: string, before: Files, after: Files): string {
  const dot = handler.lastIndexOf('.');
  const isOf = (path: string) => path.slice(0, path.lastIndexOf('.')) === handler.slice(0, dot);
  const gone = Object.keys(before).find((path) => isOf(path) && after[path] === undefined);
  const come = Object.keys(after).filter((path) => before[path] === undefined);
  const [to = ''] = come;
  if (gone === undefined || come.length !== 1 || after[to] !== before[gone]) return handler;
  return `${to.slice(0, to.lastIndexOf('.'))}${handler.slice(dot)}`;
}

/** The number of changed files, or the changed handler, in words; undefined without a change. */
export function changedWords({ before, files, handler }: Draft): string | undefined {
  const { size } = changesOf(before, files);
  if (size > 0) return plural(size, 'changed file');
  return handler === undefined ? undefined : 'another handler';
}

const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

function subscribe(onChange: () => void) {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

/** Stores a function's draft; a draft without changes is deleted. */
export function keepDraft(functionId: string, draft: Draft | undefined): void {
  if (draft && changedWords(draft) !== undefined) drafts.set(functionId, draft);
  else drafts.delete(functionId);
  for (const listener of listeners) listener();
}

/** Deletes a function's draft, unless its files were edited since they were `sent`. */
export function dropDraft(functionId: string, sent: Files): void {
  const draft = drafts.get(functionId);
  if (draft && changesOf(sent, draft.files).size === 0) keepDraft(functionId, undefined);
}

/**
 * After a deploy of `files`: what was typed meanwhile stays, as a draft of the new version. `message` and `handler` are
 * those that were sent.
 */
export function rebaseDraft(
  functionId: string,
  deployed: { version: number; files: Files; message?: string | undefined; handler: string },
): void {
  const draft = drafts.get(functionId);
  if (!draft) return;
  const { version, files: before } = deployed;
  const message = draft.message.trim() === (deployed.message ?? '') ? '' : draft.message;
  const handler = draft.handler?.trim() === deployed.handler ? undefined : draft.handler;
  keepDraft(functionId, { version, before, files: draft.files, message, handler });
}

export function useDraft(functionId: string): Draft | undefined {
  return useSyncExternalStore(subscribe, () => drafts.get(functionId));
}
