// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { intent } from "../../../platform/actions/testing/intents.ts";
import { type Answers, refusal, renderPage } from "../../../testing/render-page.tsx";
import { holdChange, runDetail, runEnd, runRow, runStep } from "../../../testing/run-detail.ts";
import { RunPage } from "./run-page.tsx";

const ID = "0190aaaa-0000-7000-8000-000000000001";

function show(of: Parameters<typeof runDetail>[0] = {}, query = "", answers: Answers = {}) {
  return renderPage(<RunPage id={ID} />, {
    address: `/c/c-1/runs/${ID}${query}`,
    answers: {
      "runs.byId": () => runDetail(of),
      "runs.list": () => ({ rows: [], nextCursor: undefined, total: { kind: "exact", count: 0 } }),
      ...answers,
    },
  });
}

const heading = () => screen.findByRole("heading", { level: 1, name: /w-1/ });
const fact = (term: string) =>
  screen.getByText(term, { selector: "dt" }).nextElementSibling?.textContent;

describe("the first things on a run's page", () => {
  it("are how it ended, how long it took, why, its trigger and its cost", async () => {
    show();
    await heading();
    expect(screen.getByText("Changed")).toBeDefined();
    expect(screen.getByText(/^It was initialised/)).toBeDefined();
    expect(fact("Trigger")).toBe("periodic check");
    expect(fact("Calls")).toBe("1 cloud, 2 kube");
    expect(fact("Changes")).toBe("1 of 1 applied");
    expect(fact("By")).toMatch(/^ctl-1/);
  });

  it("do not say that it applied what it only planned: it may have died on the way", async () => {
    show({ end: undefined, row: { outcome: "interrupted", changes: 2 } });
    await heading();
    expect(fact("Changes")).toBe("2 planned");
  });

  it("say how many of its changes were applied if one failed", async () => {
    const changes = [holdChange(), holdChange("w-2")];
    const row = runRow({ outcome: "failed", changes: 2 });
    show({ row, changes, end: runEnd(row, changes, { applied: 1 }) });
    await heading();
    expect(fact("Changes")).toBe("1 of 2 applied");
  });

  it("link from the trigger to the action, with the number of the attempt", async () => {
    const trigger = { kind: "intent", intentId: "i-9", actor: "Ana" } as const;
    show({ row: { trigger, attempt: 3 }, intent: intent({ id: "i-9" }) });
    await heading();
    expect(screen.getByRole("link", { name: "requested by Ana" }).getAttribute("href")).toBe(
      "/c/c-1/actions/i-9",
    );
    expect(fact("Trigger")).toBe("requested by Ana · attempt 3");
  });

  it("mark a dry run, which changed nothing", async () => {
    show({ row: { dryRun: true } });
    await heading();
    expect(screen.getByText("dry run")).toBeDefined();
    expect(screen.getByText("Would change")).toBeDefined();
  });

  it("show the progress of a run that has not ended", async () => {
    show({ end: undefined, row: { outcome: "running", durationMs: undefined } });
    await heading();
    expect(screen.getByText("so far")).toBeDefined();
  });

  it("show its calls as soon as it has ended", async () => {
    let shown = runDetail({ end: undefined, row: { outcome: "running", durationMs: undefined } });
    show({}, "", { "runs.byId": () => shown });
    await screen.findByText("This run is under way");
    shown = runDetail();
    expect(await screen.findByRole("button", { name: /GET .*instances/ })).toBeDefined();
    expect(screen.queryByText("This run is under way")).toBeNull();
  });
});

describe("its neighbours", () => {
  it("are reached by keys and links, if there are any", async () => {
    const page = show({ previousId: "before", nextId: undefined });
    await heading();
    expect(screen.getByRole("link", { name: "‹ Previous" }).getAttribute("href")).toBe(
      "/c/c-1/runs/before",
    );
    expect(screen.queryByRole("link", { name: "Next ›" })).toBeNull();
    await page.user.keyboard("]");
    expect(window.location.pathname).toBe(`/c/c-1/runs/${ID}`);
    await page.user.keyboard("[[");
    expect(window.location.pathname).toBe("/c/c-1/runs/before");
  });
});

describe("its plan", () => {
  it("gives the reason for each change, and whether it was applied", async () => {
    const changes = [holdChange(), holdChange("w-2")];
    const row = runRow({ outcome: "failed" });
    show({ row, changes, end: runEnd(row, changes, { applied: 1 }) }, "?view=plan");
    const items = within(await screen.findByRole("region", { name: "Changes" })).getAllByRole(
      "listitem",
    );
    expect(items.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/w-1.*[^t] ?applied$/),
      expect.stringMatching(/w-2.*not applied$/),
    ]);
  });

  it.each(["interrupted", "running"] as const)(
    "does not call a change of a run that is %s not applied, because nobody knows yet",
    async (outcome) => {
      show({ end: undefined, row: { outcome } }, "?view=plan");
      const changes = within(await screen.findByRole("region", { name: "Changes" }));
      expect(changes.getByRole("listitem").textContent).toMatch(/not known whether applied$/);
    },
  );

  it("lists what was considered and left out, with the reason", async () => {
    const notTaken = [{ step: "deletion", reason: { code: "BalancerWithoutMembers" } }] as const;
    show({ changes: [], notTaken }, "?view=plan");
    const left = within(await screen.findByRole("region", { name: "Considered and left out" }));
    expect(left.getByRole("listitem").textContent).toMatch(/deletion.*No node is available/i);
    expect(screen.getByRole("tab", { name: /^Plan ?1$/ })).toBeDefined();
  });

  it.each([
    ["unchanged", "The plan was empty"],
    ["waiting", "The plan was empty"],
    ["failed", "There is no plan"],
    ["interrupted", "There is no plan"],
  ] as const)("of a run that is %s without one says: %s", async (outcome, title) => {
    show({ changes: [], row: { outcome, changes: 0 } }, "?view=plan");
    expect(await screen.findByText(title)).toBeDefined();
  });
});

describe("its differences", () => {
  it("show the values before and after each change", async () => {
    show({}, "?view=diff");
    const table = await screen.findByRole("table");
    expect(table.textContent).toMatch(/until/);
    expect(table.textContent).toMatch(/5/);
  });

  it("say so if nothing was changed", async () => {
    show({ changes: [], row: { changes: 0, outcome: "unchanged" } }, "?view=diff");
    expect(await screen.findByText("Nothing was changed")).toBeDefined();
  });
});

describe("its Events", () => {
  const AT = Date.UTC(2026, 10, 27, 12);
  const event = (reason: string, runId: string) => ({
    ...{ type: "Warning", reason, message: `${reason} it is.`, at: AT, runId },
    target: { kind: "Node", name: "w-1" },
    controller: "cloud-node-controller",
  });
  const found = (over: object) => ({
    ...{ events: [], isRecorded: true, from: AT - 600_000, to: AT + 600_000 },
    ...over,
  });
  const showEvents = (over: object, of: Parameters<typeof runDetail>[0] = {}) =>
    show(of, "?view=events", { "runs.events": () => found(over) });

  it("are among those of its object around that time, and marked as its own", async () => {
    showEvents({ events: [event("Earlier", "other"), event("Synced", ID)] });
    const table = within(await screen.findByRole("table", { name: "Events of w-1" }));
    const own = table.getByRole("row", { name: /Synced/ });
    expect(own.textContent).toMatch(/Warning.*This run.*Synced it is.*Node w-1.*Node init/);
    const other = within(table.getByRole("row", { name: /Earlier/ }));
    expect(other.getByRole("link", { name: "Another run" }).getAttribute("href")).toBe(
      "/c/c-1/runs/other",
    );
    expect(screen.getByText(/combines similar Events/)).toBeDefined();
  });

  it("say first if all of them belong to other runs", async () => {
    showEvents({ events: [event("Earlier", "other")] });
    expect(await screen.findByText("This run sent no Event.")).toBeDefined();
    expect(screen.getByRole("row", { name: /Earlier/ })).toBeDefined();
  });

  it.each([
    ["This run sent no Event", {}, {}],
    ["A dry run sends no Events", {}, { row: { dryRun: true } }],
    ["The Events of this run were not recorded", { isRecorded: false }, {}],
    [
      "This run has not ended yet",
      { isRecorded: false },
      { end: undefined, row: { outcome: "running" } },
    ],
  ] as const)("are none, and it says why: %s", async (title, over, of) => {
    showEvents(over, of);
    expect(await screen.findByText(title)).toBeDefined();
    expect(screen.getByText(/No other run of w-1/)).toBeDefined();
  });
});

describe("its calls", () => {
  it("are in chronological order with each answer, and the failed one in words", async () => {
    const row = runRow({ outcome: "failed" });
    const steps = [
      runStep(),
      runStep({
        operation: "PATCH nodes/status",
        system: "kube",
        status: 500,
        error: "no answer",
        offsetMs: 120,
      }),
    ];
    show({ row, end: runEnd(row, [], { steps }), changes: [] });
    await heading();
    const text = screen.getByRole("tabpanel").textContent;
    expect(text.indexOf("GET /v1/instances")).toBeGreaterThan(-1);
    expect(text.indexOf("PATCH nodes/status")).toBeGreaterThan(text.indexOf("GET /v1/instances"));
    expect(text).toMatch(/500/);
  });
});

describe("a run that cannot be shown", () => {
  it("is no longer kept: its node's state is shown elsewhere", async () => {
    show({}, "", { "runs.byId": refusal("NOT_FOUND", "No such run.") });
    expect(await screen.findByText("No such run is kept in this cluster")).toBeDefined();
    const link = screen.getByRole("link", { name: "Show all runs" });
    expect(link.getAttribute("href")).toMatch(/^\/c\/[^/]+\/runs$/);
  });

  it("says why it could not be read, and is not called removed", async () => {
    const page = show({}, "", { "runs.byId": refusal("INTERNAL_SERVER_ERROR", "It failed.") });
    expect((await screen.findByRole("alert")).textContent).toContain("It failed.");
    expect(screen.queryByText("No such run is kept in this cluster")).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("runs.byId")).toHaveLength(2);
  });
});
