"use client";
import styles from "./action-dialog.module.css";
import { StepsLine } from "./steps-line.tsx";
import type { Confirmation } from "./use-confirmation.ts";
import { useLate } from "./use-late.ts";
import { useSilence } from "./use-silence.ts";

/** What has become of the request since the button was pressed. Errors stay here. */
export function FormProgress({ confirmation }: { readonly confirmation: Confirmation }) {
  const { state, problem } = confirmation;
  if (problem !== undefined) return <Alert text={problem} />;
  if (state.kind === "ended") return <Alert text={state.sentence} />;
  if (state.kind !== "waiting") return null;
  return (
    <div role="status" className={styles.progress}>
      {state.intent === undefined ? null : <StepsLine intent={state.intent} />}
      <Waiting />
    </div>
  );
}

function Waiting() {
  const isLate = useLate("confirmed");
  const silence = useSilence();
  return (
    <p className={styles.quiet}>
      {isLate ? silence : "Asked for."} It goes on when this is closed: its progress is under every
      page.
    </p>
  );
}

function Alert({ text }: { readonly text: string }) {
  return (
    <p role="alert" className={styles.error}>
      {text}
    </p>
  );
}
