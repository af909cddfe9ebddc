// @vitest-environment happy-dom
import type { State } from "@cloudwright/core/model/state";
import type { NodesPage as Answer, NodeRow } from "@cloudwright/store/views/views";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { failingOnce } from "../../testing/failing-once.ts";
import { ANA, type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { NodesPage } from "./nodes-page.tsx";

function row(name: string, over: Partial<NodeRow> = {}): NodeRow {
  return {
    ready: undefined,
    ...{ name, uid: `uid-${name}`, state: "ok", controller: "cloud-node-controller" },
    ...{ drift: "inStep", reason: { code: "InStep" }, since: Date.now(), nextAt: undefined },
    ...{ failures: 0, updatedAt: 0, initMs: 1_500, zone: "a", instanceType: "m1" },
    ...{ providerID: `sandbox://${name}`, addresses: [] },
    lastRun: { id: "r-1", outcome: "unchanged", at: 0 },
    ...over,
  };
}

const COUNTS: Readonly<Record<State, number>> = {
  ...{ stuck: 1, unknown: 0, waiting: 0, working: 0, held: 0, ok: 2, gone: 0 },
};
const ROWS = [row("w-1", { state: "stuck" }), row("w-2"), row("w-3", { state: "gone" })];

function answer(rows: readonly NodeRow[] = ROWS): Answer {
  return {
    rows,
    nextCursor: undefined,
    total: { kind: "exact", count: rows.length },
    counts: { states: COUNTS, drifted: 0 },
    facets: { zones: ["a", "b"], types: ["m1"] },
  };
}

function show(address = "/c/c-1/nodes", answers: Answers = {}) {
  return renderPage(<NodesPage />, {
    address,
    answers: { "nodes.list": () => answer(), ...answers },
  });
}

/** Returns the filter of the latest request for rows. */
const filterOf = (page: ReturnType<typeof show>) =>
  (page.sent("nodes.list").at(-1) as { readonly filter: object }).filter;
const tableRows = () => within(screen.getByRole("table")).getAllByRole("row").slice(1);

describe("the list of nodes", () => {
  it("requests what its address says, and shows the rows", async () => {
    const page = show("/c/c-1/nodes?state=stuck,ok&zone=a&sort=-since");
    expect(await screen.findByRole("link", { name: "w-1" })).toBeDefined();
    expect(tableRows()).toHaveLength(3);
    expect(page.sent("nodes.list")).toMatchObject([
      {
        cluster: "c-1",
        filter: { states: ["stuck", "ok"], zones: ["a"] },
        sort: { by: "since", descending: true },
      },
    ]);
  });

  it("reports what it does not know in its address", async () => {
    show("/c/c-1/nodes?state=broken&colour=red");
    expect(await screen.findByText(/broken/)).toBeDefined();
  });

  it("filters by a counter, and clears it by a second press", async () => {
    const page = show();
    const stuck = await screen.findByRole("button", { name: /^Stuck/ });
    await page.user.click(stuck);
    expect(window.location.search).toBe("?state=stuck");
    await expect.poll(() => filterOf(page)).toMatchObject({ states: ["stuck"] });
    expect(stuck.getAttribute("aria-pressed")).toBe("true");
    await page.user.click(stuck);
    expect(window.location.search).toBe("");
  });

  it("filters by the typed text, once typing pauses", async () => {
    const page = show();
    await page.user.type(await screen.findByRole("searchbox", { name: "Filter nodes" }), "10.0");
    await expect.poll(() => filterOf(page)).toMatchObject({ text: "10.0" });
    expect(page.sent("nodes.list")).toHaveLength(2);
  });

  it("filters by zones, of which several can be chosen", async () => {
    const page = show("/c/c-1/nodes?zone=a");
    await page.user.click(await screen.findByRole("button", { name: "Zone · 1" }));
    await page.user.click(await screen.findByRole("menuitemcheckbox", { name: "b" }));
    expect(window.location.search).toBe("?zone=a,b");
    await expect.poll(() => filterOf(page)).toMatchObject({ zones: ["a", "b"] });
  });

  it("shows only faults by a button and by a key", async () => {
    const page = show();
    await page.user.click(await screen.findByRole("button", { name: "Faults only" }));
    expect(window.location.search).toBe("?state=stuck,unknown");
    await page.user.click(document.body);
    await page.user.keyboard("f");
    expect(window.location.search).toBe("");
  });

  it("clears all filters at once, but not its order", async () => {
    const page = show("/c/c-1/nodes?q=w&state=ok&drift=drifted&zone=a&sort=-since");
    await page.user.click(await screen.findByRole("button", { name: "Clear filters" }));
    expect(window.location.search).toBe("?sort=-since");
    expect(screen.queryByRole("button", { name: "Clear filters" })).toBeNull();
  });

  it("is sorted by a column, and in reverse by a second press", async () => {
    const page = show();
    const name = await screen.findByRole("columnheader", { name: /^Name/ });
    const head = within(name).getByRole("button");
    await page.user.click(head);
    expect(window.location.search).toBe("?sort=name");
    await page.user.click(head);
    expect(window.location.search).toBe("?sort=-name");
  });

  it("is refetched by a key", async () => {
    const page = show();
    await screen.findByRole("link", { name: "w-1" });
    await page.user.keyboard("r");
    await expect.poll(() => page.sent("nodes.list")).toHaveLength(2);
  });
});

describe("a list without rows", () => {
  it("says that nothing matches, with the way back to all", async () => {
    const page = show("/c/c-1/nodes?q=x", { "nodes.list": () => answer([]) });
    expect(await screen.findByText("No node matches this filter")).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "Show all nodes" }));
    expect(window.location.search).toBe("");
  });

  it("says when a node will appear, if there is no filter", async () => {
    show(undefined, { "nodes.list": () => answer([]) });
    expect(await screen.findByText("No node has been seen yet")).toBeDefined();
    expect(screen.queryByRole("button", { name: "Show all nodes" })).toBeNull();
  });

  it("says why it could not be read, and is refetched on demand", async () => {
    const page = show(undefined, {
      "nodes.list": refusal("SERVICE_UNAVAILABLE", "The ledger is down."),
    });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("nodes.list")).toHaveLength(2);
  });

  it("goes on saying why it could not be read while it is asked for again", async () => {
    const page = show(undefined, { "nodes.list": failingOnce("The ledger is down.") });
    await screen.findByText("The ledger is down.");
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByText("Loading…");
    expect(screen.getByRole("alert").textContent).toContain("The ledger is down.");
  });
});

describe("the selected rows", () => {
  it("can be retried together, except deleted ones", async () => {
    const page = show();
    await page.user.click(
      await screen.findByRole("checkbox", { name: "Select all rows that are loaded" }),
    );
    expect(await screen.findByText("2 nodes selected")).toBeDefined();
    expect(screen.queryByRole("checkbox", { name: "Select w-3" })).toBeNull();
    expect(screen.getByRole("button", { name: "Retry 2 nodes…" })).toBeDefined();
  });

  it("stay selected when the filter changes, until they are cleared", async () => {
    const page = show();
    await page.user.click(await screen.findByRole("checkbox", { name: "Select w-2" }));
    await page.user.click(screen.getByRole("button", { name: /^Stuck/ }));
    expect(await screen.findByText("1 node selected")).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "Clear selection" }));
    expect(screen.getByRole("checkbox", { name: "Select w-2" })).toHaveProperty("checked", false);
  });

  it("cannot be retried by a viewer, who learns whom to ask", async () => {
    const page = renderPage(<NodesPage />, {
      address: "/c/c-1/nodes",
      viewer: { ...ANA, role: "viewer" },
      answers: { "nodes.list": () => answer(), "people.admins": () => ["Cleo"] },
    });
    await page.user.click(await screen.findByRole("checkbox", { name: "Select w-2" }));
    await expect
      .poll(() =>
        screen.getByRole("button", { name: /^Retry 1 node/ }).getAttribute("aria-description"),
      )
      .toBe("Needs role operator. You are viewer. Admins: Cleo.");
  });
});

describe("the row open beside the list", () => {
  it("is in the address, and disappears from it when it is closed", async () => {
    const page = show("/c/c-1/nodes?sort=name&peek=w-2");
    const panel = within(await screen.findByRole("complementary", { name: /w-2/ }));
    expect(page.sent("nodes.byName")).toEqual([{ cluster: "c-1", name: "w-2" }]);
    await page.user.click(panel.getByRole("button", { name: "Close w-2" }));
    expect(window.location.search).toBe("?sort=name");
  });
});
