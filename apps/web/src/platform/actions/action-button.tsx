"use client";
import type { ReactNode } from "react";
import type { ActionChoice } from "./action-choice.ts";
import { openDialog } from "./dialog-store.ts";
import { GatedButton } from "./gated-button.tsx";
import { useWhyNot } from "./use-leave.ts";

/** Opens the dialog of an action. Whoever may not ask for it sees why; `obstacle` is what stands in everybody's way. */
export function ActionButton({
  choice,
  appearance = "plain",
  obstacle,
  children,
}: {
  readonly choice: ActionChoice;
  readonly appearance?: "primary" | "plain" | "quiet";
  readonly obstacle?: string | undefined;
  readonly children: ReactNode;
}) {
  const whyNot = useWhyNot(choice.isDryRun === true ? "preview" : choice.kind);
  return (
    <GatedButton
      ref={keepFocusWhenGone}
      appearance={appearance}
      whyNot={whyNot ?? obstacle}
      onClick={({ currentTarget }) => openDialog({ choice, opener: currentTarget })}
    >
      {children}
    </GatedButton>
  );
}

/** A banner goes away once its button has done its work: the focus goes to the page, not to the top of the document. */
function keepFocusWhenGone(button: HTMLButtonElement | null) {
  return () => {
    if (button !== null && document.activeElement === button) requestAnimationFrame(focusPage);
  };
}

function focusPage(): void {
  if (document.activeElement === document.body) document.getElementById("content")?.focus();
}
