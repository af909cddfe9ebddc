// @vitest-environment happy-dom
import { changeWhy } from "@cloudwright/core/model/audit/change-why";
import type { Language } from "@cloudwright/core/model/language/languages";
import { englishOf } from "@cloudwright/core/model/language/text";
import type { Incident, IncidentAbout, IncidentSnapshot } from "@cloudwright/store/views/incidents";
import { focusManager } from "@tanstack/react-query";
import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { AT, englishSnapshot, frozenSnapshot } from "../../testing/incident-snapshot.ts";
import { type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { speakIn } from "../../testing/speak-in.ts";
import { Stale } from "../../testing/stale.tsx";
import { IncidentPage } from "./incident-page.tsx";
import { IncidentsPage } from "./incidents-page.tsx";

function incident(over: Partial<Incident> = {}): Incident {
  return {
    ...{ id: "i-1", title: "INC-88", subject: "Node w-9", madeBy: "ana", madeAt: AT },
    subjectParts: { kind: "object", object: { kind: "Node", name: "w-9" } },
    ...{ mayDelete: true, snapshot: frozenSnapshot() },
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

function cells(name: string): readonly (string | null)[] {
  return within(screen.getByRole("table", { name }))
    .getAllByRole("row")
    .slice(1)
    .map(({ textContent }) => textContent);
}

const TWICE = { code: "ProviderIDDuplicate", providerID: "x://1", other: "w-2" } as const;
const DUPLICATE: Partial<IncidentSnapshot> = {
  reason: TWICE,
  timeline: [{ step: "found", state: "failed", tries: 9, startedAt: AT, reason: TWICE }],
  runs: [],
};
const ENGLISH: readonly RegExp[] = [
  /Node w-9 has been stuck for 1.min: Node w-2 has the same provider ID x:\/\/1\./,
  /Delete whichever of the two nodes is stale\./,
  /What each controller said.*Node initialisation/,
  /Timeline.*Found in cloud/,
  /Hold node w-9, because no machine is left\.not applied/,
];
const FRENCH: readonly RegExp[] = [
  /Node w-9 est bloqué depuis 1.min.: Le nœud w-2 a le même provider ID x:\/\/1\./,
  /Supprimez celui des deux nœuds qui est périmé\./,
  /Ce que chaque contrôleur a dit.*Initialisation des nœuds/,
  /Chronologie.*Trouvé dans le cloud/,
  /Retenir nœud w-9, car no machine is left\.non appliqué/,
];

describe("the page of an incident", () => {
  it("says when it was frozen, by whom, and where the object is now", async () => {
    show(incident());
    expect((await screen.findByRole("heading", { level: 1 })).textContent).toBe("INC-88");
    expect(screen.getByText(/^As of .*14:51:02.*, by ana\.$/)).toBeDefined();
    const live = screen.getByRole("link", { name: "See how it is now" });
    expect(live.getAttribute("href")).toBe("/c/c-1/nodes/w-9");
  });

  it("shows what was seen then, and never as stale", async () => {
    const page = show(incident());
    expect(await screen.findByText(/has been stuck for 1.min: No machine is left/)).toBeDefined();
    await screen.findByRole("table", { name: "Calls" });
    expect(cells("What each controller said")[0]).toMatch(
      /^Node initialisation.*No machine is left/,
    );
    expect(cells("Timeline")[0]).toMatch(/^Found in cloud.*No machine is left/);
    expect(cells("Where the cloud differed")[0]).toContain("TCP :31400");
    expect(cells("Before and after")[0]).toContain("x://w-9");
    expect(cells("Calls")[0]).toContain("500, quota, attempt 2");
    expect(cells("Recent runs")[0]).toContain("periodic check");
    expect(cells("Recent audit entries")[0]).toContain("disk check");
    expect(screen.getByText("2 more changes")).toBeDefined();
    expect(screen.getByText("1 more call.")).toBeDefined();
    expect(page.container.textContent).not.toContain("last known");
  });

  it("says that it was deleted meanwhile, and hands out its link no more", async () => {
    let answer: () => unknown = () => incident();
    show(incident(), { "incidents.byId": () => answer() });
    expect(await screen.findByRole("button", { name: "Copy link" })).toBeDefined();
    answer = refusal("NOT_FOUND", "No such incident in this cluster; old ones are removed.");
    act(() => focusManager.setFocused(true));
    expect(await screen.findByText(/^It has been deleted since/)).toBeDefined();
    expect(screen.queryByRole("button", { name: "Copy link" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Delete…" })).toBeNull();
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("INC-88");
    focusManager.setFocused(undefined);
  });

  it("shows an earlier release's snapshot in its own words", async () => {
    show(incident({ snapshot: englishSnapshot(), subjectParts: undefined }));
    expect(await screen.findByText(/has been stuck for 60.s: no machine is left/)).toBeDefined();
    expect(cells("What each controller said")[0]).toContain("No machine is left. Ask for more.");
    expect(cells("Timeline")[0]).toContain("Not found");
    expect(screen.getByText("Initialise node w-9")).toBeDefined();
    expect(screen.getByText("Delete node w-9")).toBeDefined();
  });

  it.each<[Language, readonly RegExp[]]>([
    ["en", ENGLISH],
    ["fr", FRENCH],
  ])("is worded in the reader's language: %s", async (language, texts) => {
    speakIn(language);
    const page = show(incident({ snapshot: frozenSnapshot(DUPLICATE) }));
    for (const text of texts) {
      await waitFor(() => expect(page.container.textContent).toMatch(text));
    }
  });

  it("words an audit entry's reason if it was frozen as data, otherwise marks it as English", async () => {
    speakIn("fr");
    const entry = {
      ...{ seq: 8, at: AT, action: "node.labels.write", result: "applied" },
      actor: { kind: "controller", id: "ctl-1", name: "ctl-1" },
    } as const;
    const reason = { code: "FinalizerMissing" } as const;
    const entries = [
      { ...entry, why: englishOf(() => changeWhy(reason)), reason },
      { ...entry, seq: 9, why: "Signed out", said: "Déconnecté" },
      { ...entry, seq: 10, why: "The log's own words." },
    ];
    show(incident({ snapshot: frozenSnapshot({ entries }) }));
    const quoted = await screen.findByText("The log's own words.");
    expect(quoted.getAttribute("lang")).toBe("en");
    expect(screen.getByText(changeWhy(reason)).getAttribute("lang")).toBeNull();
    expect(screen.getByText("Déconnecté").getAttribute("lang")).toBeNull();
  });

  it.each<[string, IncidentAbout]>([
    ["/c/c-1/runs/r-1", { kind: "run", id: "r-1" }],
    ["/c/c-1/load-balancers/shop/web", { kind: "object", of: "Service", name: "shop/web" }],
    ["/c/c-1", { kind: "problem", id: "p" }],
  ])("links to %s", async (href, about) => {
    show(incident({ title: undefined, snapshot: frozenSnapshot({ about }) }));
    const live = await screen.findByRole("link", { name: "See how it is now" });
    expect(live.getAttribute("href")).toBe(href);
  });

  it("says that another release stored it, and what is missing", async () => {
    show(incident({ snapshot: undefined }));
    expect(await screen.findByText("This release cannot read what was shared")).toBeDefined();
    expect(screen.queryByRole("link", { name: "See how it is now" })).toBeNull();
  });

  it("says when it does not exist", async () => {
    show(incident(), { "incidents.byId": refusal("NOT_FOUND", "No such incident.") });
    expect(await screen.findByText("No such incident is kept in this cluster")).toBeDefined();
  });

  it("is deleted by users who may, after a confirmation", async () => {
    const page = show(incident(), { "incidents.remove": () => undefined });
    await page.user.click(await screen.findByRole("button", { name: "Delete…" }));
    expect(page.sent("incidents.remove")).toEqual([]);
    await page.user.click(await screen.findByRole("button", { name: "Delete incident" }));
    await waitFor(() => expect(window.location.pathname).toBe("/c/c-1/incidents"));
    expect(page.sent("incidents.remove")).toEqual([{ cluster: "c-1", id: "i-1" }]);
  });

  it("does not offer deletion to other users", async () => {
    show(incident({ mayDelete: false }));
    await screen.findByRole("button", { name: "Print…" });
    expect(screen.queryByRole("button", { name: "Delete…" })).toBeNull();
  });
});

describe("the list of incidents", () => {
  const list = (answers: Answers) => renderPage(<IncidentsPage />, { answers });

  it("shows each with its link, its subject, its author and its time", async () => {
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

  it("says how to create the first", async () => {
    list({ "incidents.list": () => [] });
    expect(await screen.findByText("Nothing has been shared yet")).toBeDefined();
  });
});
