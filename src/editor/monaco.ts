/**
 * Monaco, reduced to the features that the console uses and served by the console. Only code pages import it, lazily,
 * because it is by far the largest dependency.
 */
import { loader } from '@monaco-editor/react';
import * as monaco from 'monaco-editor/editor';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codeEditor/register';
import 'monaco-editor/features/codicon/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/diffEditor/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import 'monaco-editor/features/gotoError/register';
import 'monaco-editor/features/gotoLine/register';
import 'monaco-editor/features/multicursor/register';
import 'monaco-editor/features/quickCommand/register';
import 'monaco-editor/features/toggleTabFocusMode/register';
import 'monaco-editor/features/wordHighlighter/register';
import 'monaco-editor/languages/definitions/javascript/register';
import 'monaco-editor/languages/definitions/python/register';
import 'monaco-editor/languages/definitions/typescript/register';
import workerUrl from 'monaco-editor/editor/editor.worker?worker&url';
import { shownTheme, theme } from '../stores/theme.ts';

type Policy = { createScriptURL(url: string): string };
type TrustedTypes = { createPolicy(name: string, rules: Policy): Policy };

// The page requires Trusted Types, so the worker URL must come from a policy.
const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
const policy = trustedTypes?.createPolicy('monaco-worker', { createScriptURL: (url) => url });
self.MonacoEnvironment = {
  getWorker: () => new Worker(policy?.createScriptURL(workerUrl) ?? workerUrl, { type: 'module', name: 'monaco' }),
};
// Without this the wrapper would load Monaco from a CDN.
loader.config({ monaco: monaco as never });

// If a diff is closed while its worker starts, its models are gone and Monaco rejects a promise that nothing handles.
window.addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof Error && event.reason.message === 'no diff result available') event.preventDefault();
});

export const THEME = 'sluice';

/** Monaco does not support CSS variables, so the theme is built from token values whenever they change. */
function defineTheme(): void {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => sixDigits(style.getPropertyValue(`--${name}`));
  const bare = (name: string) => token(name).replace('#', '');
  const ink = (names: string[], name: string) => names.map((each) => ({ token: each, foreground: bare(name) }));
  // bracket pairs are highlighted at the cursor, not coloured
  const brackets = Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((depth) => [`editorBracketHighlight.foreground${depth}`, token('fg-2')]),
  );
  monaco.editor.defineTheme(THEME, {
    base: shownTheme() === 'dark' ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      { token: '', foreground: bare('fg') },
      ...ink(['keyword', 'keyword.flow', 'keyword.json'], 'code-kw'),
      ...ink(['string', 'string.escape', 'regexp', 'string.value.json'], 'code-str'),
      ...ink(['number', 'number.json'], 'code-num'),
      ...ink(['type', 'type.identifier', 'identifier.function', 'string.key.json'], 'code-key'),
      ...ink(['comment', 'comment.doc'], 'code-com'),
      ...ink(['delimiter', 'delimiter.bracket', 'delimiter.parenthesis', 'operator'], 'fg-2'),
    ],
    colors: {
      'editor.background': token('bg'),
      'editor.foreground': token('fg'),
      'editorLineNumber.foreground': token('fg-3'),
      'editorLineNumber.activeForeground': token('fg'),
      'editor.lineHighlightBackground': token('bg-sunken'),
      'editor.lineHighlightBorder': token('bg-sunken'),
      'editor.selectionBackground': token('accent-line'),
      'editor.findMatchBackground': token('mark-bg'),
      'editorGutter.background': token('bg'),
      ...brackets,
      'editorCursor.foreground': token('accent'),
      'editorWidget.background': token('bg-raised'),
      'editorWidget.border': token('line-2'),
      'diffEditor.insertedLineBackground': token('add-bg'),
      'diffEditor.insertedTextBackground': token('add-strong'),
      'diffEditor.removedLineBackground': token('del-bg'),
      'diffEditor.removedTextBackground': token('del-strong'),
      'diffEditor.diagonalFill': token('line'),
      'diffEditorGutter.insertedLineBackground': token('add-bg'),
      'diffEditorGutter.removedLineBackground': token('del-bg'),
      focusBorder: token('accent'),
    },
  });
  monaco.editor.setTheme(THEME);
}

/** Monaco accepts only #rrggbb; the browser expands what the CSS minifier shortened. */
const pen = document.createElement('canvas').getContext('2d');
function sixDigits(colour: string): string {
  if (!pen) return '#808080';
  pen.fillStyle = colour.trim();
  return String(pen.fillStyle);
}

const later = () => queueMicrotask(defineTheme);
defineTheme();
theme.subscribe(later);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', later);

/** The Monaco language id of a file. */
export function languageOf(path: string): string {
  if (/\.[cm]?tsx?$/.test(path)) return 'typescript';
  if (/\.([cm]?jsx?|json)$/.test(path)) return 'javascript';
  return path.endsWith('.py') ? 'python' : 'plaintext';
}

/** Shared by all editors. A constant, because a new object on each render resets the accessible labels. */
export const EDITOR_OPTIONS = {
  automaticLayout: true,
  fontFamily: '"JetBrains Mono Variable", ui-monospace, Menlo, Consolas, monospace',
  fontLigatures: false,
  fontSize: 12,
  lineHeight: 20,
  minimap: { enabled: false },
  overviewRulerLanes: 0,
  padding: { top: 8, bottom: 8 },
  renderFinalNewline: 'on',
  renderLineHighlightOnlyWhenFocus: true,
  scrollBeyondLastLine: false,
  tabSize: 2,
  // on a phone code wraps, so that a hit is always visible
  wordWrap: matchMedia('(width < 40rem)').matches ? 'on' : 'off',
} as const;

export { monaco };
