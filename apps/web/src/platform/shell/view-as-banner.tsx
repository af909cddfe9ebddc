"use client";
import { Button } from "../../components/button.tsx";
import { viewAs } from "../viewer/view-as.ts";
import { useViewer } from "../viewer/viewer-context.tsx";
import styles from "./shell.module.css";

/** Stands on every page while somebody tries out what another role is offered. */
export function ViewAsBanner() {
  const { role, ownRole } = useViewer();
  if (role === ownRole) return null;
  return (
    <div role="status" className={styles.banner} data-tone="held" data-action="true">
      <span>
        You see the pages as a person of role {role} does. You are still {ownRole}.
      </span>
      <Button onClick={() => viewAs(undefined)}>Back to my own view</Button>
    </div>
  );
}
