import { MoreHorizontal, Pencil, Trash2 } from 'lucide-react';
import type { EnvVariable } from '../../../api/entities.ts';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurlItem, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { Menu } from '../../../ui/overlays/Menu.tsx';
import { MenuItem } from '../../../ui/overlays/MenuItem.tsx';

interface EnvMenuProps {
  functionId: string;
  variable: EnvVariable;
  onEdit: () => void;
  onDelete: () => void;
}

export function EnvMenu({ functionId, variable: { key, value }, onEdit, onDelete }: EnvMenuProps) {
  const params = { function_id: functionId, key };
  const mayPut = useReason('envPut');
  const mayDelete = useReason('envDelete');
  return (
    <Menu
      label={`Actions for ${key}`}
      align="end"
      trigger={(trigger) => (
        <IconButton
          {...trigger}
          size="sm"
          icon={MoreHorizontal}
          label={`Actions for ${key}`}
          tip="Actions"
          // as high as a row with two lines on a phone
          className="max-sm:-my-2"
        />
      )}
    >
      <MenuItem icon={Pencil} reason={mayPut} onSelect={onEdit}>
        {value === null ? 'Replace the value…' : 'Change…'}
      </MenuItem>
      <CopyAsCurlItem text={() => curlText('envPut', { params, body: { value: value ?? 'new value' } })}>
        Copy setting it as curl
      </CopyAsCurlItem>
      <MenuItem icon={Trash2} danger reason={mayDelete} onSelect={onDelete}>
        Remove…
      </MenuItem>
    </Menu>
  );
}
