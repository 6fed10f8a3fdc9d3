import { CircleQuestionMark } from 'lucide-react';
import { useLocation } from 'react-router';
import { Link } from '../../components/Link.tsx';
import { path } from '../../lib/path.ts';
import { buttonClass } from '../../ui/controls/button-class.ts';
import { Tooltip } from '../../ui/overlays/Tooltip.tsx';
import { helpPage } from './help-page.ts';

/** Opens the documentation of the page. */
export default function HelpLink() {
  const { pathname } = useLocation();
  return (
    <Tooltip text="Documentation of this page">
      <Link
        to={path.docs(helpPage(pathname))}
        aria-label="Documentation of this page"
        className={buttonClass('ghost', 'md', { square: true })}
      >
        <CircleQuestionMark size={16} strokeWidth={1.75} aria-hidden />
      </Link>
    </Tooltip>
  );
}
