"use client";
import type { ReactNode } from "react";
import { type ActionChoice, openerOfChoice } from "./action-choice.ts";
import { openDialog } from "./dialog-store.ts";
import { GatedButton } from "./gated-button.tsx";
import { useWhyNot } from "./use-leave.ts";

/**
 * Opens the dialog of an action, and says so in the action's words unless given others. Whoever may not ask for it sees why.
 * `of`: what it is done to, for who does not see the page. `obstacle` is what stands in everybody's way.
 */
export function ActionButton({
  choice,
  appearance = "plain",
  obstacle,
  of,
  children = openerOfChoice(choice),
}: {
  readonly choice: ActionChoice;
  readonly appearance?: "primary" | "plain" | "quiet";
  readonly obstacle?: string | undefined;
  readonly of?: string | undefined;
  readonly children?: ReactNode;
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
      {of === undefined ? null : <span className="visually-hidden"> {of}</span>}
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
