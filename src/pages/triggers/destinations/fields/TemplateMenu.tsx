import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { isMailUrl } from '../../../../../contract/text/mail-url.ts';
import {
  MESSAGE_TEMPLATES,
  type MessageTemplate,
  PAGERDUTY_KEY,
  templateFor,
} from '../../../../../contract/text/message-templates.ts';
import { Button } from '../../../../ui/controls/Button.tsx';
import { Menu } from '../../../../ui/overlays/Menu.tsx';
import { MenuItem } from '../../../../ui/overlays/MenuItem.tsx';

export interface TemplateChoice {
  readonly url: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** Templates for a URL: that of its service first. */
function templatesOf(url: string): readonly MessageTemplate[] {
  const own = templateFor(url);
  const isMail = isMailUrl(url);
  const others = MESSAGE_TEMPLATES.filter(
    ({ service }) => service !== own?.service && (service === 'email') === isMail,
  );
  return own ? [own, ...others] : others;
}

/** Ready-made templates, which replace the text of the body template. */
export function TemplateMenu({ url, onChoose }: { url: string; onChoose: (template: MessageTemplate) => void }) {
  const own = templateFor(url);
  return (
    <Menu
      label="Ready-made templates"
      align="end"
      trigger={(opener) => (
        <Button {...opener} size="sm" variant="ghost" className="-my-1">
          Ready-made
          <ChevronDown size={12} aria-hidden />
        </Button>
      )}
    >
      {templatesOf(url).map((template) => (
        <MenuItem
          key={template.service}
          note={template === own ? 'matches the URL' : undefined}
          onSelect={() => onChoose(template)}
        >
          {template.name}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** The template that was chosen last, with the text that it replaced. */
type Chosen = { readonly template: MessageTemplate; readonly before: string };

/** Choosing a template, the offer for a recognised URL, and undoing the choice. */
export function useTemplateChoice({ url, text, onChange }: TemplateChoice) {
  const [chosen, setChosen] = useState<Chosen>();
  const own = templateFor(url);
  const choose = (template: MessageTemplate) => {
    setChosen({ template, before: text });
    onChange(template.body);
  };
  const undo = () => {
    onChange(chosen?.before ?? '');
    setChosen(undefined);
  };
  return { own, chosen: chosen?.template.body === text ? chosen : undefined, choose, undo };
}

interface TemplateOfferProps {
  readonly text: string;
  readonly choice: ReturnType<typeof useTemplateChoice>;
}

/** Below the template: the offer for the URL's service, or what the chosen template still needs. */
export function TemplateOffer({ text, choice: { own, chosen, choose, undo } }: TemplateOfferProps) {
  const offered = text === '' && own && own.service !== 'email' ? own : undefined;
  return (
    <div role="status" className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-12 text-fg-2">
      {offered ? (
        <>
          <span>{offered.name} requires its message format.</span>
          <Button size="sm" onClick={() => choose(offered)}>
            Use the {offered.name} template
          </Button>
        </>
      ) : null}
      {chosen ? (
        <>
          <span>{chosen.template.name} template inserted.</span>
          <Button size="sm" variant="ghost" onClick={undo}>
            Undo
          </Button>
        </>
      ) : null}
      {text.includes(PAGERDUTY_KEY) ? (
        <span className="w-full text-warn-fg">Replace {PAGERDUTY_KEY} by your integration key.</span>
      ) : null}
    </div>
  );
}
