"use client";
import { t } from "@cloudwright/core/model/language/text";
import { STATES, type State } from "@cloudwright/core/model/state";
import { JustChanged } from "../../components/just-changed/just-changed.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { type Presentation, STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusIcon } from "../../components/status/status-icon.tsx";
import styles from "./counters.module.css";

/** The number of rows in each category; each counter is also the filter for it. */
export function Counters<Id extends string>({
  label,
  ids,
  presentation,
  counts,
  chosen,
  onToggle,
}: {
  /** `Filter by state`. */
  readonly label: string;
  /** Shown in this order. */
  readonly ids: readonly Id[];
  readonly presentation: Readonly<Record<Id, Presentation>>;
  readonly counts: Readonly<Record<Id, number>> | undefined;
  readonly chosen: readonly string[];
  readonly onToggle: (id: Id) => void;
}) {
  return (
    <fieldset className={`buttons pad-0 flush frameless ${styles.counters}`}>
      <legend className="visually-hidden">{label}</legend>
      {ids.map((id) => (
        <button
          key={id}
          type="button"
          className={`inline-flex centred gap-icon light on-surface pointer ${styles.counter}`}
          aria-pressed={chosen.includes(id)}
          data-empty={counts?.[id] === 0}
          title={presentation[id].help}
          onClick={() => onToggle(id)}
        >
          <StatusIcon status={presentation[id]} size={14} />
          <span>{presentation[id].label}</span>
          <span className="heavy figures">
            <JustChanged of={label} value={counts?.[id]}>
              {counts === undefined ? "–" : formatCount(counts[id])}
            </JustChanged>
          </span>
        </button>
      ))}
    </fieldset>
  );
}

/** The number of rows in each state; each counter is also the filter for it. */
export function StateCounters({
  counts,
  chosen,
  onToggle,
}: {
  readonly counts: Readonly<Record<State, number>> | undefined;
  readonly chosen: readonly State[];
  readonly onToggle: (state: State) => void;
}) {
  return (
    <Counters
      label={t`Filter by state`}
      ids={STATES}
      presentation={STATE_PRESENTATION}
      {...{ counts, chosen, onToggle }}
    />
  );
}
