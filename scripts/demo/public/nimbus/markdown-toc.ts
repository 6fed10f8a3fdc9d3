// Makes a table of contents from the headings of a Markdown text.
const anchor = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');

export default {
  async fetch(request: Request): Promise<Response> {
    const text = (await request.text()).replace(/^```[\s\S]*?^```/gm, '');
    const lines = [...text.matchAll(/^(#{2,4}) (.+)$/gm)].map(
      ([, marks, title]) => `${'  '.repeat(marks.length - 2)}- [${title}](#${anchor(title)})`,
    );
    return new Response(lines.join('\n'));
  },
};
