"use client";
import { Modal } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { changePreferences, type Preferences } from "../../components/preferences.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { addresses } from "../../components/url/addresses.ts";
import styles from "./global-shortcuts.module.css";

const HELP = [
  ["Ctrl K", "Search or jump"],
  ["/", "Filter this list"],
  ["j  k", "Next or previous row"],
  ["o  Enter", "Open the row"],
  ["Space", "Select the row in focus, or let it go"],
  ["x", "Look at the row beside the list, or put it away"],
  ["[  ]", "Previous or next run of the same object"],
  ["f", "Faults only, in lists of nodes, balancers, routes and volumes"],
  ["g o", "Go to the Overview"],
  ["g n", "Go to Nodes"],
  ["g b", "Go to Load balancers"],
  ["g t", "Go to Routes"],
  ["g v", "Go to Volumes"],
  ["g r", "Go to Runs"],
  ["g a", "Go to Actions"],
  ["g u", "Go to Audit"],
  ["g c", "Go to Controllers"],
  ["g l", "Go to the Budget, the limits of calls"],
  ["g s", "Go to Settings"],
  ["r", "Ask again"],
  ["p", "Pause or go on updating"],
  ["t", "Relative or absolute times"],
  ["d", "Density of rows"],
  ["?", "This help"],
] as const;

const NEXT_DENSITY: Record<Preferences["density"], Preferences["density"]> = {
  normal: "comfortable",
  comfortable: "compact",
  compact: "normal",
};

/** The keys that work on every page. None of them changes anything but the view. */
export function GlobalShortcuts({ cluster }: { readonly cluster: string }) {
  const router = useRouter();
  const [isHelpOpen, setHelpOpen] = useState(false);
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
  return (
    <Modal
      opened={isHelpOpen}
      onClose={() => setHelpOpen(false)}
      title="Keyboard"
      centered
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <dl className={styles.help}>
        {HELP.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split("  ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>
        Single keys are off in fields. Settings › Appearance turns them off altogether.
      </p>
    </Modal>
  );
}
