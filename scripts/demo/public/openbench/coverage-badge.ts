// Draws a badge with the coverage of tests as SVG.
const colour = (percent: number) => (percent >= 90 ? '#2e7d32' : percent >= 70 ? '#b26a00' : '#b3261e');

export default {
  fetch(request: Request): Response {
    const percent = Math.max(0, Math.min(100, Number(new URL(request.url).searchParams.get('percent') ?? 0)));
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="110" height="20" role="img" aria-label="coverage ${percent}%">
<rect width="66" height="20" fill="#444"/><rect x="66" width="44" height="20" fill="${colour(percent)}"/>
<g fill="#fff" font-family="Verdana" font-size="11"><text x="6" y="14">coverage</text><text x="74" y="14">${percent}%</text></g></svg>`;
    return new Response(svg, { headers: { 'content-type': 'image/svg+xml', 'cache-control': 'max-age=300' } });
  },
};
