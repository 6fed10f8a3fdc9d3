/** Pages and sections of the documentation in the palette. Their index is loaded with the first typed letters. */
import { useQuery } from '@tanstack/react-query';
import { BookOpen } from 'lucide-react';
import { path } from '../../lib/path.ts';
import type { CommandGroup } from '../../ui/overlays/CommandPalette.tsx';

const SHORTEST = 2;
const MOST = 6;

export function useDocsFound(typed: string, go: (to: string) => () => void): CommandGroup {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const { data: docs } = useQuery({
    queryKey: ['docs-index'],
    queryFn: async () => (await import('virtual:docs-index')).default,
    enabled: typed.trim().length >= SHORTEST,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const places = (docs ?? []).flatMap(([page, title, headings]) => [
    { page, label: title, note: undefined, order: 0 },
    ...headings.map(([depth, id, text]) => ({ page: `${page}#${id}`, label: text, note: title, order: depth })),
  ]);
  const isFound = (text: string) => words.every((word) => text.startsWith(word) || text.includes(` ${word}`));
  const found = words.length === 0 ? [] : places.filter(({ label }) => isFound(label.toLowerCase()));
  return {
    label: 'Documentation',
    found: true,
    commands: found
      .toSorted((a, b) => a.order - b.order || a.label.length - b.label.length)
      .slice(0, MOST)
      .map(({ page, label, note }) => ({
        id: `docs ${page}`,
        label,
        note,
        icon: BookOpen,
        onSelect: go(path.docs(page)),
      })),
  };
}
