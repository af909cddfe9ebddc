"use client";
import { Tooltip } from "@mantine/core";
import type { RefObject } from "react";

/** Beside a button that cannot be pressed: why. */
export function WhyTooltip({
  target,
  whyNot,
}: {
  readonly target: RefObject<HTMLButtonElement | null>;
  readonly whyNot: string;
}) {
  return <Tooltip target={target} label={whyNot} multiline maw={320} opened />;
}
