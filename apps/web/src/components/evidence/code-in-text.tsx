/** A sentence with text between backticks rendered as code; a single backtick stays a backtick. */
export function CodeInText({
  text,
  className,
}: {
  readonly text: string;
  readonly className?: string | undefined;
}) {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return text;
  let place = 0;
  return parts.map((part, index) => {
    const key = place;
    place += part.length + 1;
    return index % 2 === 0 ? (
      part
    ) : (
      <code key={key} className={className}>
        {part}
      </code>
    );
  });
}
