// Returns the next semantic version for a list of commit messages.
export function next(version: string, messages: string[]): string {
  const [major, minor, patch] = version.split('.').map(Number);
  if (messages.some((message) => /^\w+(\(.+\))?!:|BREAKING CHANGE/m.test(message))) return `${major + 1}.0.0`;
  if (messages.some((message) => message.startsWith('feat'))) return `${major}.${minor + 1}.0`;
  return `${major}.${minor}.${patch + 1}`;
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { version, messages } = await request.json();
    return Response.json({ version: next(version, messages) });
  },
};
