import { Monogram, type MonogramProps } from '../../ui/Monogram.tsx';
import { APP_ICONS } from './app-icons.ts';

export interface AppIconProps extends Pick<MonogramProps, 'size'> {
  /** The app's id. */
  readonly app: string;
  readonly name: string;
}

/** The tile of an app: its own picture in the page's ink, or its letters. The name is shown beside it. */
export function AppIcon({ app, name, size }: AppIconProps) {
  return <Monogram name={name} size={size} picture={APP_ICONS.has(app) ? `/icons/${app}.svg` : undefined} />;
}
