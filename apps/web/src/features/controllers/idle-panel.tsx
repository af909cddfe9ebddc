import { CONTROLLER_NAMES, CONTROLLERS } from "@cloudwright/core/model/controller-names";
import type { ControllerInstanceView } from "@cloudwright/store/views";
import { Panel } from "../../components/panel.tsx";
import styles from "./controllers.module.css";
import { idleText } from "./controllers-words.ts";

/** The controllers that do not run here, each with why. */
export function IdlePanel({
  leader,
  provider,
}: {
  readonly leader: ControllerInstanceView;
  readonly provider: string;
}) {
  const running = new Set(leader.controllers.map(({ name }) => name));
  const idle = CONTROLLER_NAMES.filter((name) => !running.has(name));
  if (idle.length === 0) return null;
  return (
    <Panel title="Not running here">
      <ul className={styles.list} aria-label="Controllers that do not run">
        {idle.map((name) => (
          <li key={name} className={styles.idle}>
            <h3 className={styles.name}>
              {CONTROLLERS[name].label} <code>{name}</code>
            </h3>
            <p className={styles.text}>
              {idleText(
                leader.idle?.find((controller) => controller.name === name),
                provider,
              )}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
