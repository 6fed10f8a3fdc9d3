import type { ReactNode } from 'react';
import { useTitle } from '../hooks/use-title.ts';
import { Mark } from '../ui/Mark.tsx';

/** The layout of pages outside the frame: sign-in, first password. */
export function EntrancePage({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useTitle(`${title} · Sluice`);
  return (
    <div className="flex min-h-dvh flex-col items-center bg-frame px-4 pt-[min(18vh,160px)] pb-8 text-13">
      <main className="w-full max-w-[380px]">
        <div className="mb-5 flex items-center gap-2 text-14 font-strong tracking-tight">
          <Mark size={24} />
          Sluice
        </div>
        <div className="rounded-lg border border-line-2 bg-page p-5">
          <h1 className="text-18">{title}</h1>
          {lead === undefined ? null : <p className="mt-1 text-fg-2">{lead}</p>}
          <div className="mt-4">{children}</div>
        </div>
      </main>
    </div>
  );
}
