"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { changePreferences, type Preferences } from "../../components/preferences.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { addresses } from "../../components/url/addresses.ts";
import { useFetched } from "../../components/use-fetched.ts";

const loadHelp = () => import("./shortcuts-help.tsx").then(({ ShortcutsHelp }) => ShortcutsHelp);

const NEXT_DENSITY: Record<Preferences["density"], Preferences["density"]> = {
  normal: "comfortable",
  comfortable: "compact",
  compact: "normal",
};

/** The keys that work on every page. None of them changes anything but the view. */
export function GlobalShortcuts({ cluster }: { readonly cluster: string }) {
  const router = useRouter();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const ShortcutsHelp = useFetched(loadHelp, isHelpOpen || undefined);
  useShortcuts({
    "g o": () => router.push(addresses.overview(cluster)),
    "g n": () => router.push(addresses.nodes(cluster)),
    "g b": () => router.push(addresses.balancers(cluster)),
    "g t": () => router.push(addresses.routes(cluster)),
    "g v": () => router.push(addresses.volumes(cluster)),
    "g r": () => router.push(addresses.runs(cluster)),
    "g a": () => router.push(addresses.actions(cluster)),
    "g u": () => router.push(addresses.audit(cluster)),
    "g c": () => router.push(addresses.controllers(cluster)),
    "g l": () => router.push(addresses.budget(cluster)),
    "g s": () => router.push(addresses.settings()),
    t: () =>
      changePreferences(({ time }) => ({ time: time === "relative" ? "absolute" : "relative" })),
    d: () => changePreferences(({ density }) => ({ density: NEXT_DENSITY[density] })),
    "?": () => setHelpOpen(true),
  });
  if (ShortcutsHelp === undefined) return null;
  return <ShortcutsHelp isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />;
}
