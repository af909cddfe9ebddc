"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Modal } from "@mantine/core";
import styles from "./global-shortcuts.module.css";

const HELP = [
  ["Ctrl K", "Search or jump"],
  ["/", "Filter this list"],
  ["j  k", "Next or previous row"],
  ["o  Enter", "Open the row"],
  ["Space", "Select or deselect the focused row"],
  ["x", "Show the row beside the list, or close it"],
  ["[  ]", "Previous or next run of the same object"],
  ["f", "Faults only, in lists of nodes, load balancers, routes and volumes"],
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
  ["p", "Pause or resume updates"],
  ["t", "Relative or absolute times"],
  ["d", "Density of rows"],
  ["?", "This help"],
] as const;

/** What each key does. */
export function ShortcutsHelp({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t`Keyboard`}
      centered
      closeButtonProps={{ "aria-label": t`Close` }}
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
        {t`Single-key shortcuts are off in text fields. Settings › Appearance turns them off
          altogether.`}
      </p>
    </Modal>
  );
}
