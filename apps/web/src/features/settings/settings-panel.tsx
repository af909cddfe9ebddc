import { type ReactNode, useId } from "react";
import page from "../../components/page/page.module.css";

/** A section of the settings under its heading. */
export function SettingsPanel({
  title,
  aside,
  children,
}: {
  readonly title: ReactNode;
  /** Its actions, at the far end of the heading. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={`${page.card} grid narrows gap-4 pad-4`} aria-labelledby={id}>
      <header className={page.header}>
        <h2 id={id} className="lead heavy">
          {title}
        </h2>
        {aside === undefined ? null : <span className="push" />}
        {aside}
      </header>
      {children}
    </section>
  );
}
