// Cleans a gift message for printing: no markup, no control characters, at most 240 characters.
export function clean(text: string): string {
  return text
    .replace(/<[^>]*>/g, '')
    .replace(/\p{Cc}/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 240);
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { message } = await request.json();
    return Response.json({ message: clean(String(message)) });
  },
};
