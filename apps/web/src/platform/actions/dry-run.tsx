"use client";
import { Button } from "../../components/button.tsx";
import { type ActionChoice, wishOf } from "./action-choice.ts";
import styles from "./action-dialog.module.css";
import { closeDialog } from "./dialog-store.ts";
import { PreviewPanel } from "./preview-panel.tsx";
import { usePreview } from "./use-preview.ts";

/** What the controller would do with the node now. It writes nothing. */
export function DryRun({ choice }: { readonly choice: ActionChoice }) {
  const wish = wishOf(choice, 0);
  const preview = usePreview(choice, wish);
  return (
    <div className={styles.form}>
      <p className={styles.text}>
        What the leader would do with it now, asked for and planned, and nothing of it written.
      </p>
      <PreviewPanel cluster={choice.cluster} wish={wish} preview={preview} />
      <div className={styles.buttons}>
        <Button
          aria-disabled={preview.state.kind === "asking"}
          onClick={() => (preview.state.kind === "asking" ? undefined : preview.askAgain())}
        >
          Look again
        </Button>
        <Button look="primary" onClick={closeDialog} data-autofocus>
          Close
        </Button>
      </div>
    </div>
  );
}
