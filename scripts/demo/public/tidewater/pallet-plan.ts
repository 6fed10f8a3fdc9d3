// Packs boxes onto pallets, largest first, up to weight and height.
type Box = { id: string; kg: number; cm: number };
const PALLET = { kg: 700, cm: 180 };

export function plan(boxes: Box[]): Box[][] {
  const pallets: Box[][] = [];
  for (const box of [...boxes].sort((a, b) => b.kg - a.kg)) {
    const fits = pallets.find(
      (pallet) =>
        pallet.reduce((sum, { kg }) => sum + kg, box.kg) <= PALLET.kg &&
        pallet.reduce((sum, { cm }) => sum + cm, box.cm) <= PALLET.cm,
    );
    if (fits) fits.push(box);
    else pallets.push([box]);
  }
  return pallets;
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { boxes } = await request.json();
    return Response.json({ pallets: plan(boxes).map((pallet) => pallet.map(({ id }) => id)) });
  },
};
