import { Terminal } from 'lucide-react';
import { curlOf } from '../../api/curl.ts';
import type { CallArgs, Operation } from '../../api/operation.ts';
import { q } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { CopyButton, type CopyButtonProps } from '../../ui/controls/CopyButton.tsx';
import { MenuItem } from '../../ui/overlays/MenuItem.tsx';
import { toast } from '../../ui/overlays/toast.ts';

/** The curl command for an operation, with the account's base URL. */
export async function curlText<O extends Operation>(operation: O, ...args: CallArgs<O>): Promise<string> {
  const { account } = await queryClient.query({ ...q('accountGet'), staleTime: 'static' });
  return curlOf(operation, account.addresses.base_url, ...args);
}

export interface CopyAsCurlProps extends Pick<CopyButtonProps, 'size' | 'variant'> {
  /** `() => curlText('eventReplay', { params })`. */
  text: () => Promise<string>;
  /** The action: "replay this event". */
  what?: string | undefined;
}

/** A button that copies an action of the console as a curl command. */
export function CopyAsCurl({ text, what, size = 'md', variant = 'ghost' }: CopyAsCurlProps) {
  const label = what ? `Copy as curl: ${what}` : 'Copy as curl';
  return (
    <CopyButton text={text} label={label} size={size} variant={variant}>
      Copy as curl
    </CopyButton>
  );
}

/** The same as a menu item. */
export function CopyAsCurlItem({
  text,
  children = 'Copy as curl',
}: {
  text: () => Promise<string>;
  children?: string;
}) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text());
      toast({ title: 'Command copied', description: 'It reads the key from $API_KEY.', tone: 'ok' });
    } catch {
      toast({ title: 'The browser blocked access to the clipboard', tone: 'bad' });
    }
  };
  return (
    <MenuItem icon={Terminal} onSelect={() => void copy()}>
      {children}
    </MenuItem>
  );
}
