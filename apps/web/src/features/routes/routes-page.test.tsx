// @vitest-environment happy-dom
import type { RouteRow, RouteTableView } from "@cloudwright/store/views/routes";
import { act, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { ActionDialogs } from "../../platform/actions/dialog/action-dialogs.tsx";
import { closeDialog } from "../../platform/actions/dialog-store.ts";
import { intent } from "../../platform/actions/testing/intents.ts";
import { expectChoice } from "../../testing/choose-columns.ts";
import { cluster, controller, instance, NO_STATES } from "../../testing/cluster-view.ts";
import { ANA, type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import {
  cloudRoute,
  forecast,
  foreignRoute,
  routeCell,
  routeRow,
  staleRoute,
  tableView,
} from "../../testing/route-rows.ts";
import { hasShape } from "../../testing/shapes.ts";
import { RoutesPage } from "./routes-page.tsx";

const COUNTS = {
  ...cluster().routes,
  ...{ states: { ...NO_STATES, ok: 2 }, wanted: 2, inStep: 2, tables: 1 },
};
const W1 = routeRow("w-1", {
  table: "rtb-a",
  cells: [routeCell("10.0.1.0/24", { route: cloudRoute() })],
});
const W2 = routeRow("w-2", {
  ...{ table: "rtb-a", state: "stuck", drift: "drifted" },
  cells: [routeCell("10.0.2.0/24", { verdict: "missing", evidence: "quota of 50 routes" })],
});

interface Shown {
  readonly query?: string;
  readonly rows?: readonly RouteRow[];
  readonly tables?: readonly RouteTableView[];
  readonly counts?: Partial<typeof COUNTS>;
  readonly isOff?: boolean;
  readonly role?: "viewer" | "operator";
  readonly answers?: Answers;
}

const paged = <Row,>(rows: readonly Row[], more: object = {}) => ({
  ...{ rows, nextCursor: undefined, total: { kind: "exact", count: rows.length } },
  ...more,
});

function show({
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

afterEach(() => act(closeDialog));

const tableRow = async (name: RegExp) => within(await screen.findByRole("row", { name }));

describe("the routes of the nodes", () => {
  it("are asked for as the address says", async () => {
    const page = show({ query: "?view=list&q=w&state=stuck&cell=missing&table=rtb-a&sort=-node" });
    await tableRow(/w-1/);
    expect(page.sent("routes.list")).toMatchObject([
      { filter: { text: "w", states: ["stuck"], verdicts: ["missing"], table: "rtb-a" } },
    ]);
  });

  it("say of each how its route stands, by a word and not by its colour alone", async () => {
    show();
    expect((await tableRow(/w-2/)).getByText("Missing")).toBeDefined();
    expect((await tableRow(/w-1/)).getByText("In sync", { selector: "code ~ span" })).toBeDefined();
  });

  it("are a matrix by table where there are few, headed by how much room each has", async () => {
    show({ query: "" });
    expect(await screen.findByText(/40 of 50 routes, 10 more nodes fit$/)).toBeDefined();
    expect(screen.getByRole("button", { name: "Matrix" }).getAttribute("aria-pressed")).toBe(
      "true",
    );
    expect(
      screen.getByRole("button", { name: /10\.0\.2\.0\/24.*Missing.*route of w-2/ }),
    ).toBeDefined();
  });

  it.each(["list", "matrix"])(
    "have a shape in the %s only where they are not in sync",
    async (layout) => {
      show({ query: `?view=${layout}` });
      const ranges = (await screen.findAllByText(/^10\.0\.[12]\.0\/24$/)).map(hasShape);
      expect(ranges).toEqual([false, true]);
    },
  );

  it("are a list where there are too many for a matrix, unless that is asked for", async () => {
    const counts = { states: { ...NO_STATES, ok: 501 } };
    const page = show({ query: "", counts });
    const list = await screen.findByRole("button", { name: "List" });
    await expect.poll(() => list.getAttribute("aria-pressed")).toBe("true");
    await page.user.click(screen.getByRole("button", { name: "Matrix" }));
    expect(window.location.search).toBe("?view=matrix");
    expect(await screen.findByText(/40 of 50 routes, /)).toBeDefined();
  });

  it("are not asked for before it is known how they are laid out", () => {
    const page = show({
      query: "",
      answers: { "clusters.byId": () => new Promise(() => undefined) },
    });
    expect(page.sent("routes.list")).toEqual([]);
  });

  it("are filtered by how a route stands, and shown whole again", async () => {
    const page = show();
    await page.user.click(screen.getByRole("button", { name: "Cells" }));
    await page.user.click(await screen.findByRole("menuitemcheckbox", { name: "Missing" }));
    await expect.poll(() => window.location.search).toBe("?view=list&cell=missing");
    await page.user.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(window.location.search).toBe("?view=list");
  });

  it("say that none matches, and lead out of the filter", async () => {
    const page = show({ query: "?view=list&q=nothing", rows: [] });
    await page.user.click(
      await screen.findByRole("button", { name: "Show the routes of all nodes" }),
    );
    expect(window.location.search).toBe("?view=list");
  });

  it("say that none has been observed yet where nothing is filtered", async () => {
    show({ rows: [] });
    expect(await screen.findByText(/^No node's routes have been observed yet/)).toBeDefined();
  });

  it("say why they could not be read, and not that there are none", async () => {
    const page = show({
      answers: { "routes.list": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") },
    });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(screen.queryByText(/^No node's routes/)).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("routes.list").length).toBe(2);
  });

  it("say what of the address was left out", async () => {
    show({ query: "?view=list&cell=odd&colour=red" });
    expect(await screen.findByText(/ignored: odd, colour\.$/)).toBeDefined();
  });
});

describe("the routes of one node beside the list", () => {
  const panel = async () =>
    within(await screen.findByRole("complementary", { name: /Routes of w-2/ }));

  it("say where each should lead, where it leads and what the cloud refused", async () => {
    show({ query: "?view=list&peek=w-2" });
    const route = within(
      await (await panel()).findByRole("region", { name: "Route to 10.0.2.0/24" }),
    );
    expect(route.getByText("Should lead to").nextElementSibling?.textContent).toMatch(
      /^sandbox:\/\/w-1/,
    );
    expect(route.getByText("Leads to").nextElementSibling?.textContent).toBe("no route");
    expect(route.getByText("Evidence").nextElementSibling?.textContent).toBe("quota of 50 routes");
  });

  it("have the pod range that was pressed first, and marked", async () => {
    const cells = [routeCell("10.0.2.0/24"), routeCell("fd00::/64")];
    show({ query: "?view=list&peek=w-2/fd00::/64", rows: [W1, { ...W2, cells }] });
    const regions = await (await panel()).findAllByRole("region");
    expect(regions.map((each) => each.getAttribute("aria-label"))).toEqual([
      "Route to fd00::/64",
      "Route to 10.0.2.0/24",
    ]);
    expect(regions.map((each) => each.getAttribute("aria-current"))).toEqual(["true", null]);
  });

  it("open from a cell of the matrix", async () => {
    const page = show({ query: "" });
    await page.user.click(await screen.findByRole("button", { name: /route of w-2/ }));
    expect(new URLSearchParams(window.location.search).get("peek")).toBe("w-2/10.0.2.0/24");
    expect(await panel()).toBeDefined();
  });

  it("mark what leads elsewhere than it should, and leave alone what is not ours", async () => {
    const cells = [
      routeCell("10.0.2.0/24", {
        ...{ verdict: "foreign", evidence: "owner vpn" },
        route: cloudRoute({ nextHop: "gw-9", owner: "vpn" }),
      }),
    ];
    show({ query: "?view=list&peek=w-2", rows: [{ ...W2, cells }] });
    const aside = await panel();
    expect((await aside.findByText("≠ Leads to")).nextElementSibling?.textContent).toMatch(/^gw-9/);
    expect(aside.getByText(/not ours, and is left untouched/)).toBeDefined();
    expect(aside.getByText("Table").nextElementSibling?.textContent).toBe("main");
  });

  it("offer to repair what drifted, to preview it, and to hold the node", async () => {
    show({ query: "?view=list&peek=w-2" });
    const aside = await panel();
    await aside.findByRole("button", { name: "Repair now" });
    expect(aside.getByRole("button", { name: "Dry run" })).toBeDefined();
    expect(aside.getByRole("button", { name: "Hold node…" })).toBeDefined();
  });

  it("offer to release a node that is held, and a plain retry where nothing drifted", async () => {
    const reason = { code: "HeldByAnnotation", until: undefined, by: "ana", why: "x" } as never;
    show({
      query: "?view=list&peek=w-2",
      rows: [{ ...W2, drift: "inStep", state: "held", reason }],
    });
    const aside = await panel();
    expect(await aside.findByRole("button", { name: "Release node…" })).toBeDefined();
    expect(aside.getByRole("button", { name: "Retry now" })).toBeDefined();
  });

  it("offer nothing for a node that is gone", async () => {
    const gone = { row: W2, ranges: undefined, goneAt: Date.now(), openIntents: [] };
    show({ query: "?view=list&peek=w-2", answers: { "routes.ofNode": () => gone } });
    const aside = await panel();
    await aside.findByText("NetworkUnavailable");
    expect(aside.queryByRole("button", { name: /now$|Dry run|Hold/ })).toBeNull();
  });

  it("say that the controller has not observed that node yet", async () => {
    show({ query: "?view=list&peek=w-2", rows: [W1] });
    expect(await (await panel()).findByText(/has not observed this node yet/)).toBeDefined();
  });
});

describe("repairing what drifted", () => {
  const button = () => screen.findByRole("button", { name: "Repair drift…" });

  it("is for what the list shows as drifted now, and for nothing else", async () => {
    const page = show();
    await tableRow(/w-2/);
    await page.user.click(await button());
    await screen.findByRole("dialog", { name: "Repair the routes of 1 node" });
    await expect
      .poll(() => page.sent("intents.requestBatch"))
      .toMatchObject([{ requests: [{ kind: "preview", object: { kind: "Node", name: "w-2" } }] }]);
  });

  it("says that there is nothing to repair", async () => {
    show({ rows: [W1] });
    await tableRow(/w-1/);
    expect((await button()).getAttribute("aria-description")).toBe(
      "Nothing in this list has drifted.",
    );
  });

  it("leaves out what is gone", async () => {
    show({ rows: [{ ...W2, state: "gone" }] });
    await tableRow(/w-2/);
    expect((await button()).getAttribute("aria-disabled")).toBe("true");
  });

  it("is no viewer's, who reads whom to ask", async () => {
    show({ role: "viewer" });
    await tableRow(/w-2/);
    const description = async () => (await button()).getAttribute("aria-description");
    await expect.poll(description).toMatch(/^Needs role operator.*Cleo/);
  });

  it("says of how many the plans are read at once where more have drifted", async () => {
    const rows = Array.from({ length: 102 }, (_, index) => ({
      ...routeRow(`w-${index}`),
      drift: "drifted" as const,
    }));
    const page = show({ rows });
    await tableRow(/w-11/);
    expect((await button()).getAttribute("title")).toBe(
      "The first 100 of the 102 that have drifted, so that their plans can be read.",
    );
    await page.user.click(await button());
    expect(
      await screen.findByRole("dialog", { name: "Repair the routes of 100 nodes" }),
    ).toBeDefined();
  });
});

describe("the route tables", () => {
  const card = async (name: RegExp) =>
    within(await screen.findByRole("region", { name: "Route tables" })).getByRole("button", {
      name,
    });

  it("say how full they are, and narrow the list to their nodes and back", async () => {
    const page = show();
    const main = await card(/^main/);
    expect(main.textContent).toMatch(/40 of 50 routes: 10 more nodes fit\./);
    await page.user.click(main);
    expect(new URLSearchParams(window.location.search).get("table")).toBe("rtb-a");
    expect((await card(/^main/)).getAttribute("aria-pressed")).toBe("true");
    await page.user.click(screen.getByRole("button", { name: "Table · main" }));
    expect(new URLSearchParams(window.location.search).has("table")).toBe(false);
  });

  it("say when one is full, and how many others there are", async () => {
    const full = tableView("rtb-z", { used: 50, forecast: forecast({ nodesFit: 0 }) });
    const more = ["b", "c", "d", "e"].map((id) => tableView(`rtb-${id}`));
    show({ tables: [full, ...more] });
    expect((await card(/^rtb-z/)).textContent).toMatch(/no more nodes fit/);
    expect(screen.getByText(/^2 more tables/)).toBeDefined();
  });

  it("say that they could not be read, in one line above the list, which stays, and are read again on demand", async () => {
    const failed = { "routes.tables": refusal("INTERNAL_SERVER_ERROR", "It failed.") };
    const page = show({ answers: failed });
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("The route tables could not be read.");
    expect(await tableRow(/w-1/)).toBeDefined();
    await page.user.click(within(alert).getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("routes.tables").length).toBeGreaterThan(1);
  });

  it("do not keep the list from being read where nobody can say how many nodes there are", async () => {
    const failed = refusal("INTERNAL_SERVER_ERROR", "It failed.");
    show({ query: "", answers: { "clusters.byId": failed, "routes.list": failed } });
    expect((await screen.findByRole("alert")).textContent).toContain("It failed.");
  });
});

describe("routes without a node", () => {
  const STALE = staleRoute("r-9", {
    detail: {
      ...{ kind: "route", table: "rtb-a", destination: "10.0.9.0/24", blackhole: false },
      ...{ owner: "w-9", nextHop: "i-9" },
    },
  });
  const answers = { "routes.stale": () => paged([STALE]) };

  it("are listed with whose they were and where they lead, and can be retried", async () => {
    show({ query: "?show=stale", counts: { stale: 1 }, answers });
    const row = await tableRow(/r-9/);
    for (const text of ["w-9", "i-9"]) expect(row.getByText(text)).toBeDefined();
    await expect.poll(() => row.queryByText("main")).not.toBeNull();
    expect(row.getByRole("button", { name: "Retry now r-9" })).toBeDefined();
  });

  it("name who asked for one already, in the place of another retry", async () => {
    const open = { ...STALE, openIntents: [intent({ id: "i-5", state: "claimed", actor: "Ben" })] };
    show({ query: "?show=stale", answers: { "routes.stale": () => paged([open]) } });
    const row = await tableRow(/r-9/);
    const link = row.getByRole("link", { name: /Ben/ });
    expect(link.getAttribute("href")).toBe("/c/c-1/actions/i-5");
    expect(row.queryByRole("button", { name: /Retry now/ })).toBeNull();
  });

  it("show the columns that are chosen", async () => {
    await expectChoice(show({ query: "?show=stale", answers }), "Was of");
  });

  it("are counted on their tab, which leaves the filter of the other", async () => {
    const page = show({ query: "?view=list&q=w&cell=missing", counts: { stale: 3 }, answers });
    await page.user.click(await screen.findByRole("tab", { name: /^Without a node.*3/ }));
    expect(window.location.search).toBe("?show=stale&view=list");
    expect(page.sent("routes.stale")).toMatchObject([{ filter: { text: undefined } }]);
  });

  it("are none, which is said", async () => {
    show({ query: "?show=stale" });
    expect(await screen.findByText("No route of ours is without a node")).toBeDefined();
  });
});

describe("routes that are not ours", () => {
  const FOREIGN = [
    foreignRoute("r-1", { destination: "10.0.7.0/24", inRange: true, owner: "gateway" }),
    foreignRoute("r-2", { destination: "192.168.0.0/16", blackhole: true, nextHop: "i-0" }),
  ];
  const answers = { "routes.foreign": () => paged(FOREIGN, { unlisted: 1_200 }) };

  it("say whether they stand in a node's way, whose they are and where they lead", async () => {
    show({ query: "?show=foreign", answers });
    const inTheWay = await tableRow(/10\.0\.7\.0/);
    expect(inTheWay.getByText("In a pod range")).toBeDefined();
    expect(inTheWay.getAllByText(/gateway/).length).toBeGreaterThan(0);
    const elsewhere = await tableRow(/192\.168/);
    expect(elsewhere.getByText("Elsewhere")).toBeDefined();
    expect(elsewhere.getAllByText(/a machine that is gone/).length).toBeGreaterThan(0);
  });

  it("have a shape only where they stand in a node's way", async () => {
    const routes = [foreignRoute("r-1"), foreignRoute("r-2", { inRange: true })];
    show({
      query: "?show=foreign",
      answers: { "routes.foreign": () => paged(routes, { unlisted: 0 }) },
    });
    expect(hasShape(await screen.findByText("Elsewhere"))).toBe(false);
    expect(hasShape(screen.getByText("In a pod range"))).toBe(true);
  });

  it("show the columns that are chosen", async () => {
    await expectChoice(show({ query: "?show=foreign", answers }), "Next hop");
  });

  it("say how many more there are than are listed", async () => {
    show({ query: "?show=foreign", answers });
    expect(await screen.findByText(/^1,200 more are counted/)).toBeDefined();
  });

  it("offer nothing to do with them", async () => {
    show({ query: "?show=foreign", answers });
    const row = await tableRow(/10\.0\.7\.0/);
    expect(row.queryByRole("button", { name: /Retry|Repair|Delete|Adopt/ })).toBeNull();
  });

  it("are none, or none that matches", async () => {
    const page = show({ query: "?show=foreign" });
    expect(await screen.findByText("No foreign routes")).toBeDefined();
    await page.user.type(screen.getByRole("searchbox"), "10.1");
    expect(await screen.findByText("No foreign route matches this filter")).toBeDefined();
  });
});

describe("where the route controller does not run", () => {
  it("it says how routes are turned on, where none of ours are left", async () => {
    show({ isOff: true, counts: { states: NO_STATES, tables: 0 } });
    expect(await screen.findByText("The route controller is not running here")).toBeDefined();
    expect(screen.getByText("--configure-cloud-routes=false")).toBeDefined();
  });

  it("it still lists what it saw last, and says so", async () => {
    show({ isOff: true });
    expect(await tableRow(/w-1/)).toBeDefined();
    expect(screen.getByText(/^The route controller is not running here now/)).toBeDefined();
  });
});
