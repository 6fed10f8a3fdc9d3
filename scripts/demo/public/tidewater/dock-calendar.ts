// Turns dock bookings into an iCalendar feed.
const stamp = (time: string) => new Date(time).toISOString().replace(/[-:]|\.\d{3}/g, '');
const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\n/g, '\\n');

export default {
  async fetch(request: Request): Promise<Response> {
    const { bookings } = await request.json();
    const events = bookings.map(({ id, dock, carrier, from, until }: Record<string, string>) =>
      [
        'BEGIN:VEVENT',
        `UID:${id}@docks`,
        `DTSTART:${stamp(from)}`,
        `DTEND:${stamp(until)}`,
        `SUMMARY:${escaped(`${dock}: ${carrier}`)}`,
        'END:VEVENT',
      ].join('\r\n'),
    );
    const feed = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//docks//EN', ...events, 'END:VCALENDAR', ''].join('\r\n');
    return new Response(feed, { headers: { 'content-type': 'text/calendar; charset=utf-8' } });
  },
};
