"use client";
import { Tooltip } from "@mantine/core";
import type { ComponentProps } from "react";
import { Button } from "../../components/button.tsx";

/** A button that stays where it is when it cannot be pressed, and says why to eye, keyboard and screen reader. */
export function GatedButton({
  whyNot,
  onClick,
  ...rest
}: ComponentProps<typeof Button> & { readonly whyNot: string | undefined }) {
  if (whyNot === undefined) return <Button {...rest} onClick={onClick} />;
  return (
    <Tooltip label={whyNot} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <Button {...rest} type="button" aria-disabled="true" aria-description={whyNot} />
    </Tooltip>
  );
}
