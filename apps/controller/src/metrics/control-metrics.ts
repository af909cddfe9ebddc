import type { ControllerName } from "@cloudwright/core/model/controller-names";
import { type ControlsStatus, heldCount } from "@cloudwright/core/model/controls";
import { Gauge, type Registry } from "prom-client";

export interface ControlFacts {
  /** Returns undefined while this process is not the leader. */
  status(): ControlsStatus | undefined;
  /** The controllers that run here. */
  controllers(): readonly ControllerName[];
}

/** Exposes pauses, settings and the deletion guard, read at each scrape; a standby has none of them. */
export function readControlsAtScrape(registry: Registry, facts: ControlFacts): void {
  const gauge = (name: string, help: string, read: (status: ControlsStatus) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const status = facts.status();
        this.set(status === undefined ? 0 : read(status));
      },
    });
  gauge(
    "cloudwright_deletion_guard_held_nodes",
    "Nodes whose deletion waits for an admin.",
    ({ guard }) => (guard === undefined ? 0 : heldCount(guard)),
  );
  gauge(
    "cloudwright_deletion_guard_limit",
    "Maximum number of nodes that may be deleted in the window; +Inf while the guard is off.",
    ({ guard }) => guard?.limit ?? Number.POSITIVE_INFINITY,
  );
  gauge(
    "cloudwright_deletion_guard_deleted",
    "Nodes deleted in the window.",
    ({ guard }) => guard?.deleted ?? 0,
  );
  new Gauge({
    name: "cloudwright_setting_overridden",
    help: "1 while a user has changed the setting of this flag; its value then differs from the flag's.",
    labelNames: ["setting"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { setting, override } of facts.status()?.settings ?? []) {
        this.set({ setting }, override === undefined ? 0 : 1);
      }
    },
  });
  new Gauge({
    name: "cloudwright_controller_paused",
    help: "1 while a user has paused the controller.",
    labelNames: ["name"],
    registers: [registry],
    collect() {
      this.reset();
      const paused = new Set(facts.status()?.pauses.map(({ controller }) => controller));
      for (const name of facts.controllers()) this.set({ name }, paused.has(name) ? 1 : 0);
    },
  });
}
