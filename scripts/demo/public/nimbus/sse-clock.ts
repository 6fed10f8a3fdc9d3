// Streams the time once a second as server-sent events, ten times.
export default {
  fetch(): Response {
    let sent = 0;
    const stream = new ReadableStream({
      async pull(controller) {
        if (sent++ === 10) return controller.close();
        await new Promise((done) => setTimeout(done, 1000));
        controller.enqueue(new TextEncoder().encode(`data: ${new Date().toISOString()}\n\n`));
      },
    });
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  },
};
