// Groups merged pull requests into release notes by conventional prefixes.
const SECTIONS: Record<string, string> = { feat: 'Added', fix: 'Fixed', perf: 'Faster', docs: 'Documentation' };

export default {
  async fetch(request: Request): Promise<Response> {
    const { pulls } = await request.json();
    const notes = new Map<string, string[]>();
    for (const { title, number } of pulls) {
      const [, kind, text] = /^(\w+)(?:\([^)]*\))?!?: (.+)$/.exec(title) ?? [];
      const section = SECTIONS[kind ?? ''];
      if (section) notes.set(section, [...(notes.get(section) ?? []), `- ${text} (#${number})`]);
    }
    return new Response([...notes].map(([section, lines]) => `## ${section}\n\n${lines.join('\n')}`).join('\n\n'));
  },
};
