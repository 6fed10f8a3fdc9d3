import { Monogram, type MonogramProps } from '../../ui/Monogram.tsx';
import { APP_ICONS } from './app-icons.ts';

export interface AppIconProps extends Pick<MonogramProps, 'size'> {
  /** The app id. */
  readonly app: string;
  readonly name: string;
}

/** The tile of an app: its icon in the text colour, or its letters. The name is shown beside it. */
export function AppIcon({ app, name, size }: AppIconProps) {
  return <Monogram name={name} size={size} picture={APP_ICONS.has(app) ? `/icons/${app}.svg` : undefined} />;
}
