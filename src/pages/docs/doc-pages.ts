/** The pages of docs/: each is a chunk, loaded when it is opened. */
import type { ReactElement, ReactNode } from 'react';

export type Attributes = Readonly<Record<string, string | number>>;
/** Creates an element of a page. */
export type CreateElement = (tag: string, attributes: Attributes, ...content: readonly ReactNode[]) => ReactElement;

export interface DocPage {
  readonly title: string;
  readonly content: (h: CreateElement) => readonly ReactNode[];
}

const FOLDER = '../../../docs/';
const pages = import.meta.glob<DocPage>('../../../docs/**/*.md');

/** Loads a page: `reference/api`; '' is the index. Returns undefined if it does not exist. */
export const loadDocPage = (page: string): Promise<DocPage> | undefined => pages[`${FOLDER}${page || 'README'}.md`]?.();
