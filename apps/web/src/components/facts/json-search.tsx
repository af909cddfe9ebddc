"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Button } from "../button/button.tsx";
import { formatCount } from "../presentation/format-text.ts";
import styles from "./json-record.module.css";

interface StepProps {
  /** Moves to the next match, or back to the previous one. */
  readonly onStep: (by: 1 | -1) => void;
}

/** A search field for names and values; Enter goes to the next match, Shift+Enter to the previous one, and Escape closes the search. */
export function JsonSearch({
  label,
  text,
  onText,
  onStep,
}: StepProps & {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}) {
  return (
    <input
      type="search"
      className={styles.search}
      aria-label={t`Search in ${label}`}
      placeholder={t`Name or value`}
      value={text}
      spellCheck={false}
      autoComplete="off"
      onChange={({ target }) => onText(target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") onStep(event.shiftKey ? -1 : 1);
        if (event.key === "Escape") onText("");
      }}
      // Escape first clears the field; only then does it close a surrounding dialog.
      data-mantine-stop-propagation={text !== ""}
    />
  );
}

/** The number of matches, the current one, and buttons that step through them. */
export function JsonMatchSteps({
  text,
  place,
  count,
  onStep,
}: StepProps & {
  readonly text: string;
  /** The index of the current match; negative if none is current. */
  readonly place: number;
  readonly count: number;
}) {
  return (
    <>
      <span role="status" className="nowrap figures">
        {text.trim() === "" ? "" : countText(place, count)}
      </span>
      {count < 2 ? null : (
        <span className="inline-flex">
          <Button appearance="quiet" aria-label={t`Previous match`} onClick={() => onStep(-1)}>
            ‹
          </Button>
          <Button appearance="quiet" aria-label={t`Next match`} onClick={() => onStep(1)}>
            ›
          </Button>
        </span>
      )}
    </>
  );
}

function countText(place: number, count: number): string {
  if (count === 0) return t`nothing found`;
  return place < 0
    ? t`${formatCount(count)} found`
    : t`${formatCount(place + 1)} of ${formatCount(count)}`;
}
