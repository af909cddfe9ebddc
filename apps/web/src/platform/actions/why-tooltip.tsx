"use client";
import { Tooltip } from "@mantine/core";
import type { RefObject } from "react";

/** The explanation beside a disabled button. */
export function WhyTooltip({
  target,
  whyNot,
}: {
  readonly target: RefObject<HTMLButtonElement | null>;
  readonly whyNot: string;
}) {
  return <Tooltip target={target} label={whyNot} multiline maw={320} opened />;
}
