"use client";
import { t } from "@cloudwright/core/model/language/text";
import styles from "./filter-chips.module.css";
import { mixed } from "./language/mixed-text.ts";

export interface FilterTerm {
  readonly text: string;
  /** Why the term could not be used; it then filters nothing. */
  readonly problem: string | undefined;
}

/** The terms of the filter box as removable chips; a term that filters nothing says why. */
export function FilterChips({
  terms,
  onRemove,
}: {
  readonly terms: readonly FilterTerm[];
  readonly onRemove: (term: string) => void;
}) {
  if (terms.length === 0) return null;
  return (
    <div className="buttons">
      {terms.map((term) => (
        <span
          key={term.text}
          className={`inline-flex centred small mono on-surface ${styles.chip}`}
          data-problem={term.problem !== undefined}
        >
          {term.text}
          <button
            type="button"
            className={`grid quiet see-through pointer ${styles.remove}`}
            aria-label={t`Remove ${term.text}`}
            onClick={() => onRemove(term.text)}
          >
            <svg width="9" height="9" viewBox="0 0 12 12" aria-hidden="true">
              <path d="m2 2 8 8m0-8-8 8" fill="none" stroke="currentColor" strokeWidth="2" />
            </svg>
          </button>
        </span>
      ))}
      {terms
        .filter(({ problem }) => problem !== undefined)
        .map(({ text: term, problem }) => (
          <p key={term} className="wide small second" role="status">
            {mixed`${<code>{term}</code>} is ignored: ${problem}.`}
          </p>
        ))}
    </div>
  );
}
