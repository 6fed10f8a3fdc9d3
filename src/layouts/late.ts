/** What the frame shows or starts after its first render. One file, so that it takes few requests (late-part.ts). */
import './late.css';

export { followLive } from '../api/live/live.ts';
export { default as SavedFilterLinks } from '../components/events/saved/SavedFilterLinks.tsx';
export { default as AccountMenu } from './AccountMenu.tsx';
export { default as DeletedBanner } from './banners/DeletedBanner.tsx';
export { default as HoldBanner } from './banners/HoldBanner.tsx';
export { default as LiveBanner } from './banners/LiveBanner.tsx';
export { default as HelpLink } from './help/HelpLink.tsx';
export { default as LiveStatus } from './LiveStatus.tsx';
export { default as KeyList } from './palette/KeyList.tsx';
export { default as SessionEnd } from './SessionEnd.tsx';
export { default as ThemeMenu } from './ThemeMenu.tsx';
