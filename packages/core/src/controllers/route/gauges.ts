import type { GaugeDeclaration, GaugeValue, Instruments } from "../controller-module.ts";
import type { RouteFigures } from "./sweep.ts";

/** Shows the figures of the last periodic listing, once there is one. */
export function showFigures({
  gauge,
}: Pick<Instruments, "gauge">): (figures: RouteFigures) => void {
  let found: RouteFigures | undefined;
  return (figures) => {
    const isFirst = found === undefined;
    found = figures;
    if (!isFirst) return;
    for (const [declaration, read] of GAUGES) {
      gauge(declaration, () => (found === undefined ? [] : read(found)));
    }
  };
}

const GAUGES: readonly [GaugeDeclaration, (figures: RouteFigures) => readonly GaugeValue[]][] = [
  [
    {
      name: "cloudwright_routes",
      help: "Routes by what they are to this cluster: present, missing, stale (ours, but no longer needed) and foreign.",
      labels: ["state"],
    },
    ({ tables: _tables, ...counts }) =>
      Object.entries(counts).map(([state, value]) => ({ value, labels: { state } })),
  ],
  [
    {
      name: "cloudwright_route_table_routes",
      help: "Routes in a table, whoever owns them.",
      labels: ["table"],
    },
    ({ tables }) => tables.map(({ name, used }) => ({ value: used, labels: { table: name } })),
  ],
  [
    {
      name: "cloudwright_route_table_capacity",
      help: "Routes that a table can hold; absent if the cloud does not report it.",
      labels: ["table"],
    },
    ({ tables }) =>
      tables.flatMap(({ name, capacity }) =>
        capacity === undefined ? [] : [{ value: capacity, labels: { table: name } }],
      ),
  ],
];

/** Shown once the first listing has been seen. */
export const ROUTE_GAUGES: readonly GaugeDeclaration[] = GAUGES.map(([declaration]) => declaration);
