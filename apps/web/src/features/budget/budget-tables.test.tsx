// @vitest-environment happy-dom
import type { ControllerUse, OperationCounts } from "@cloudwright/core/model/records/budget-record";
import type { OperationBudget } from "@cloudwright/store/views/budget";
import { screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changePreferences } from "../../components/preferences.ts";
import { cells, show } from "./testing/budget-page.tsx";
import { budgetView, minutes, use } from "./testing/budget-view.ts";

beforeEach(() => changePreferences(() => ({ zone: "UTC" })));

afterEach(() => changePreferences(() => ({ zone: "local" })));

function operation(name: string, over: Partial<OperationCounts & OperationBudget> = {}) {
  return {
    ...{ operation: name, calls: 120, throttled: 0, failed: 0, retries: 0, p95Ms: 80 },
    ...{ waited: 0, waitMs: 0, longestWaitMs: 0 },
    ...over,
  } satisfies OperationBudget;
}

function controllerUse(over: Partial<ControllerUse> = {}): ControllerUse {
  return {
    ...{ controller: "cloud-node-controller", runs: 10, failed: 0, cloudCalls: 5, kubeCalls: 20 },
    ...{ periodRuns: 0, periodCloudCalls: 0 },
    ...over,
  };
}

describe("calls over time", () => {
  const buckets = minutes(
    use({ calls: 30, share: 0.5, limitPerMinute: 60 }),
    undefined,
    use({ calls: 1, share: 0.02, limitPerMinute: 60 }),
    use({ calls: 58, share: 0.97, limitPerMinute: 60, throttled: 2 }),
  );
  const busy = { cloud: { ...budgetView().cloud, buckets } };
  const panel = async () => within(await screen.findByRole("region", { name: "Cloud" }));

  it("are summed up, in the singular for one", async () => {
    show(busy);
    expect((await panel()).getByText("89 calls · 2 answered 429")).toBeDefined();
    const one = { cloud: { ...budgetView().cloud, buckets: minutes(use({ calls: 1 })) } };
    show(one);
    expect(await screen.findByText("1 call · 0 answered 429")).toBeDefined();
  });

  it("are one bar per minute with a link to its runs, and none for unknown minutes", async () => {
    show(busy);
    const links = (await panel()).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("aria-label"))).toEqual([
      "00:00: 30 calls, 50 % of the limit",
      "00:02: 1 call, 2 % of the limit",
      "00:03: 58 calls, 2 answered 429, 97 % of the limit",
    ]);
    expect(links[0]?.getAttribute("href")).toMatch(
      /^\/c\/c-1\/runs\?q=calls%3E0&from=1970-01-01T00:00:00\.000Z&to=1970-01-01T00:01/,
    );
  });

  it("are navigated with the arrow keys, as one Tab stop", async () => {
    const page = show(busy);
    const links = (await panel()).getAllByRole("link");
    expect(links.map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, 0]);
    links[2]?.focus();
    await page.user.keyboard("{ArrowLeft}");
    expect(document.activeElement).toBe(links[1]);
    await page.user.keyboard("{Home}{ArrowLeft}");
    expect(document.activeElement).toBe(links[0]);
    await page.user.keyboard("{End}");
    expect(document.activeElement).toBe(links[2]);
  });

  it("are a table on demand, newest first, without the minutes that had no calls", async () => {
    const page = show(busy);
    const aside = await panel();
    await page.user.click(aside.getByRole("button", { name: "Show as table for Cloud" }));
    expect(window.location.search).toBe("?use=table");
    expect((await cells("Cloud, calls")).map(([from, calls]) => [from, calls])).toEqual([
      ["00:03", "58"],
      ["00:02", "1"],
      ["00:00", "30"],
    ]);
  });

  it.each([
    [[use({ calls: 1 })], "No limit was known in this time."],
    [[use({ limitPerMinute: 60 })], "The limit was 60 calls a minute."],
    [
      [use({ limitPerMinute: 1_200 }), use({ limitPerMinute: 60 })],
      "The limit was between 60 and 1,200 calls a minute.",
    ],
  ])("say beside which limit they count", async (uses, text) => {
    show({ cloud: { ...budgetView().cloud, buckets: minutes(...uses) } });
    expect((await panel()).getByText(text)).toBeDefined();
  });
});

describe("operations", () => {
  it("link to the runs that made such a call, with its cost", async () => {
    const operations = [
      operation("GET /v1/instances", { throttled: 3, failed: 1, waited: 4, longestWaitMs: 2_000 }),
      operation("GET /v1/zones", { calls: 3, p95Ms: undefined }),
    ];
    show({ cloud: { ...budgetView().cloud, operations } });
    expect(await cells("Cloud, by operation")).toEqual(
      [
        ["GET /v1/instances", "120", "2", "3", "1", "0", "80 ms", "4, at most 2 s"],
        ["GET /v1/zones", "3", "< 0.1", "0", "0", "0", "—", "none"],
      ].map((row) =>
        row.map((text) => expect.stringMatching(new RegExp(`^${text.replaceAll(" ", "\\s")}$`))),
      ),
    );
    const link = screen.getByRole("link", { name: "GET /v1/instances" });
    expect(link.getAttribute("href")).toMatch(/^\/c\/c-1\/runs\?q=.*instances.*&from=.*&to=/);
  });

  it("say that there are none instead of being left empty", async () => {
    show();
    expect((await screen.findAllByText(/^No calls were made in this time/)).length).toBeGreaterThan(
      0,
    );
  });
});

describe("the cost of each controller", () => {
  it("is shown per run, and for a check of everything", async () => {
    show({
      controllers: [
        controllerUse(),
        controllerUse({ controller: "service-lb-controller", runs: 0 }),
      ],
      resync: [{ controller: "cloud-node-controller", objects: 3, calls: 1 }],
    });
    const rows = await cells("By controller");
    expect(rows[0]?.slice(1)).toEqual(["10", "0", "5", "0.5", "20", "2", "1 call for 3", "—"]);
    expect(rows[1]?.slice(4)).toEqual(["—", "20", "—", "—", "—"]);
  });

  it.each([
    [5, /Every cloud call was made in a run\./],
    [6, /1 cloud call was made outside of runs/],
    [105, /100 cloud calls were made outside of runs/],
  ])("with %i calls in total names those that belong to no run", async (calls, text) => {
    const operations = [operation("GET /v1/instances", { calls })];
    show({ cloud: { ...budgetView().cloud, operations }, controllers: [controllerUse()] });
    expect(await screen.findByText(text)).toBeDefined();
  });
});

describe("waiting for the limit", () => {
  it("is shown by priority, with the average of those that waited", async () => {
    const waits = { waited: 0, waitMs: 0, longestWaitMs: 0, putOff: 0 };
    const priorities = [
      { ...waits, priority: "person" as const, calls: 4 },
      {
        ...{ priority: "refresh" as const, calls: 9, waited: 2 },
        ...{ waitMs: 3_000, longestWaitMs: 2_000, putOff: 7 },
      },
    ];
    show({ cloud: { ...budgetView().cloud, priorities } });
    const rows = await cells("Waits by priority");
    expect(rows.map((row) => row.slice(1).map((text) => text.replace(/\s/g, " ")))).toEqual([
      ["4", "0", "—", "—", "0"],
      ["9", "2", "1.5 s", "2 s", "7"],
    ]);
  });

  it("names what is deferred now, and links to all of it, whatever it is", async () => {
    const oldest = [
      { kind: "Service", name: "shop/web", nextAt: Date.now() + 60_000 },
      { kind: "Node", name: "w-1", nextAt: undefined },
    ];
    show({ deferred: { count: 1_202, oldest } });
    expect(await screen.findByText("Deferred now: 1,202")).toBeDefined();
    expect(screen.getByRole("link", { name: "shop/web" }).getAttribute("href")).toBe(
      "/c/c-1/load-balancers/shop/web",
    );
    const more = screen.getByRole("link", { name: "and 1,200 more" }).getAttribute("href");
    expect(more).toBe("/c/c-1/runs?q=reason%3AProviderThrottled");
  });

  it("says that nothing waits", async () => {
    show();
    expect(await screen.findByText("Nothing is waiting for the cloud's limit now.")).toBeDefined();
  });

  it("names the runs that waited longest", async () => {
    const waiters = [
      {
        ...{ controller: "cloud-node-controller", runId: "r-7", at: 0, waitMs: 4_000 },
        object: { kind: "Node", name: "w-1" },
      },
    ];
    show({ waiters });
    const [row] = await cells("Runs that waited longest");
    expect(row?.[0]).toBe("Node w-1");
    expect(row?.[2]).toMatch(/^4\s+s$/);
  });
});

it("answers without a call of their own are shown by lookup", async () => {
  const lookups = [
    { what: "look up instance", asked: 10, withoutCall: 6, shared: 2 },
    { what: "list zones", asked: 0, withoutCall: 0, shared: 0 },
  ];
  show({ cloud: { ...budgetView().cloud, lookups } });
  expect(await cells("Lookups")).toEqual([
    ["Look up instance", "10", "6", "2", "80 %"],
    ["List zones", "0", "0", "0", "—"],
  ]);
});
