"use client";
import type { ReactNode } from "react";
import { type ActionChoice, openerOfChoice } from "./action-choice.ts";
import { openDialog } from "./dialog-store.ts";
import { GatedButton } from "./gated-button.tsx";
import { useWhyNot } from "./use-leave.ts";

/**
 * Opens an action's dialog; its label is the action's own unless another is given. Users who may not request the action see why. `of` names
 * its object for screen readers. `obstacle` is a reason that applies to everybody.
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

/** A banner disappears once its button has done its work; the focus then moves to the page, not to the top of the document. */
function keepFocusWhenGone(button: HTMLButtonElement | null) {
  return () => {
    if (button !== null && document.activeElement === button) requestAnimationFrame(focusPage);
  };
}

function focusPage(): void {
  if (document.activeElement === document.body) document.getElementById("content")?.focus();
}
