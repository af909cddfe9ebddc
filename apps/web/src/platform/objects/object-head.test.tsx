// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { cloudRoute, routeCell, routeRow, tableView } from "../../testing/route-rows.ts";
import { Stale } from "../../testing/stale.tsx";
import { ObjectHead } from "./object-head.tsx";
import { RouteFacts } from "./route-facts.tsx";

type Head = Parameters<typeof ObjectHead>[0]["object"];

const OBJECT: Head = {
  ...{ kind: "Node", name: "w-1", uid: "u-1", state: "stuck", since: Date.now() - 14 * 60_000 },
  ...{ goneAt: undefined, drift: "drifted" },
};
const head = (over: Partial<Head> = {}) => (
  <ObjectHead
    list={{ label: "Nodes", href: "/c/c-1/nodes" }}
    object={{ ...OBJECT, ...over }}
    actions={<button type="button">Retry now</button>}
  />
);

describe("the header of an object's page", () => {
  it("has its name, its state and since when, and the link back to its list", () => {
    renderPage(head());
    expect(screen.getByRole("heading", { level: 1, name: "w-1" })).toBeDefined();
    expect(screen.getByText("Stuck").parentElement?.textContent).toMatch(/14.min/);
    const back = within(screen.getByRole("navigation", { name: "Breadcrumbs and neighbours" }));
    expect(back.getByRole("link", { name: "Nodes" }).getAttribute("href")).toBe("/c/c-1/nodes");
  });

  it.each(["ok", "gone"] as const)("does not count for how long it has been %s", (state) => {
    const page = renderPage(head({ state }));
    expect(page.container.textContent).not.toMatch(/14.min/);
  });

  it("says that it has drifted, unless the page says so elsewhere", () => {
    const page = renderPage(head());
    expect(screen.getByText("Drifted")).toBeDefined();
    page.unmount();
    renderPage(head({ drift: undefined }));
    expect(screen.queryByText("Drifted")).toBeNull();
  });

  it("offers no actions for a deleted object, and does not say that it has drifted", () => {
    renderPage(head({ state: "gone", goneAt: Date.now() }));
    expect(screen.queryByRole("button", { name: "Retry now" })).toBeNull();
    expect(screen.queryByText("Drifted")).toBeNull();
  });

  it("marks the state as the last known one while the page is stale", () => {
    renderPage(<Stale>{head({ state: "ok" })}</Stale>);
    expect(screen.getAllByText(/last known/).length).toBeGreaterThan(0);
  });
});

describe("the routes of a node", () => {
  const ROW = routeRow("w-1", { lastRun: { id: "r-9", outcome: "changed", at: 0 } });
  const show = (over: Partial<typeof ROW>) =>
    renderPage(
      <RouteFacts
        of="u-1"
        row={{ ...ROW, ...over }}
        tables={[tableView("rtb-a", { tableName: "main" })]}
      />,
    );
  const fact = (label: string) => screen.getByText(label).nextElementSibling?.textContent;

  it("say so if the node has no pod range", () => {
    show({ cells: [] });
    expect(screen.getByText(/^The node has no pod range/)).toBeDefined();
  });

  it("say when the cloud was read, and what was written to the cluster", () => {
    const condition = { status: "False", reason: "RouteCreated", since: Date.now() } as const;
    show({ condition, asOf: Date.now() - 14 * 60_000 });
    expect(fact("NetworkUnavailable")).toMatch(/^False, RouteCreated since/);
    expect(fact("Cloud checked")).toMatch(/^14.min ago$/);
  });

  it("say that the cloud was not read yet, and that no condition is set", () => {
    show({});
    expect(fact("Cloud checked")).toBe("not yet");
    expect(fact("NetworkUnavailable")).toBe("not set");
  });

  it("do not call a route wrong that leads to the same machine under another name", () => {
    const cells = [routeCell("10.0.0.0/24", { route: cloudRoute({ nextHop: "i-1" }) })];
    show({ cells });
    expect(screen.getByText("Leads to")).toBeDefined();
    expect(screen.queryByText("≠ Leads to")).toBeNull();
  });

  it("link to the last run that changed one", () => {
    const runId = "0190aaaa-0000-7000-8000-000000000001";
    show({ cells: [routeCell("10.0.0.0/24", { changedAt: Date.now(), runId })] });
    const run = screen.getByRole("link", { name: `run ${runId.slice(-8)}` });
    expect(run.getAttribute("href")).toBe(`/c/c-1/runs/${runId}`);
  });

  it("name a table by its id while its name is not known", () => {
    show({ cells: [routeCell("10.0.0.0/24", { route: cloudRoute({ table: "rtb-z" }) })] });
    expect(fact("Table")).toBe("rtb-z");
  });
});
