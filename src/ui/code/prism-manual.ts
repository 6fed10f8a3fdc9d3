// Prism looks for this before it starts: without it, it would rewrite the page's code elements on its own.
Object.assign(globalThis, { Prism: { manual: true } });
