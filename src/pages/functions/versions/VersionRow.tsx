import { Code, Download, FlaskConical, MoreHorizontal, RotateCcw, Split } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { toApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import type { FunctionVersion, HostedFunction } from '../../../api/entities.ts';
import { CopyAsCurlItem, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../../components/Link.tsx';
import { path } from '../../../lib/path.ts';
import { Chip, statusIcons } from '../../../ui/controls/Chip.tsx';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { cx } from '../../../ui/cx.ts';
import { Menu } from '../../../ui/overlays/Menu.tsx';
import { MenuItem, MenuLink } from '../../../ui/overlays/MenuItem.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import { Bytes } from '../../../ui/Quantity.tsx';
import { Tag } from '../../../ui/Tag.tsx';
import { Time } from '../../../ui/Time.tsx';
import { type Gradual, GradualDialog } from './GradualDialog.tsx';
import { GradualState } from './GradualState.tsx';

interface VersionRowProps {
  fn: HostedFunction;
  version: FunctionVersion;
  /** Its share of the runs. */
  share: ReactNode;
  /** Its side of the comparison. */
  side: 'A' | 'B' | undefined;
  comparable: boolean;
  onFrom: () => void;
  onTo: () => void;
  onRollback: (() => void) | undefined;
  rollbackReason: string | undefined;
  /** The gradual deploy of this version. */
  gradual: Gradual | undefined;
}

/** One version: author, time, message, and its side in the comparison. */
export function VersionRow(props: VersionRowProps) {
  const { fn, version, side, comparable, onRollback, gradual } = props;
  const [sharing, setSharing] = useState(false);
  const params = { function_id: fn.function_id };
  const code = path.functionLine(fn.function_id, { version: version.version });
  return (
    <li className={cx('border-b border-line px-3 py-2', side ? 'bg-selected' : 'hover:bg-hover')}>
      <div className="flex items-center gap-1.5">
        {comparable ? (
          <span className="-ml-1 flex flex-none">
            <SideButton letter="A" chosen={side === 'A'} version={version.version} onChoose={props.onFrom} />
            <SideButton letter="B" chosen={side === 'B'} version={version.version} onChoose={props.onTo} />
          </span>
        ) : null}
        <Link className="ui-target data font-medium text-fg hover:underline" to={code}>
          v{version.version}
        </Link>
        {version.serving ? (
          <Chip tone="ok" icon={statusIcons.succeeded}>
            Live
          </Chip>
        ) : null}
        {fn.visibility === 'PUBLIC' && !version.public ? <Tag>Private</Tag> : null}
        <Time at={version.created_at} className="ml-auto truncate text-12 text-fg-3" />
        <Menu
          label={`Actions for version ${version.version}`}
          align="end"
          trigger={(trigger) => (
            <IconButton
              {...trigger}
              size="sm"
              icon={MoreHorizontal}
              label={`Actions for version ${version.version}`}
              tip="Actions"
              className="-mr-1"
            />
          )}
        >
          <MenuLink icon={Code} render={<Link to={code} />}>
            Open the code
          </MenuLink>
          <MenuItem icon={Download} onSelect={() => void download(fn, version)}>
            Download the code
          </MenuItem>
          {onRollback && !version.serving ? (
            <MenuLink icon={FlaskConical} render={<Link to={path.functionTry(fn.function_id, version.version)} />}>
              Try on past requests
            </MenuLink>
          ) : null}
          {onRollback && !version.serving ? (
            <MenuItem icon={Split} onSelect={() => setSharing(true)}>
              Serve a share of calls…
            </MenuItem>
          ) : null}
          {onRollback ? (
            <MenuItem icon={RotateCcw} reason={props.rollbackReason} onSelect={onRollback}>
              {version.version > fn.version ? 'Deploy' : 'Roll back to'} v{version.version}…
            </MenuItem>
          ) : null}
          <CopyAsCurlItem text={() => curlText('functionCode', { params, query: { version: version.version } })}>
            Copy downloading as curl
          </CopyAsCurlItem>
        </Menu>
      </div>
      {version.message ? (
        <p className="mt-0.5 line-clamp-2 wrap-anywhere" title={version.message}>
          {version.message}
        </p>
      ) : null}
      <p className="mt-0.5 truncate text-12 text-fg-3">
        {version.created_by} · <Bytes bytes={version.code_size} /> ·{' '}
        <span className="data" title={`sha256 ${version.code_sha256}`}>
          {version.code_sha256.slice(0, 8)}
        </span>
      </p>
      {props.share}
      {gradual ? <GradualState gradual={gradual} /> : null}
      {sharing ? (
        <GradualDialog
          fn={fn}
          version={version.version}
          running={gradual?.status === 'RUNNING' ? gradual : undefined}
          onClose={() => setSharing(false)}
        />
      ) : null}
      {onRollback && version.version > fn.version ? (
        <Link className="ui-target link text-12" to={path.functionTry(fn.function_id, version.version)}>
          Try on past requests
        </Link>
      ) : null}
    </li>
  );
}

interface SideButtonProps {
  letter: 'A' | 'B';
  chosen: boolean;
  version: number;
  onChoose: () => void;
}

function SideButton({ letter, chosen, version, onChoose }: SideButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      aria-label={letter === 'A' ? `Compare from version ${version}` : `Compare to version ${version}`}
      title={letter === 'A' ? 'Base' : 'Compare'}
      onClick={onChoose}
      className="group/side grid size-6 place-items-center rounded-sm"
    >
      <span
        className={cx(
          'grid size-[18px] place-items-center rounded-[3px] border text-11 font-medium',
          chosen
            ? 'border-accent-solid bg-accent-solid text-accent-on'
            : 'border-line-2 bg-page text-fg-3 group-hover/side:border-fg-3 group-hover/side:text-fg',
        )}
      >
        {letter}
      </span>
    </button>
  );
}

/** Downloads the bundle from a URL that is signed for a few minutes. */
async function download({ function_id }: HostedFunction, { version }: FunctionVersion): Promise<void> {
  try {
    const { download_url } = await call('functionCode', { params: { function_id }, query: { version } });
    const link = document.createElement('a');
    link.href = download_url;
    link.click();
  } catch (error) {
    toast({ title: `Version ${version} was not downloaded`, description: toApiError(error).message, tone: 'bad' });
  }
}
