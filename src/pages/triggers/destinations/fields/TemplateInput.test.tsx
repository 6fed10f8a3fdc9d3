import '../../../../index.css';
import '../../../../pages.css';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { TemplateInput } from './TemplateInput.tsx';

function Example() {
  const [text, setText] = useState('');
  return (
    <TemplateInput
      name="template"
      value={text}
      names={[{ name: 'payload.order.id', sample: 'A-2' }]}
      readOnly={false}
      placeholder=""
      onChange={setText}
      onBlur={() => undefined}
    />
  );
}

it('inserts a key pressed after a completion behind the name, even before the next frame', async () => {
  const screen = await render(<Example />);
  const area = screen.getByRole('textbox');
  await area.click();
  await userEvent.keyboard('{{ "id": "{{{{ payload.or');
  await expect.element(screen.getByRole('option')).toBeVisible();
  const element = area.element();
  element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  document.execCommand('insertText', false, '"');
  await expect.element(area).toHaveValue('{ "id": "{{ payload.order.id }}"');
  await expect.element(screen.getByRole('listbox')).not.toBeInTheDocument();
  await userEvent.keyboard(' }');
  await expect.element(area).toHaveValue('{ "id": "{{ payload.order.id }}" }');
});
