import type { RouteFigures } from "@cloudwright/core/controllers/route/sweep";
import { Gauge, type Registry } from "prom-client";

export interface RouteGauges {
  /** What the last periodic listing has found. */
  found(figures: RouteFigures): void;
}

export function createRouteGauges(registry: Registry): RouteGauges {
  let show: ((figures: RouteFigures) => void) | undefined;
  return {
    found: (figures) => {
      show ??= gaugesOf([registry]);
      show(figures);
    },
  };
}

/** Only once somebody has looked: a standby knows of none, which is not that there are none. */
function gaugesOf(registers: Registry[]): (figures: RouteFigures) => void {
  const routes = new Gauge({
    name: "cloudwright_routes",
    help: "Routes by what they are to this cluster: present, missing, stale (ours, but not wanted) and foreign.",
    labelNames: ["state"],
    registers,
  });
  const used = new Gauge({
    name: "cloudwright_route_table_routes",
    help: "Routes in a table, whoever owns them.",
    labelNames: ["table"],
    registers,
  });
  const capacity = new Gauge({
    name: "cloudwright_route_table_capacity",
    help: "Routes that a table can hold; absent if the cloud does not report it.",
    labelNames: ["table"],
    registers,
  });
  return ({ tables, ...counts }) => {
    for (const [state, count] of Object.entries(counts)) routes.set({ state }, count);
    used.reset();
    capacity.reset();
    for (const table of tables) {
      used.set({ table: table.name }, table.used);
      if (table.capacity !== undefined) capacity.set({ table: table.name }, table.capacity);
    }
  };
}
