/** Re-encodes a screenshot with a palette of 256 colours: pages of the console use few, and their files shrink to a third. */
import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

const COLOURS = 256;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

type Colour = readonly [red: number, green: number, blue: number];

export function smallPng(screenshot: Buffer): Buffer {
  const { width, height, data } = PNG.sync.read(screenshot);
  const counts = new Map<number, number>();
  for (let at = 0; at < data.length; at += 4) {
    const colour = data.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = paletteOf(counts);
  const indexes = new Map([...counts.keys()].map((colour) => [colour, nearest(rgb(colour), palette)]));
  // one more byte at the start of each row: no filter, which suits a palette
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      rows[y * (width + 1) + x + 1] = indexes.get(data.readUIntBE((y * width + x) * 4, 3)) ?? 0;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // 8 bits, indexed colours
  head.set([8, 3], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const rgb = (colour: number): Colour => [colour >> 16, (colour >> 8) & 255, colour & 255];

/** The most frequent colours. Of similar ones, which have the first four bits in common, each has half the weight of the one before. */
function paletteOf(counts: ReadonlyMap<number, number>): readonly Colour[] {
  const similar = new Map<number, number>();
  const weighted = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([colour, count]): [Colour, number] => {
      const kind = colour & 0xf0f0f0;
      const before = similar.get(kind) ?? 0;
      similar.set(kind, before + 1);
      return [rgb(colour), count / 2 ** before];
    });
  return weighted
    .sort(([, a], [, b]) => b - a)
    .slice(0, COLOURS)
    .map(([colour]) => colour);
}

function nearest(colour: Colour, palette: readonly Colour[]): number {
  const distances = palette.map((each) =>
    each.reduce((sum, part, index) => sum + (part - (colour[index] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
