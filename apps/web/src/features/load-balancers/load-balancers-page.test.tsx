// @vitest-environment happy-dom
import type { LoadBalancerRow, OrphanRow } from "@cloudwright/store/views/load-balancers";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { intent } from "../../platform/actions/testing/intents.ts";
import { expectChoice } from "../../testing/choose-columns.ts";
import { cluster, NO_STATES } from "../../testing/cluster-view.ts";
import { loadBalancerRow, loadBalancerView } from "../../testing/load-balancer-view.ts";
import { ANA, type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { speakIn } from "../../testing/speak-in.ts";
import { LoadBalancersPage } from "./load-balancers-page.tsx";

const COUNTS = {
  states: { ...NO_STATES, ok: 1, stuck: 1 },
  drifted: 0,
  orphans: 2,
  orphansStuck: 0,
};
const ROWS = [
  loadBalancerRow({
    name: "shop/api",
    service: "api",
    uid: "u-api",
    state: "stuck",
    membersIn: 0,
    membersWanted: 3,
  }),
  loadBalancerRow(),
];

function orphan(name: string, over: Partial<OrphanRow> = {}): OrphanRow {
  const actual = {
    id: name,
    name: `n-${name}`,
    type: "network",
    addresses: ["203.0.113.9"],
    state: "active",
    parts: [],
  };
  return {
    ...loadBalancerRow({ name, uid: name, state: "waiting" }),
    detail: {
      ...{ kind: "orphan", actual, serviceUid: "uid-old", service: "shop/old" },
      ...{ firstSeenAt: Date.now() - 14 * 60_000, removeAt: Date.now() + 3_600_000 },
    },
    openIntents: [],
    ...over,
  } as OrphanRow;
}

function show(
  query = "",
  {
    answers = {} as Answers,
    rows = ROWS as readonly LoadBalancerRow[],
    orphans = [orphan("lb-9")],
    role = "admin" as "admin" | "operator",
  } = {},
) {
  const page = (of: readonly unknown[]) => ({
    ...{ rows: of, nextCursor: undefined, counts: COUNTS, facets: {} },
    total: { kind: "exact", count: of.length },
  });
  return renderPage(<LoadBalancersPage />, {
    viewer: { ...ANA, role },
    address: `/c/c-1/load-balancers${query}`,
    answers: {
      "clusters.byId": () => cluster({ balancers: COUNTS }),
      "balancers.list": () => page(rows),
      "balancers.orphans": () => page(orphans),
      "balancers.byName": () => loadBalancerView(),
      "people.admins": () => ["Cleo"],
      ...answers,
    },
  });
}

const filterOf = (page: ReturnType<typeof show>) =>
  (page.sent("balancers.list").at(-1) as { readonly filter: object }).filter;

describe("the list of load balancers", () => {
  it("requests what its address says, and shows how many of the nodes each has", async () => {
    const page = show("?state=stuck&sort=-changed");
    const link = await screen.findByRole("link", { name: "shop/api" });
    expect(link.closest("tr")?.textContent).toMatch(/0.{0,3}3/);
    expect(page.sent("balancers.list")).toMatchObject([
      { filter: { states: ["stuck"] }, sort: { by: "changed", descending: true } },
    ]);
  });

  it("filters by a counter, which counts the whole cluster", async () => {
    const page = show();
    const stuck = await screen.findByRole("button", { name: /^Stuck/ });
    await expect.poll(() => stuck.textContent).toBe("Stuck1");
    await page.user.click(stuck);
    expect(window.location.search).toBe("?state=stuck");
    await expect.poll(() => filterOf(page)).toMatchObject({ states: ["stuck"] });
  });

  it("retries exactly the selected ones", async () => {
    const page = show();
    await page.user.click(await screen.findByRole("checkbox", { name: "Select shop/api" }));
    expect(await screen.findByRole("button", { name: "Retry 1 Service…" })).toBeDefined();
  });

  it("shows the Service in the address beside it", async () => {
    const page = show("?peek=shop%2Fweb");
    await screen.findByRole("complementary", { name: /shop\/web/ });
    expect(page.sent("balancers.byName")).toEqual([
      { cluster: "c-1", namespace: "shop", name: "web" },
    ]);
  });

  it("says separately that none exists, that none matches, and why it could not be read", async () => {
    show("", { rows: [] });
    expect(await screen.findByText("No load balancer yet")).toBeDefined();
  });

  it("says that none matches this filter, and clears it", async () => {
    const page = show("?q=x", { rows: [] });
    expect(await screen.findByText("No load balancer matches this filter")).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: /^Show all/ }));
    expect(window.location.search).toBe("");
  });

  it("says why it could not be read", async () => {
    show("", {
      answers: { "balancers.list": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") },
    });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(screen.queryByText("No load balancer yet")).toBeNull();
  });
});

describe("load balancers without a Service", () => {
  const rowOf = async (name: string) =>
    within(
      (await screen.findByText(name, { selector: "code" })).closest<HTMLElement>("tr") ??
        document.body,
    );

  it("are counted on their tab, and say whose they were and when they will be deleted", async () => {
    const page = show();
    await page.user.click(await screen.findByRole("tab", { name: /^Orphans ?2$/ }));
    expect(window.location.search).toBe("?view=orphans");
    const row = await rowOf("lb-9");
    expect(row.getByRole("link", { name: "shop/old" }).getAttribute("href")).toBe(
      "/c/c-1/load-balancers/shop/old",
    );
    expect(row.getByText(/^by itself/).textContent).toMatch(/in (60 min|59 min|1 h)/);
  });

  it("show the chosen columns", async () => {
    await expectChoice(show("?view=orphans"), "Cloud says");
  });

  it("say what they cost in the words of the cloud, marked as English in another language", async () => {
    speakIn("fr");
    const { detail } = orphan("lb-9");
    const costly = orphan("lb-9", { detail: { ...detail, costHint: "about 18 USD a month" } });
    show("?view=orphans", { orphans: [costly] });
    const cost = await screen.findByText("about 18 USD a month");
    expect(cost.getAttribute("lang")).toBe("en");
  });

  it("can be removed only by admins", async () => {
    show("?view=orphans", { role: "operator" });
    const button = (await rowOf("lb-9")).getByRole("button", { name: /^Remove/ });
    await expect
      .poll(() => button.getAttribute("aria-description"))
      .toBe("Needs role admin. You are operator. Admins: Cleo.");
  });

  it("are not offered for removal twice", async () => {
    const open = intent({ id: "i-7", actor: "Ben", state: "running" });
    show("?view=orphans", { orphans: [orphan("lb-9", { openIntents: [open] })] });
    const row = await rowOf("lb-9");
    expect(row.getByRole("link", { name: "Requested by Ben, running" }).getAttribute("href")).toBe(
      "/c/c-1/actions/i-7",
    );
    expect(row.queryByRole("button", { name: /^Remove/ })).toBeNull();
  });

  it("are listed although their open actions could not be read, which is said, and refetched on demand", async () => {
    const page = show("?view=orphans", {
      answers: {
        "balancers.orphans": () => ({
          ...{ rows: [orphan("lb-9")], nextCursor: undefined, counts: COUNTS, facets: {} },
          ...{ total: { kind: "exact", count: 1 }, unread: ["openIntents"] },
        }),
      },
    });
    expect((await rowOf("lb-9")).getByRole("link", { name: "shop/old" })).toBeDefined();
    expect(screen.getByText("The open actions could not be read.")).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("balancers.orphans")).toHaveLength(2);
  });

  it("say so if there are none", async () => {
    show("?view=orphans", { orphans: [] });
    expect(await screen.findByText("No orphans")).toBeDefined();
  });
});
