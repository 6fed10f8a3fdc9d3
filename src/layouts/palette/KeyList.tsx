import { KeyCap } from '../../ui/KeyCap.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';
import { useShownActions } from './page-actions.ts';

type Keys = readonly (readonly [keys: readonly string[], what: string])[];

const EVERYWHERE: Keys = [
  [['mod+k'], 'Search or jump to anything'],
  [['/'], 'Search on this page'],
  [['Esc'], 'Close the open panel, dialog or menu'],
  [['?'], 'Keyboard shortcuts'],
];
const LISTS: Keys = [
  [['j', 'k'], 'Next and previous row'],
  [['[', ']'], 'Older and newer, with a panel open'],
  [['Enter'], 'Open the row'],
  [['x'], 'Select the row'],
];

const EDITOR: Keys = [
  [['Esc', 'Tab'], 'Leave the editor, where Tab indents'],
  [['F8'], 'Next compile error in the file'],
  [['n', 'N'], 'Next and previous search hit'],
  [['mod+s'], 'Version message; press again to deploy'],
];

/** The dialog with all keyboard shortcuts. */
export default function KeyList({ onClose }: { onClose: () => void }) {
  const actions = useShownActions().flatMap(({ kbd, label }): Keys => (kbd ? [[[kbd], label]] : []));
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      <Group title="Everywhere" keys={EVERYWHERE} />
      <Group title="In lists" keys={LISTS} />
      <Group title="In the code editor" keys={EDITOR} />
      {actions.length > 0 ? <Group title="On this page" keys={actions} /> : null}
    </Dialog>
  );
}

function Group({ title, keys }: { title: string; keys: Keys }) {
  return (
    <section className="mb-4 last:mb-0">
      <h3 className="mb-1 text-12 font-medium tracking-normal text-fg-3">{title}</h3>
      <dl>
        {keys.map(([caps, what]) => (
          <div key={what} className="flex min-h-7 items-center gap-3 border-b border-line last:border-b-0">
            <dt className="order-last flex gap-1">
              {caps.map((cap) => (
                <KeyCap key={cap}>{cap}</KeyCap>
              ))}
            </dt>
            <dd className="flex-1">{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
