import type { RouteFigures, RouteMetrics } from "@cloudwright/core/controllers/route/route-metrics";
import { Counter, Gauge, type Registry } from "prom-client";

/** The metric of spec/40 §6, then what upstream has none for. */
export function createRouteMetrics(registry: Registry): RouteMetrics {
  const registers = [registry];
  const syncs = new Counter({
    name: "route_controller_route_sync_total",
    help: "Looks at the routes, by whether something was changed and by what brought them about.",
    labelNames: ["outcome", "trigger"],
    registers,
  });
  const changes = new Counter({
    name: "cloudwright_route_changes_total",
    help: "Routes that were to be created or deleted, by what came of it.",
    labelNames: ["action", "outcome"],
    registers,
  });
  let show: ((figures: RouteFigures) => void) | undefined;
  return {
    countSync: (outcome, trigger) => syncs.inc({ outcome, trigger }),
    countChange: (action, outcome) => changes.inc({ action, outcome }),
    found: (figures) => {
      show ??= gaugesOf(registers);
      show(figures);
    },
  };
}

/** Only once somebody has looked: a standby knows of none, which is not that there are none. */
function gaugesOf(registers: Registry[]): (figures: RouteFigures) => void {
  const routes = new Gauge({
    name: "cloudwright_routes",
    help: "Routes by what they are to this cluster: present, missing, stale (ours, asked for by nobody) and foreign.",
    labelNames: ["state"],
    registers,
  });
  const used = new Gauge({
    name: "cloudwright_route_table_routes",
    help: "Routes that a table holds, of whomever.",
    labelNames: ["table"],
    registers,
  });
  const capacity = new Gauge({
    name: "cloudwright_route_table_capacity",
    help: "Routes that a table may hold; absent where the cloud does not tell.",
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
