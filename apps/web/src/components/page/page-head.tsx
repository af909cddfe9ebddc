import { AsOfNote } from "../freshness/as-of-note.tsx";
import page from "./page.module.css";

/** The name of a page and, in one sentence, its answer. */
export function PageHead({
  title,
  alarm = "",
  sentence,
}: {
  readonly title: string;
  /** What comes before the answer: something befell many at once. */
  readonly alarm?: string;
  readonly sentence: string | undefined;
}) {
  return (
    <header className={page.header}>
      <h1 className={page.title}>{title}</h1>
      <p className={page.sentence}>
        {sentence === undefined ? null : <AsOfNote />}
        {alarm === "" ? null : <strong>{alarm} </strong>}
        {sentence ?? ""}
      </p>
    </header>
  );
}
