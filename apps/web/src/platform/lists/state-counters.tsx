"use client";
import { STATES, type State } from "@cloudwright/core/model/state";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { Counters } from "./counters.tsx";

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
    <Counters
      label="Filter by state"
      ids={STATES}
      presentation={STATE_PRESENTATION}
      {...{ counts, chosen, onToggle }}
    />
  );
}
