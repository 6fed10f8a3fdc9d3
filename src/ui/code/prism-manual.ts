// Prism checks this on load; otherwise it would highlight all code elements of the page automatically.
Object.assign(globalThis, { Prism: { manual: true } });
