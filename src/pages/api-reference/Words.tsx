import { Fragment } from 'react';

/** Text of the document: `code` and **bold** parts, paragraphs and lists. */
export function Words({ text }: { text: string }) {
  const lines = text.split('\n').filter(Boolean);
  const items = lines.filter((line) => line.startsWith('- '));
  return (
    <>
      {lines
        .filter((line) => !line.startsWith('- '))
        .map((line) => (
          <p key={line}>
            <Inline text={line} />
          </p>
        ))}
      {items.length > 0 ? (
        <ul className="mt-2 grid list-disc gap-1 pl-4">
          {items.map((line) => (
            <li key={line}>
              <Inline text={line.slice(2)} />
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

/** One line. */
export function Inline({ text }: { text: string }) {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, at) => ({ part, at }));
  return parts.map(({ part, at }) => {
    if (part.startsWith('`'))
      return (
        <code key={at} className="data wrap-anywhere">
          {part.slice(1, -1)}
        </code>
      );
    if (part.startsWith('**')) return <strong key={at}>{part.slice(2, -2)}</strong>;
    return <Fragment key={at}>{part}</Fragment>;
  });
}
