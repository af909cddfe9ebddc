"use client";
import { useState } from "react";
import { Button } from "./button.tsx";

/** A button with words that copies a text, made when it is pressed, and says what came of it. */
export function CopyTextButton({
  label,
  text,
}: {
  readonly label: string;
  readonly text: () => string;
}) {
  const [outcome, setOutcome] = useState<"copied" | "refused">();
  const copy = () => {
    navigator.clipboard?.writeText(text()).then(
      () => setOutcome("copied"),
      () => setOutcome("refused"),
    ) ?? setOutcome("refused");
  };
  return (
    <>
      <Button onClick={copy} onBlur={() => setOutcome(undefined)}>
        {outcome === "copied" ? "Copied" : label}
      </Button>
      <span role="status" className={outcome === "refused" ? undefined : "visually-hidden"}>
        {outcome === "copied" ? "Copied" : ""}
        {outcome === "refused" ? "The browser does not allow copying here" : ""}
      </span>
    </>
  );
}
