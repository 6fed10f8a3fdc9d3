// Responds to any caller.
export default {
  fetch(request: Request): Response {
    const name = new URL(request.url).searchParams.get('name') ?? 'world';
    console.log('greeting', name);
    return new Response(`Hello, ${name}!\n`);
  },
};
