// Reads width and height of a PNG or GIF from its first bytes.
export default {
  async fetch(request: Request): Promise<Response> {
    const bytes = Buffer.from(await request.arrayBuffer());
    if (bytes.subarray(1, 4).toString() === 'PNG')
      return Response.json({ type: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) });
    if (bytes.subarray(0, 3).toString() === 'GIF')
      return Response.json({ type: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) });
    return Response.json({ error: 'expected PNG or GIF' }, { status: 415 });
  },
};
