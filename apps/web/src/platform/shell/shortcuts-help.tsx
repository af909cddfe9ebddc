"use client";
import { t } from "@cloudwright/core/model/language/text";
import { BOUND_KEYS, type ChosenKeys, chosenKey } from "@cloudwright/core/model/preferences";
import { Modal } from "@mantine/core";
import { usePreferences } from "../../components/preferences.ts";
import styles from "./global-shortcuts.module.css";

const HELP = [
  ["Ctrl K", () => t`Search or jump`],
  ["/", () => t`Filter this list`],
  ["j  k", () => t`Next or previous row`],
  ["o  Enter", () => t`Open the row`],
  ["Space", () => t`Select or deselect the focused row`],
  ["x", () => t`Show the row beside the list, or close it`],
  [
    "[  ]",
    () =>
      t`Previous or next row of the list, beside it or on the row's page; on a run, previous or next run of the object`,
  ],
  ["c", () => t`Copy the path of the value in focus, in a JSON tree`],
  ["f", () => t`Faults only, in lists of nodes, load balancers, routes and volumes`],
  ["g o", () => t`Go to the Overview`],
  ["g n", () => t`Go to Nodes`],
  ["g b", () => t`Go to Load balancers`],
  ["g t", () => t`Go to Routes`],
  ["g v", () => t`Go to Volumes`],
  ["g r", () => t`Go to Runs`],
  ["g a", () => t`Go to Actions`],
  ["g u", () => t`Go to Audit`],
  ["g c", () => t`Go to Controllers`],
  ["g l", () => t`Go to the Budget (call limits)`],
  ["g s", () => t`Go to Settings`],
  ["r", () => t`Ask again`],
  ["p", () => t`Pause or resume updates`],
  ["t", () => t`Relative or absolute times`],
  ["d", () => t`Density of rows`],
  ["?", () => t`This help`],
] as const;

/** What each key does. */
export function ShortcutsHelp({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const { keys: chosen } = usePreferences();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t`Keyboard`}
      centered
      closeButtonProps={{ "aria-label": t`Close` }}
    >
      <dl className={styles.help}>
        {HELP.map(([keys, meaningOf]) => (
          <div key={keys}>
            <dt>
              {keys.split("  ").map((key) => (
                <kbd key={key}>{shownKey(key, chosen)}</kbd>
              ))}
            </dt>
            <dd>{meaningOf()}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>
        {t`Single-key shortcuts are off in text fields. Settings › Appearance turns them off
          altogether, or gives them other keys.`}
      </p>
    </Modal>
  );
}

/** Returns `g n` as the user has it: the first key of a sequence can be changed. */
function shownKey(key: string, chosen: ChosenKeys): string {
  const [first, ...second] = key.split(" ");
  const bound = BOUND_KEYS.find((each) => each === first);
  return bound === undefined ? key : [chosenKey(chosen, bound), ...second].join(" ");
}
