import './prism-manual.ts';
import Prism from 'prismjs/components/prism-core';

// the grammars are scripts that expect Prism as a global
Object.assign(globalThis, { Prism });

export { Prism };
