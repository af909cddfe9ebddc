import { Panel } from "../../components/panel.tsx";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusIcon } from "../../components/status-icon.tsx";
import { countOf } from "../../platform/wording/action-title.ts";
import styles from "./controllers.module.css";

/** What the cluster does not let the leader do; nothing where all is granted or nobody has looked. */
export function PermissionsPanel({
  missing = [],
}: {
  readonly missing: readonly string[] | undefined;
}) {
  if (missing.length === 0) return null;
  return (
    <Panel title="Missing permissions">
      <p className={styles.missing}>
        <StatusIcon status={STATE_PRESENTATION.stuck} />
        <span>
          The cluster refuses the leader {countOf(missing.length, "permission")}. What needs them
          fails until an admin of the cluster grants them; it then goes on by itself.
        </span>
      </p>
      <ul className={styles.permissions} aria-label="Missing permissions">
        {missing.map((permission) => (
          <li key={permission}>
            <code>{permission}</code>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
