// Writes one line about each pull request to the log.
export default {
  async fetch(request: Request): Promise<Response> {
    const { action, pull_request, repository } = (await request.json()).data;
    const line = `${repository.full_name}#${pull_request.number} ${action}: ${pull_request.title}`;
    console.info(JSON.stringify({ level: 'info', msg: line, author: pull_request.user.login }));
    return Response.json({ line });
  },
};
