"use client";
import { useEffect } from "react";
import { FleetPalette } from "./fleet-palette.tsx";
import { Palette } from "./palette.tsx";
import { palette } from "./palette-request.ts";

/** The palette, opened on each turn until it is closed. */
export function OpenedPalette({
  cluster,
  turn,
}: {
  readonly cluster: string | undefined;
  readonly turn: number;
}) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn opens it again.
  useEffect(() => palette.open(), [turn]);
  return cluster === undefined ? <FleetPalette /> : <Palette cluster={cluster} />;
}
