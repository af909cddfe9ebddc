import type { Intent } from "@cloudwright/core/model/actions/intent";
import { t, worded } from "@cloudwright/core/model/language/text";
import { intentSteps } from "./intent-steps.ts";
import styles from "./steps-line.module.css";

const LABELS = worded({
  done: () => t`done`,
  current: () => t`now`,
  pending: () => t`to come`,
  failed: () => t`ended here`,
});

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
