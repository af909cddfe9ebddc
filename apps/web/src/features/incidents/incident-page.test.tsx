// @vitest-environment happy-dom
import type { Incident, IncidentSnapshot } from "@cloudwright/store/views/incidents";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { Stale } from "../../testing/stale.tsx";
import { IncidentPage } from "./incident-page.tsx";
import { IncidentsPage } from "./incidents-page.tsx";

const AT = Date.UTC(2026, 10, 27, 14, 51, 2);

function snapshot(over: Partial<IncidentSnapshot> = {}): IncidentSnapshot {
  return {
    ...{ version: 1, takenAt: AT, cluster: { id: "c-1", name: "prod-eu", provider: "aws" } },
    controller: { identity: "ctl-2_aa", version: "0.1.0", heardAt: AT - 1_000 },
    about: { kind: "object", of: "Node", name: "w-9" },
    object: { kind: "Node", name: "w-9" },
    ...{ subject: "Node w-9", state: "stuck", since: AT - 60_000 },
    sentence: "Node w-9 has been stuck for 60 s: no machine is left.",
    facts: [{ label: "Zone", text: "zone-a" }],
    parts: [
      {
        ...{ name: "Node initialisation", state: "stuck", cause: "No machine is left" },
        ...{ advice: "Ask for more.", since: AT, failures: 3, drift: "notChecked" },
      },
    ],
    partsLeftOut: 0,
    timeline: [{ step: "found", state: "failed", tries: 9, startedAt: AT, cause: "Not found" }],
    differences: [{ name: "health", desired: "TCP :31443", actual: "TCP :31400" }],
    plan: {
      ...{ runId: "r-1", outcome: "failed", dryRun: false, startedAt: AT, durationMs: 250 },
      changes: [
        {
          ...{ sentence: "Initialise node w-9", fate: "not applied" },
          fields: [{ path: "providerID", before: undefined, after: "x://w-9" }],
        },
      ],
      ...{ notTaken: ["Delete node w-9"], changesLeftOut: 2, callsLeftOut: 1 },
      calls: [
        {
          ...{ phase: "observe", system: "cloud", operation: "GET /v1/instances", target: "w-9" },
          ...{ offsetMs: -5, durationMs: 100, attempt: 2, status: 500, error: "quota" },
        },
      ],
    },
    runs: [
      {
        ...{ id: "r-1", controller: "cloud-node-controller", at: AT, trigger: "periodic check" },
        ...{ outcome: "failed", dryRun: false, durationMs: 250, changes: 1, calls: 3, folded: 1 },
      },
    ],
    entries: [
      {
        ...{ seq: 7, at: AT, actor: { kind: "person", id: "u-1", name: "ana" } },
        ...{ action: "intent.request", why: "disk check", result: "applied" },
      },
    ],
    ...over,
  };
}

function incident(over: Partial<Incident> = {}): Incident {
  return {
    ...{ id: "i-1", title: "INC-88", subject: "Node w-9", madeBy: "ana", madeAt: AT },
    ...{ mayDelete: true, snapshot: snapshot() },
    ...over,
  };
}

function show(of: Incident, answers: Answers = {}) {
  return renderPage(
    <Stale>
      <IncidentPage id="i-1" />
    </Stale>,
    { answers: { "incidents.byId": () => of, ...answers }, address: "/c/c-1/incidents/i-1" },
  );
}

describe("the page of an incident", () => {
  it("says of when it is, by whom, and where it is now", async () => {
    show(incident());
    expect((await screen.findByRole("heading", { level: 1 })).textContent).toBe("INC-88");
    expect(screen.getByText(/^As of .*14:51:02.*, by ana\.$/)).toBeDefined();
    const live = screen.getByRole("link", { name: "See how it is now" });
    expect(live.getAttribute("href")).toBe("/c/c-1/nodes/w-9");
  });

  it("shows what was seen then, and never as old", async () => {
    const page = show(incident());
    expect(await screen.findByText(/has been stuck for 60.s: no machine is left/)).toBeDefined();
    await screen.findByRole("table", { name: "Calls" });
    const cells = (name: string) =>
      within(screen.getByRole("table", { name }))
        .getAllByRole("row")
        .slice(1)
        .map(({ textContent }) => textContent);
    expect(cells("What each controller said")[0]).toContain("No machine is left. Ask for more.");
    expect(cells("Timeline")[0]).toContain("Not found");
    expect(cells("Where the cloud differed")[0]).toContain("TCP :31400");
    expect(cells("Before and after")[0]).toContain("x://w-9");
    expect(cells("Calls")[0]).toContain("500, quota, attempt 2");
    expect(cells("Recent runs")[0]).toContain("periodic check");
    expect(cells("Recent audit entries")[0]).toContain("disk check");
    expect(screen.getByText("2 more changes")).toBeDefined();
    expect(screen.getByText("1 more call.")).toBeDefined();
    expect(page.container.textContent).not.toContain("last known");
  });

  it.each<[string, IncidentSnapshot["about"]]>([
    ["/c/c-1/runs/r-1", { kind: "run", id: "r-1" }],
    ["/c/c-1/load-balancers/shop/web", { kind: "object", of: "Service", name: "shop/web" }],
    ["/c/c-1", { kind: "problem", id: "p" }],
  ])("leads to %s", async (href, about) => {
    show(incident({ title: undefined, snapshot: snapshot({ about }) }));
    const live = await screen.findByRole("link", { name: "See how it is now" });
    expect(live.getAttribute("href")).toBe(href);
  });

  it("says that another release has kept it, and what is gone", async () => {
    show(incident({ snapshot: undefined }));
    expect(await screen.findByText("This release cannot read what was shared")).toBeDefined();
    expect(screen.queryByRole("link", { name: "See how it is now" })).toBeNull();
  });

  it("says when there is none", async () => {
    show(incident(), { "incidents.byId": refusal("NOT_FOUND", "No such incident.") });
    expect(await screen.findByText("No such incident is kept in this cluster")).toBeDefined();
  });

  it("is deleted by who may, after one more question", async () => {
    const page = show(incident(), { "incidents.remove": () => undefined });
    await page.user.click(await screen.findByRole("button", { name: "Delete…" }));
    expect(page.sent("incidents.remove")).toEqual([]);
    await page.user.click(await screen.findByRole("button", { name: "Delete incident" }));
    await waitFor(() => expect(window.location.pathname).toBe("/c/c-1/incidents"));
    expect(page.sent("incidents.remove")).toEqual([{ cluster: "c-1", id: "i-1" }]);
  });

  it("offers nobody else to delete it", async () => {
    show(incident({ mayDelete: false }));
    await screen.findByRole("button", { name: "Print…" });
    expect(screen.queryByRole("button", { name: "Delete…" })).toBeNull();
  });
});

describe("the list of incidents", () => {
  const list = (answers: Answers) => renderPage(<IncidentsPage />, { answers });

  it("has each with its link, what it is about, by whom and when", async () => {
    const { snapshot: _, ...row } = incident();
    list({ "incidents.list": () => [row, { ...row, id: "i-2", title: undefined }] });
    const items = within(await screen.findByRole("list", { name: "Incidents" }));
    const [first, second] = items.getAllByRole("listitem");
    expect(first?.textContent).toMatch(/^INC-88Node w-9 · by ana, /);
    expect(second?.textContent).toMatch(/^Node w-9by ana, /);
    expect(items.getByRole("link", { name: "INC-88" }).getAttribute("href")).toBe(
      "/c/c-1/incidents/i-1",
    );
  });

  it("says how to make the first", async () => {
    list({ "incidents.list": () => [] });
    expect(await screen.findByText("Nothing has been shared yet")).toBeDefined();
  });
});
