// @vitest-environment happy-dom
import type { RouteMapNode } from "@cloudwright/store/views/route-map";
import type { RouteTableView } from "@cloudwright/store/views/routes";
import { screen, within } from "@testing-library/react";
import { beforeAll, describe, expect, it } from "vitest";
import { cluster, controller, instance } from "../../../testing/cluster-view.ts";
import { type Answers, refusal, renderPage } from "../../../testing/render-page.tsx";
import {
  forecast,
  routeCell,
  routeMapColumns,
  routeRow,
  tableView,
} from "../../../testing/route-rows.ts";
import { hasShape } from "../../../testing/shapes.ts";
import { RoutesPage } from "../routes-page.tsx";

// The map is loaded later than the page; these tests should not wait for it.
beforeAll(() => import("./route-map.tsx"));

const MAP: readonly RouteMapNode[] = [
  { name: "w-1", cells: [{ cidr: "10.0.1.0/24", verdict: "keep", table: "rtb-c" }] },
  { name: "w-2", cells: [{ cidr: "10.0.2.0/24", verdict: "missing", table: "rtb-c" }] },
];
const FULL = tableView("rtb-c", { used: 50, forecast: forecast({ nodesFit: 0 }) });

function show({
  query = "?show=map",
  map = MAP,
  tables = [FULL],
  answers = {},
}: {
  readonly query?: string;
  readonly map?: readonly RouteMapNode[];
  readonly tables?: readonly RouteTableView[];
  readonly answers?: Answers;
} = {}) {
  const leader = instance({ controllers: [controller("node-route-controller")] });
  return renderPage(<RoutesPage />, {
    address: `/c/c-1/routes${query}`,
    answers: {
      "clusters.byId": () => cluster({ leader }),
      "routes.map": () => routeMapColumns(map),
      "routes.tables": () => tables,
      "routes.ofNode": () => ({
        row: routeRow("w-2", { cells: [routeCell("10.0.2.0/24", { verdict: "missing" })] }),
        ...{ ranges: undefined, goneAt: undefined, openIntents: [] },
      }),
      ...answers,
    },
  });
}

const block = async (name = "rtb-c") => within(await screen.findByRole("region", { name }));

describe("the map of the route tables", () => {
  it("shows how full each table is, and what differs in it", async () => {
    show();
    const table = await block();
    expect(table.getByText("50 of 50 routes, no more nodes fit")).toBeDefined();
    expect(table.getByText("Missing 1")).toBeDefined();
    expect(table.getByText("1 in sync · 2 nodes")).toBeDefined();
  });

  it("has a row for each node, the worst first, and a word for each route", async () => {
    show();
    const rows = (await block()).getAllByRole("row").slice(1);
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      "w-210.0.2.0/24Missing, route of w-2",
      "w-110.0.1.0/24In sync, route of w-1",
    ]);
  });

  it("has a shape only for what differs", async () => {
    show();
    const rows = await block();
    expect(hasShape(rows.getByText("10.0.1.0/24"))).toBe(false);
    expect(hasShape(rows.getByText("10.0.2.0/24"))).toBe(true);
  });

  it("opens a route beside it, and keeps it in the address", async () => {
    const page = show();
    await page.user.click((await block()).getByRole("button", { name: /10\.0\.2\.0/ }));
    expect(window.location.search).toBe("?show=map&peek=w-2%2F10.0.2.0%2F24");
    expect(
      await screen.findByRole("complementary", { name: "Beside the list: Routes of w-2" }),
    ).toBeDefined();
  });

  it("shows only differences on request, by the button and by the key f", async () => {
    const page = show();
    await block();
    await page.user.click(screen.getByRole("button", { name: "Only differences" }));
    expect(window.location.search).toBe("?show=map&drift=drifted");
    expect((await block()).queryByRole("link", { name: "w-1" })).toBeNull();
    await page.user.keyboard("f");
    expect(window.location.search).toBe("?show=map");
  });

  it("is navigated with the arrow keys", async () => {
    const page = show();
    const cells = (await block()).getAllByRole("button");
    cells[0]?.focus();
    await page.user.keyboard("{ArrowDown}");
    expect(document.activeElement).toBe(cells[1]);
    await page.user.keyboard("{ArrowUp}");
    expect(document.activeElement).toBe(cells[0]);
  });

  it("says that nothing matches, and clears the filter", async () => {
    const page = show({ query: "?show=map&cell=blackhole" });
    await page.user.click(
      await screen.findByRole("button", { name: "Show the routes of all nodes" }),
    );
    expect(window.location.search).toBe("?show=map");
  });

  it("says that nothing has been observed yet", async () => {
    show({ map: [], tables: [] });
    expect(await screen.findByText("No node's routes have been observed yet")).toBeDefined();
  });

  it("says why it could not be read", async () => {
    show({ answers: { "routes.map": refusal("Unavailable", "The database does not answer.") } });
    expect(await screen.findByText("The database does not answer.")).toBeDefined();
  });
});
