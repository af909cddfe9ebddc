// @vitest-environment happy-dom
import type { ControllerUse, OperationCounts } from "@cloudwright/core/model/records/budget-record";
import type { BudgetView, OperationBudget } from "@cloudwright/store/views/budget";
import { fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changePreferences } from "../../components/preferences.ts";
import { cluster, instance } from "../../testing/cluster-view.ts";
import { type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { Stale } from "../../testing/stale.tsx";
import { BudgetPage } from "./budget-page.tsx";
import { budgetView, minutes, use } from "./testing/budget-view.ts";

beforeEach(() => changePreferences(() => ({ zone: "UTC" })));
afterEach(() => changePreferences(() => ({ zone: "local" })));

const CLOUD = {
  ...{ callsLastMinute: 42, throttledLastMinute: 0, allowedPerSecond: 5 },
  ...{ resumesAt: undefined, failingSince: undefined, closedSince: undefined },
};

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

interface Shown {
  readonly query?: string;
  readonly leader?: ReturnType<typeof instance> | undefined;
  readonly answers?: Answers;
}

function show(
  view: Partial<BudgetView> = {},
  { query = "", leader = instance({ cloud: CLOUD }), answers = {} }: Shown = {},
) {
  return renderPage(<BudgetPage />, {
    address: `/c/c-1/budget${query}`,
    answers: {
      "clusters.byId": () => cluster({ leader }),
      "budget.byCluster": () => budgetView(view),
      ...answers,
    },
  });
}

const heading = () => screen.findByRole("heading", { level: 1, name: "Budget" });
const cells = async (table: string) =>
  within(await screen.findByRole("table", { name: table }))
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));

describe("the budget's sentence", () => {
  it("says what is used of what is allowed", async () => {
    show();
    expect(
      await screen.findByText(
        /^42 calls in the last minute of the 300 that sandbox currently allows\./,
      ),
    ).toBeDefined();
  });

  it("says when calls go on while the cloud has asked to wait", async () => {
    const resumesAt = Date.now() + 60_000;
    show({}, { leader: instance({ cloud: { ...CLOUD, resumesAt } }) });
    expect(await screen.findByText(/They resume at/)).toBeDefined();
  });

  it("does not say so any more once that time is over", async () => {
    const resumesAt = Date.now() - 1_000;
    show({}, { leader: instance({ cloud: { ...CLOUD, resumesAt } }) });
    await screen.findByText(/^42 calls/);
    expect(screen.queryByText(/They resume at/)).toBeNull();
  });

  it("says nothing as long as the cluster is not known", async () => {
    show({}, { answers: { "clusters.byId": () => new Promise(() => undefined) } });
    await heading();
    expect(screen.queryByText(/No controller leads|calls in the last minute/)).toBeNull();
  });

  it("says of when it is while the leader is silent", async () => {
    renderPage(
      <Stale>
        <BudgetPage />
      </Stale>,
      {
        answers: {
          "clusters.byId": () => cluster({ leader: instance({ cloud: CLOUD }) }),
          "budget.byCluster": () => budgetView(),
        },
      },
    );
    expect(await screen.findByText(/Current state unknown; as of/)).toBeDefined();
  });
});

describe("the time that it is of", () => {
  it("is the last hour, or the last day by a button and the address", async () => {
    const page = show();
    await heading();
    expect(screen.getByRole("button", { name: "Views" })).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "Last day" }));
    expect(window.location.search).toBe("?range=day");
    await expect
      .poll(() => page.sent("budget.byCluster"))
      .toEqual([
        { cluster: "c-1", range: "hour" },
        { cluster: "c-1", range: "day" },
      ]);
  });

  it("is that of each table's file", async () => {
    const page = show({}, { query: "?range=day" });
    await heading();
    await page.user.click(screen.getByRole("button", { name: "Export Lookups" }));
    const item = await screen.findByRole("menuitem", { name: "As JSON" });
    const address = new URL(item.getAttribute("href") ?? "", "http://localhost").searchParams;
    expect([address.get("list"), address.get("filter")]).toEqual([
      "budget-lookups",
      JSON.stringify({ range: "day" }),
    ]);
  });

  const FROM = Date.UTC(2026, 10, 24, 14);
  const STRETCH = { from: FROM, to: FROM + 600_000 };
  const QUERY = "?from=2026-11-24T14%3A00%3A00.000Z&to=2026-11-24T14%3A10%3A00.000Z";

  it("is any stretch that the address names, which buttons move and leave", async () => {
    const page = show({ ...STRETCH }, { query: QUERY });
    await heading();
    const asked = () => page.sent("budget.byCluster").at(-1);
    await expect.poll(asked).toEqual({ cluster: "c-1", range: "hour", ...STRETCH });
    expect(screen.getByRole("button", { name: "Last hour" }).getAttribute("aria-pressed")).toBe(
      "false",
    );
    await page.user.click(screen.getByRole("button", { name: "Later time range" }));
    await expect
      .poll(asked)
      .toMatchObject({ from: STRETCH.from + 300_000, to: STRETCH.to + 300_000 });
    await page.user.click(screen.getByRole("button", { name: /clear this time range/ }));
    expect(window.location.search).toBe("");
  });

  it("is what a drag over the bars of a chart is over", async () => {
    const buckets = minutes(use({ calls: 1 }), use({ calls: 2 }), use({ calls: 3 }), use());
    show({ cloud: { ...budgetView().cloud, buckets } });
    const chart = await screen.findByRole("group", { name: "Cloud, calls" });
    chart.setPointerCapture = () => undefined;
    chart.getBoundingClientRect = () => new DOMRect(0, 0, 400, 100);
    fireEvent.pointerDown(chart, { button: 0, clientX: 110, pointerId: 1 });
    fireEvent.pointerMove(chart, { clientX: 290, pointerId: 1 });
    fireEvent.pointerUp(chart, { clientX: 290, pointerId: 1 });
    expect(window.location.search).toBe(
      "?from=1970-01-01T00%3A01%3A00.000Z&to=1970-01-01T00%3A03%3A00.000Z",
    );
  });

  it("is said to be longer than what is shown of it", async () => {
    show({ from: FROM + 60_000 }, { query: QUERY });
    expect(await screen.findByText("Only the last 3 days of this time are shown.")).toBeDefined();
  });

  it("is asked for again by r", async () => {
    const page = show();
    await heading();
    await page.user.keyboard("r");
    await expect.poll(() => page.sent("budget.byCluster")).toHaveLength(2);
  });

  it("is not that of an address that nobody knows, which is said", async () => {
    const page = show({}, { query: "?range=year" });
    expect(await screen.findByText(/ignored: year\.$/)).toBeDefined();
    expect(page.sent("budget.byCluster")).toEqual([{ cluster: "c-1", range: "hour" }]);
  });

  it("says where nothing of it was recorded, and draws nothing", async () => {
    show({ minutesKnown: 0 });
    expect(await screen.findByText("No figures for this time")).toBeDefined();
    expect(screen.queryByRole("region", { name: "Cloud" })).toBeNull();
  });

  it("is marked as a dry run's where nobody acts", async () => {
    show({ isDryRun: true });
    expect(await screen.findByText(/these are the calls of a dry run/)).toBeDefined();
  });
});

describe("calls over time", () => {
  const buckets = minutes(
    use({ calls: 30, share: 0.5, limitPerMinute: 60 }),
    undefined,
    use({ calls: 1, share: 0.02, limitPerMinute: 60 }),
    use({ calls: 58, share: 0.97, limitPerMinute: 60, throttled: 2 }),
  );
  const busy = { cloud: { ...budgetView().cloud, buckets } };
  const panel = async () => within(await screen.findByRole("region", { name: "Cloud" }));

  it("are summed up, in the singular where there is one", async () => {
    show(busy);
    expect((await panel()).getByText("89 calls · 2 answered 429")).toBeDefined();
    const one = { cloud: { ...budgetView().cloud, buckets: minutes(use({ calls: 1 })) } };
    show(one);
    expect(await screen.findByText("1 call · 0 answered 429")).toBeDefined();
  });

  it("are a bar a minute that leads to its runs, none where nothing is known", async () => {
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

  it("are gone through with the arrow keys, as one stop of Tab", async () => {
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

  it("are a table on demand, newest first, without the minutes in which nothing was asked", async () => {
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
  ])("say beside which limit they stand", async (uses, text) => {
    show({ cloud: { ...budgetView().cloud, buckets: minutes(...uses) } });
    expect((await panel()).getByText(text)).toBeDefined();
  });
});

describe("operations", () => {
  it("lead to the runs that made such a call, with what it cost", async () => {
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

  it("are none where nothing was asked, which is said and not left empty", async () => {
    show();
    expect((await screen.findAllByText(/^No calls were made in this time/)).length).toBeGreaterThan(
      0,
    );
  });
});

describe("what each controller costs", () => {
  it("is shown by run, and a review of everything with it", async () => {
    show({
      controllers: [
        controllerUse(),
        controllerUse({ controller: "service-lb-controller", runs: 0 }),
      ],
      resync: [{ controller: "cloud-node-controller", objects: 3, calls: 1 }],
    });
    const rows = await cells("By controller");
    expect(rows[0]?.slice(1)).toEqual(["10", "0", "5", "0.5", "20", "2", "1 call for 3"]);
    expect(rows[1]?.slice(4)).toEqual(["—", "20", "—", "—"]);
  });

  it.each([
    [5, /Every cloud call was made in a run\./],
    [6, /1 cloud call was made outside of runs/],
    [105, /100 cloud calls were made outside of runs/],
  ])("with %i calls in all says which were nobody's", async (calls, text) => {
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

  it("names what is put off now, and leads to all of it, whatever it is", async () => {
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

it("what was answered without a call of its own is shown by lookup", async () => {
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

describe("a budget that cannot be read", () => {
  it("says why under its name, and asks again on demand", async () => {
    const answers = { "budget.byCluster": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") };
    const page = show({}, { answers });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    await heading();
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("budget.byCluster")).toHaveLength(2);
  });
});

describe("the cloud's quotas", () => {
  const quotas = [
    {
      service: "Octavia",
      ...{ readAt: Date.UTC(2026, 0, 1, 3, 4), quotas: [{ resource: "listeners" }] },
    },
    {
      service: "Neutron",
      ...{ readAt: Date.UTC(2026, 0, 1, 3, 4), problem: "Neutron answered 503." },
      quotas: [{ resource: "floating IPs", limit: 50, used: 49 }],
    },
    { service: "Nova", quotas: [], problem: "The policy does not allow it." },
  ];

  it("are shown with what is left, when they were read, and why not", async () => {
    show({}, { leader: instance({ cloud: { ...CLOUD, quotas } }) });
    expect(await cells("Quotas of the cloud")).toEqual([
      ["Listeners", "Octavia", "not known", "none", "—", "—"],
      ["Floating IPs", "Neutron", "49", "50", "1", "98 %"],
    ]);
    const standing = (await screen.findAllByRole("listitem")).map((item) => item.textContent);
    expect(standing).toEqual([
      expect.stringMatching(/^Octavia: read .* ago\.$/),
      expect.stringMatching(
        /^Neutron: read .* ago; the last attempt failed: Neutron answered 503\.$/,
      ),
      "Nova: not read yet; the last attempt failed: The policy does not allow it.",
    ]);
    expect(await screen.findByText(/quota is nearly used up: 49 of 50 floating IPs/)).toBeDefined();
  });

  it("take no room on a cloud that has none", async () => {
    show();
    await heading();
    expect(screen.queryByText("Quotas of the cloud")).toBeNull();
  });
});
