import type { Intent } from "@cloudwright/core/model/intent";
import { intentSteps } from "./intent-steps.ts";
import styles from "./steps-line.module.css";

const LABELS = { done: "done", current: "now", pending: "to come", failed: "ended here" } as const;

export function StepsLine({ intent }: { readonly intent: Intent }) {
  const steps = intentSteps(intent.state, {
    claimed: intent.claimedBy !== undefined,
    ran: intent.runIds.length > 0,
  });
  return (
    <ol className="flex wrap gap-tiny">
      {steps.map(({ label, state }) => (
        <li
          key={label}
          className={styles.step}
          data-state={state}
          aria-current={state === "current" ? "step" : undefined}
        >
          {label}
          <span className="visually-hidden"> ({LABELS[state]})</span>
        </li>
      ))}
    </ol>
  );
}
