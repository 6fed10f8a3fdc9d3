import type { Language } from '../languages/language.ts';
import { type Network, networkKey } from '../network/network-policy.ts';

/** What a process is booted for, before its function is known. */
export type Needs = Network & { language: Language };

/** Equal for processes that can serve each other's functions. */
export const needsKey = (needs: Needs): string => `${needs.language.name} ${networkKey(needs)}`;
