import page from "./page.module.css";

/** The name of a page and, in one sentence, its answer. */
export function PageHead({
  title,
  sentence,
}: {
  readonly title: string;
  readonly sentence: string | undefined;
}) {
  return (
    <header className={page.header}>
      <h1 className={page.title}>{title}</h1>
      <p className={page.sentence}>{sentence ?? ""}</p>
    </header>
  );
}
