// @vitest-environment happy-dom
import { fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changePreferences } from "../../components/preferences.ts";
import { cluster, instance } from "../../testing/cluster-view.ts";
import { failingOnce } from "../../testing/failing-once.ts";
import { refusal, renderPage } from "../../testing/render-page.tsx";
import { Stale } from "../../testing/stale.tsx";
import { BudgetPage } from "./budget-page.tsx";
import { CLOUD, cells, show } from "./testing/budget-page.tsx";
import { budgetView, minutes, use } from "./testing/budget-view.ts";

beforeEach(() => changePreferences(() => ({ zone: "UTC" })));

afterEach(() => changePreferences(() => ({ zone: "local" })));

const heading = () => screen.findByRole("heading", { level: 1, name: "Budget" });

describe("the budget's summary", () => {
  it("says how much of the limit is used", async () => {
    show();
    expect(
      await screen.findByText(
        /^42 calls in the last minute of the 300 that sandbox currently allows\./,
      ),
    ).toBeDefined();
  });

  it("says when calls resume while the cloud has asked to wait", async () => {
    const resumesAt = Date.now() + 60_000;
    show({}, { leader: instance({ cloud: { ...CLOUD, resumesAt } }) });
    expect(await screen.findByText(/They resume at/)).toBeDefined();
  });

  it("no longer says so once that time is over", async () => {
    const resumesAt = Date.now() - 1_000;
    show({}, { leader: instance({ cloud: { ...CLOUD, resumesAt } }) });
    await screen.findByText(/^42 calls/);
    expect(screen.queryByText(/They resume at/)).toBeNull();
  });

  it("is empty as long as the cluster is not known", async () => {
    show({}, { answers: { "clusters.byId": () => new Promise(() => undefined) } });
    await heading();
    expect(screen.queryByText(/No controller leads|calls in the last minute/)).toBeNull();
  });

  it("says how old it is while the leader is silent", async () => {
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

describe("the time range", () => {
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

  it("applies to each table's file", async () => {
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

  it("is any stretch in the address, which buttons move and leave", async () => {
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

  it("can be chosen by dragging over a chart's bars", async () => {
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

  it("is said to be longer than what is shown", async () => {
    show({ from: FROM + 60_000 }, { query: QUERY });
    expect(
      await screen.findByText("Only the last 3 days of this time range are shown."),
    ).toBeDefined();
  });

  it("is refetched by r", async () => {
    const page = show();
    await heading();
    await page.user.keyboard("r");
    await expect.poll(() => page.sent("budget.byCluster")).toHaveLength(2);
  });

  it("is not an unknown one from the address, which is reported", async () => {
    const page = show({}, { query: "?range=year" });
    expect(await screen.findByText(/ignored: year\.$/)).toBeDefined();
    expect(page.sent("budget.byCluster")).toEqual([{ cluster: "c-1", range: "hour" }]);
  });

  it("says where nothing was recorded, and draws nothing", async () => {
    show({ minutesKnown: 0 });
    expect(await screen.findByText("No figures for this time")).toBeDefined();
    expect(screen.queryByRole("region", { name: "Cloud" })).toBeNull();
  });

  it("is marked as a dry run's if no controller acts", async () => {
    show({ isDryRun: true });
    expect(await screen.findByText(/these are the calls of a dry run/)).toBeDefined();
  });
});

describe("a budget that cannot be read", () => {
  it("says why under its title, and refetches on demand", async () => {
    const answers = { "budget.byCluster": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") };
    const page = show({}, { answers });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    await heading();
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("budget.byCluster")).toHaveLength(2);
  });

  it("keeps that while it is asked again", async () => {
    const page = show({}, { answers: { "budget.byCluster": failingOnce("It was too much.") } });
    await screen.findByText("It was too much.");
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByText("Loading…");
    expect(screen.getByRole("alert").textContent).toContain("It was too much.");
    expect(screen.getByRole("heading", { level: 1, name: "Budget" })).toBeDefined();
  });
});

describe("a part of the budget that could not be read", () => {
  it.each([
    ["deferred", "Waiting for the limit", /^What is waiting for the limit now could not be read/],
    ["resync", "By controller", /^What a full check costs could not be read/],
  ] as const)("says so in its panel, where it is asked for again: %s", async (part, name, text) => {
    const page = show({ unread: [part] });
    const panel = within(await screen.findByRole("region", { name }));
    expect(panel.getByText(text)).toBeDefined();
    expect(panel.queryByText(/Nothing is waiting/)).toBeNull();
    expect(screen.getByRole("region", { name: "Cloud" })).toBeDefined();
    await page.user.click(panel.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("budget.byCluster")).toHaveLength(2);
  });

  it("leaves the cloud's quotas and the choice of another time if it is all the calls", async () => {
    const read = { service: "Octavia", readAt: 0, quotas: [{ resource: "listeners" }] };
    const page = show(
      {},
      {
        leader: instance({ cloud: { ...CLOUD, quotas: [read] } }),
        answers: { "budget.byCluster": refusal("INTERNAL_SERVER_ERROR", "It took too long.") },
      },
    );
    expect((await screen.findByRole("alert")).textContent).toContain("It took too long.");
    expect((await screen.findByRole("region", { name: /quotas/i })).textContent).toMatch(/Octavia/);
    await page.user.click(screen.getByRole("button", { name: "Last day" }));
    expect(window.location.search).toBe("?range=day");
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

  it("take no room on a cloud without quotas", async () => {
    show();
    await heading();
    expect(screen.queryByText("Quotas of the cloud")).toBeNull();
  });
});
