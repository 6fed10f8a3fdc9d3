import './prism-manual.ts';
import Prism from 'prismjs/components/prism-core';

// the grammars below are old scripts that look for Prism as a global
Object.assign(globalThis, { Prism });

export { Prism };
