import type { RouteRow, RouteTableView } from "@cloudwright/store/views/routes";
import { screen, within } from "@testing-library/react";
import { ActionDialogs } from "../../../platform/actions/dialog/action-dialogs.tsx";
import { cluster, controller, instance, NO_STATES } from "../../../testing/cluster-view.ts";
import { ANA, type Answers, renderPage } from "../../../testing/render-page.tsx";
import { cloudRoute, routeCell, routeRow, tableView } from "../../../testing/route-rows.ts";
import { RoutesPage } from "../routes-page.tsx";

export const COUNTS = {
  ...cluster().routes,
  ...{ states: { ...NO_STATES, ok: 2 }, wanted: 2, inStep: 2, tables: 1 },
};

export const W1 = routeRow("w-1", {
  table: "rtb-a",
  cells: [routeCell("10.0.1.0/24", { route: cloudRoute() })],
});

export const W2 = routeRow("w-2", {
  ...{ table: "rtb-a", state: "stuck", drift: "drifted" },
  cells: [routeCell("10.0.2.0/24", { verdict: "missing", evidence: "quota of 50 routes" })],
});

export interface Shown {
  readonly query?: string;
  readonly rows?: readonly RouteRow[];
  readonly tables?: readonly RouteTableView[];
  readonly counts?: Partial<typeof COUNTS>;
  readonly isOff?: boolean;
  readonly role?: "viewer" | "operator";
  readonly answers?: Answers;
}

export const paged = <Row,>(rows: readonly Row[], more: object = {}) => ({
  ...{ rows, nextCursor: undefined, total: { kind: "exact", count: rows.length } },
  ...more,
});

export function show({
  query = "?view=list",
  rows = [W1, W2],
  tables = [tableView("rtb-a", { tableName: "main" })],
  counts: over = {},
  isOff = false,
  role = "operator",
  answers = {},
}: Shown = {}) {
  const counts = { ...COUNTS, ...over };
  const name = isOff ? "cloud-node-controller" : "node-route-controller";
  const leader = instance({ controllers: [controller(name)] });
  return renderPage(
    <>
      <RoutesPage />
      <ActionDialogs />
    </>,
    {
      viewer: { ...ANA, role },
      address: `/c/c-1/routes${query}`,
      answers: {
        "clusters.byId": () => cluster({ leader, routes: counts }),
        "people.admins": () => ["Cleo"],
        "routes.list": () => paged(rows, { counts, facets: {}, families: ["IPv4"] }),
        "routes.tables": () => tables,
        "routes.ofNode": (input) => ({
          row: rows.find((row) => row.name === (input as { name: string }).name),
          ...{ ranges: undefined, goneAt: undefined, openIntents: [] },
        }),
        "routes.stale": () => paged([]),
        "routes.foreign": () => paged([], { unlisted: 0 }),
        ...answers,
      },
    },
  );
}

export const tableRow = async (name: RegExp) => within(await screen.findByRole("row", { name }));
