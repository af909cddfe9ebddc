"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Button } from "./button.tsx";
import styles from "./copy-button.module.css";
import { useCopy } from "./use-copy.ts";

/** Copies a text and says so, also to a screen reader. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const { outcome, copy, forget } = useCopy();
  return (
    <button
      type="button"
      className={`inline-flex centred rigid gap-1 quiet see-through pointer ${styles.copy}`}
      aria-label={label}
      title={label}
      onClick={() => copy(text)}
      onBlur={forget}
    >
      <svg width="13" height="13" viewBox="0 0 14 14" aria-hidden="true">
        {outcome === "copied" ? (
          <path d="m2.5 7.5 3 3 6-7" />
        ) : (
          <path d="M4.5 4.5v-3h8v8h-3M1.5 4.5h8v8h-8Z" />
        )}
      </svg>
      <span role="status" className={outcome === "refused" ? "small" : "visually-hidden"}>
        {outcome === "copied" ? t`Copied` : ""}
        {outcome === "refused" ? t`The browser does not allow copying here` : ""}
      </span>
    </button>
  );
}

/** A text from the cluster or the cloud with a button that copies it; `strong` where the text names its row. */
export function CopiedCode({
  text,
  label,
  strong = false,
}: {
  readonly text: string;
  readonly label: string;
  readonly strong?: boolean;
}) {
  return (
    <span className={`inline-flex centred gap-1 ${styles.copied}`}>
      <code className={strong ? "strong" : undefined} title={strong ? text : undefined}>
        {text}
      </code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

/** A labelled button that builds a text when pressed, copies it, and reports the result. */
export function CopyTextButton({
  label,
  text,
}: {
  readonly label: string;
  readonly text: () => string;
}) {
  const { outcome, copy, forget } = useCopy();
  return (
    <>
      <Button onClick={() => copy(text())} onBlur={forget}>
        {outcome === "copied" ? t`Copied` : label}
      </Button>
      <span role="status" className={outcome === "refused" ? undefined : "visually-hidden"}>
        {outcome === "copied" ? t`Copied` : ""}
        {outcome === "refused" ? t`The browser does not allow copying here` : ""}
      </span>
    </>
  );
}
