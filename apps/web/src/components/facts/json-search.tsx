"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Button } from "../button/button.tsx";
import { formatCount } from "../presentation/format-text.ts";
import styles from "./json-record.module.css";

interface StepProps {
  /** To the next match, or back to the one before. */
  readonly onStep: (by: 1 | -1) => void;
}

/** A text to look for in names and values; Enter goes on to the next one, with Shift to the one before, and Escape leaves it. */
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
      // A dialog that it stands in stays open until nothing is left to clear.
      data-mantine-stop-propagation={text !== ""}
    />
  );
}

/** How many there are, which of them one is at, and the way from one to the other without a key. */
export function JsonMatchSteps({
  text,
  place,
  count,
  onStep,
}: StepProps & {
  readonly text: string;
  /** Of the match that one is at; negative at none. */
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
