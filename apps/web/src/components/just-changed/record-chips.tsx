"use client";
import type { Drift, State } from "@cloudwright/core/model/state";
import { OUTCOME_PRESENTATION, type RunOutcome } from "../presentation/outcomes.ts";
import { DRIFT_PRESENTATION, STATE_PRESENTATION } from "../presentation/states.ts";
import { StatusChip } from "../status/status-chip.tsx";
import { SinceText, TimeText } from "../time/time-text.tsx";
import { JustChanged } from "./just-changed.tsx";

/** The state of a thing, highlighted right after it has changed. */
export function StateChip({
  of,
  state,
  since,
  prominent = false,
}: {
  /** The thing's UID. */
  readonly of: string;
  readonly state: State;
  /** Absent where the time does not matter. */
  readonly since?: number | undefined;
  readonly prominent?: boolean;
}) {
  return (
    <JustChanged of={of} value={state}>
      <StatusChip status={STATE_PRESENTATION[state]} prominent={prominent}>
        {since === undefined ? undefined : <SinceText at={since} />}
      </StatusChip>
    </JustChanged>
  );
}

/** The same for its drift. */
export function DriftChip({ of, drift }: { readonly of: string; readonly drift: Drift }) {
  return (
    <JustChanged of={of} value={drift}>
      <StatusChip status={DRIFT_PRESENTATION[drift]} />
    </JustChanged>
  );
}

/** How the thing's last run ended, and when. */
export function LastRunChip({
  of,
  lastRun: { outcome, at },
}: {
  readonly of: string;
  readonly lastRun: { readonly outcome: RunOutcome; readonly at: number };
}) {
  return (
    <JustChanged of={of} value={outcome}>
      <StatusChip status={OUTCOME_PRESENTATION[outcome]}>
        <TimeText at={at} />
      </StatusChip>
    </JustChanged>
  );
}
