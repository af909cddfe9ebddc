"use client";
import { useEffect } from "react";
import { expectPart, useFetched } from "../../../components/use-fetched.ts";
import { openPalette, usePaletteTurns } from "./palette-request.ts";

const load = () => import("./opened-palette.tsx").then(({ OpenedPalette }) => OpenedPalette);

export function expectPalette(): void {
  expectPart(load);
}

/** The palette, loaded when it is first opened; from then on it handles Ctrl+K itself. Without a cluster, it is that of all clusters. */
export function LazyPalette({ cluster }: { readonly cluster: string | undefined }) {
  const turn = usePaletteTurns();
  const OpenedPalette = useFetched(load, turn === 0 ? undefined : turn);
  useFirstShortcut(OpenedPalette === undefined);
  return OpenedPalette === undefined ? null : <OpenedPalette cluster={cluster} turn={turn} />;
}

function useFirstShortcut(isAwaited: boolean): void {
  useEffect(() => {
    if (!isAwaited) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Control" || event.key === "Meta") return expectPalette();
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      openPalette();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [isAwaited]);
}
