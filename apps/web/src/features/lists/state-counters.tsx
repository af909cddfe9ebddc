"use client";
import { STATES, type State } from "@cloudwright/core/model/state";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusIcon } from "../../components/status-icon.tsx";
import { formatCount } from "../nodes/nodes-sentence.ts";
import styles from "./state-counters.module.css";

/** How many are in each state; each counter is also the filter for it. */
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
    <fieldset className={styles.counters}>
      <legend className="visually-hidden">Filter by state</legend>
      {STATES.map((state) => (
        <button
          key={state}
          type="button"
          className={styles.counter}
          aria-pressed={chosen.includes(state)}
          data-empty={counts?.[state] === 0}
          title={STATE_PRESENTATION[state].help}
          onClick={() => onToggle(state)}
        >
          <StatusIcon status={STATE_PRESENTATION[state]} size={14} />
          <span>{STATE_PRESENTATION[state].label}</span>
          <span className={styles.count}>
            {counts === undefined ? "…" : formatCount(counts[state])}
          </span>
        </button>
      ))}
    </fieldset>
  );
}
