import { AsOfNote } from "../freshness/freshness-banner.tsx";
import { mixed } from "../language/mixed-text.ts";
import page from "./page.module.css";

/** The title of a page and its one-sentence summary. */
export function PageHead({
  title,
  alarm = "",
  sentence,
}: {
  readonly title: string;
  /** Shown before the summary when many objects are affected at once. */
  readonly alarm?: string;
  readonly sentence: string | undefined;
}) {
  return (
    <header className={page.header}>
      <h1 className={page.title}>{title}</h1>
      <p className="lead second">
        {sentence === undefined ? null : <AsOfNote />}
        {alarm === "" ? null : <strong>{alarm} </strong>}
        {sentence ?? ""}
      </p>
    </header>
  );
}

/** Names the parts of an address that were not understood, so that nobody relies on a filter that is not active. */
export function DroppedNote({ dropped }: { readonly dropped: readonly string[] }) {
  if (dropped.length === 0) return null;
  return (
    <p className={`pad-2-3 small round-small ${page.note}`} role="status">
      {mixed`This part of the address was not understood and is ignored: ${dropped.join(", ")}.`}
    </p>
  );
}
