// @vitest-environment happy-dom
import type { Reason } from "@cloudwright/core/model/reason";
import type { LoadBalancerView } from "@cloudwright/store/views/load-balancers";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { intent } from "../../../platform/actions/testing/intents.ts";
import { auditEntry, auditPage } from "../../../testing/audit-entry.ts";
import {
  loadBalancerDetail,
  loadBalancerRow,
  loadBalancerView,
  member,
} from "../../../testing/load-balancer-view.ts";
import { ANA, type Answers, refusal, renderPage } from "../../../testing/render-page.tsx";
import { hasShape } from "../../../testing/shapes.ts";
import { LoadBalancerPage } from "./load-balancer-page.tsx";

const NO_ROWS = { rows: [], nextCursor: undefined, total: { kind: "exact", count: 0 } };
const HELD: Reason = {
  code: "HeldByAnnotation",
  by: "ben",
  why: "migration",
  untilMs: Date.now() + 3_600_000,
};

function show(
  of: Partial<LoadBalancerView>,
  {
    query = "",
    answers = {},
    role = "admin" as "admin" | "operator" | "viewer",
  }: {
    readonly query?: string;
    readonly answers?: Answers;
    readonly role?: "admin" | "operator" | "viewer";
  } = {},
) {
  return renderPage(<LoadBalancerPage namespace="shop" name="web" />, {
    viewer: { ...ANA, role },
    address: `/c/c-1/load-balancers/shop/web${query}`,
    answers: {
      "balancers.byName": () => loadBalancerView(of),
      "people.admins": () => ["Cleo"],
      "runs.list": () => NO_ROWS,
      "audit.list": () => NO_ROWS,
      "events.ofObject": () => NO_ROWS,
      ...answers,
    },
  });
}

const heading = () => screen.findByRole("heading", { level: 1, name: "shop/web" });
const fact = (term: string) =>
  screen.getByText(term, { selector: "dt" }).nextElementSibling?.textContent;
const diagnosis = () =>
  screen.getByRole("button", { name: "Copy the diagnosis" }).parentElement?.textContent;

describe("the first things on a load balancer's page", () => {
  it("are its state, why, and what is in the cloud", async () => {
    show({});
    await heading();
    expect(diagnosis()).toMatch(/^Service shop\/web .*in sync/);
    expect(fact("Load balancer")).toMatch(/^network lb-1/);
    expect(fact("Address")).toMatch(/^203\.0\.113\.7/);
    expect(fact("Cloud says")).toBe("active");
    expect(fact("Cloud checked")).toBe("14 min ago");
  });

  it("say what does not exist yet, and what is not known", async () => {
    const row = loadBalancerRow({ providerID: undefined, addresses: [], state: "waiting" });
    show({ row, detail: undefined });
    await heading();
    expect(fact("Load balancer")).toBe("none yet");
    expect(fact("Address")).toBe("none yet");
    expect(fact("Cloud checked")).toBe("not yet");
    expect(fact("Last change")).toBe("none by us");
    expect(fact("Service since")).toBe("not known");
    expect(screen.queryByText("Cloud says")).toBeNull();
  });

  it("do not call it drifted if there is no difference", async () => {
    show({ row: loadBalancerRow({ drift: "drifted" }) });
    await heading();
    expect(screen.queryByText(/drifted/i)).toBeNull();
  });

  it("say since when a deleted one is gone, and offer no actions", async () => {
    const row = loadBalancerRow({
      ...{ state: "gone", reason: { code: "ObjectGone" } },
      ...{ providerID: undefined, addresses: [] },
    });
    const entry = auditEntry(7, { action: "balancer.delete", runId: "r-870" });
    const answers = { "audit.list": () => auditPage([entry]) };
    show({ row, goneAt: Date.now() - 14 * 60_000 }, { answers });
    await heading();
    expect(diagnosis()).toMatch(/Gone 14 min ago\./);
    expect(fact("Load balancer")).toBe("none");
    expect(fact("Address")).toBe("none");
    expect((await screen.findByText(/^Last recorded/)).textContent).toContain(
      "Delete load balancer",
    );
    expect(screen.queryByRole("button", { name: "Retry now" })).toBeNull();
  });
});

describe("the actions on a load balancer", () => {
  it("release a held one, saying who holds it and what happens then", async () => {
    show({ row: loadBalancerRow({ state: "held", reason: HELD }) });
    await heading();
    expect(screen.getByRole("button", { name: "Release…" })).toBeDefined();
    expect(screen.queryByRole("button", { name: "Hold…" })).toBeNull();
    expect(screen.getByText(/^Held by ben/).textContent).toMatch(/lifts by itself/);
  });

  it("show no countdown for a hold that kubectl set without an end", async () => {
    const reason: Reason = { code: "HeldByAnnotation" };
    show({ row: loadBalancerRow({ state: "held", reason }) });
    await heading();
    expect(screen.getByRole("button", { name: "Release…" })).toBeDefined();
    expect(screen.queryByText(/lifts by itself/)).toBeNull();
  });

  it("adopt one that waits for consent, by an admin", async () => {
    const reason: Reason = {
      code: "BalancerUnowned",
      ...{ provider: "sandbox", id: "lb-9", name: "a1", proofs: ["name"] },
    };
    show({ row: loadBalancerRow({ state: "waiting", reason }) }, { role: "operator" });
    await heading();
    await expect
      .poll(() => screen.getByRole("button", { name: "Adopt…" }).getAttribute("aria-description"))
      .toBe("Needs role admin. You are operator. Admins: Cleo.");
    expect(
      screen.getByRole("button", { name: "Retry now" }).getAttribute("aria-disabled"),
    ).toBeNull();
  });

  it("are offered also if the open actions could not be read, which is said", async () => {
    show({ unread: ["openIntents"] });
    await heading();
    expect(screen.getByText(/^The open actions could not be read/)).toBeDefined();
    expect(screen.getByRole("button", { name: "Retry now" })).toBeDefined();
  });

  it("are not offered twice: an open action is named instead", async () => {
    const object = { kind: "Service", namespace: "shop", name: "web", uid: "u-web" } as const;
    show({ openIntents: [intent({ id: "i-3", object, controller: "service-lb-controller" })] });
    await heading();
    expect(screen.getByRole("link", { name: "Hold Service shop/web" }).getAttribute("href")).toBe(
      "/c/c-1/actions/i-3",
    );
  });
});

describe("desired beside actual", () => {
  const differing = loadBalancerDetail({
    aspects: [
      { name: "listener 443/TCP", desired: "to 30443", actual: "to 30443" },
      { name: "listener 80/TCP", desired: "to 30080", actual: undefined },
    ],
    ignored: ["createdBy"],
  });

  it("shows only the differences, until the rest is requested", async () => {
    const page = show({ detail: differing });
    expect(await screen.findByText("1 of 2 compared parts differs.")).toBeDefined();
    const table = () => screen.getByRole("table", { name: /What is desired/ });
    const names = () =>
      within(table())
        .getAllByRole("rowheader")
        .map(({ textContent }) => textContent);
    expect(names()).toEqual(["listener 80/TCP (differs)"]);
    await page.user.click(screen.getByRole("button", { name: "Show what matches" }));
    expect(names()).toEqual(["listener 80/TCP (differs)", "listener 443/TCP"]);
    expect(window.location.search).toBe("?all=1");
  });

  it("can be read as a diff with one value above the other, which is kept in the address", async () => {
    const page = show({ detail: differing });
    await page.user.click(await screen.findByRole("button", { name: "One above the other" }));
    expect(window.location.search).toBe("?layout=lines");
    const line = screen.getByText("actual").parentElement;
    expect(line?.textContent).toBe("actualnothing");
    expect(screen.getByText("desired").parentElement?.textContent).toBe("desiredto 30080");
  });

  it("says what is not compared, and counts the differences on its tab", async () => {
    show({ detail: differing });
    expect(await screen.findByText(/^Not compared.*createdBy\.$/)).toBeDefined();
    expect(screen.getByRole("tab", { name: /^Desired and actual ?1 differ$/ })).toBeDefined();
  });

  it("says what the provider cannot see, if the provider says so", async () => {
    show({ detail: loadBalancerDetail({ unseen: "Changes inside it are not seen." }) });
    expect(await screen.findByText("Changes inside it are not seen.")).toBeDefined();
  });

  it("calls only compared parts equal", async () => {
    show({ detail: loadBalancerDetail({ aspects: [] }) });
    expect(
      await screen.findByText("The provider reports nothing that can be compared."),
    ).toBeDefined();
  });

  it("says that there is none in the cloud, and counts no differences", async () => {
    const { actual: _, ...none } = differing;
    show({ detail: none });
    expect(await screen.findByText("There is no load balancer in the cloud.")).toBeDefined();
    expect(screen.getByRole("tab", { name: /^Desired/ }).textContent).toBe("Desired and actual");
  });

  it("shows the tree with the worst state below each part: without a node, nothing is served", async () => {
    const members = [member("w-1", { verdict: "out", why: "notReady" })];
    show({ detail: loadBalancerDetail({ members }) });
    const tree = within(await screen.findByRole("region", { name: "From Service to nodes" }));
    const nodes = tree.getByRole("link", { name: "1 node" }).closest("li");
    expect(nodes?.textContent).toMatch(/Stuck/);
    const loadBalancer = tree.getByText("Load balancer lb-1").closest("li");
    expect(loadBalancer?.textContent).toMatch(/Stuck/);
  });

  it("calls every part of what is gone gone, and none of them waiting, drifted or stuck", async () => {
    const { actual: _, ...none } = loadBalancerDetail({ aspects: [], members: [] });
    const row = loadBalancerRow({ state: "gone", reason: { code: "ObjectGone" } });
    show({ row, detail: none, goneAt: Date.now() - 14 * 60_000 });
    const tree = await screen.findByRole("region", { name: "From Service to nodes" });
    expect(tree.textContent).toMatch(/No load balancer, Gone:.*Listener \d+\/TCP, Gone:/);
    expect(tree.textContent).not.toMatch(/Waiting|Drifted|Stuck/);
  });

  it("says when something will be known", async () => {
    show({ detail: undefined });
    expect(await screen.findByText("Nothing is known about its load balancer yet")).toBeDefined();
  });
});

describe("its nodes", () => {
  const members = [
    member("w-1"),
    member("w-10", { verdict: "out", why: "cordoned" }),
    member("w-9", { verdict: "out", why: "notReady" }),
    member("w-2", { verdict: "soon" }),
  ];
  const names = () =>
    within(screen.getByRole("table", { name: "Members" }))
      .getAllByRole("row")
      .slice(1)
      .map((row) => within(row).getByRole("link").textContent);

  it("are listed with changing ones first, then those that are out, in numerical order", async () => {
    show({ detail: loadBalancerDetail({ members }) }, { query: "?tab=members" });
    await screen.findByRole("table", { name: "Members" });
    expect(names()).toEqual(["w-2", "w-9", "w-10", "w-1"]);
    expect(screen.getByText("Requested, and not yet seen in the cloud")).toBeDefined();
    const table = within(screen.getByRole("table", { name: "Members" }));
    expect(hasShape(table.getByText("In"))).toBe(false);
    expect(table.getAllByText("Out").map(hasShape)).toEqual([true, true]);
  });

  it("are filtered by verdict and name, and a second press clears the verdict", async () => {
    const page = show({ detail: loadBalancerDetail({ members }) }, { query: "?tab=members" });
    const out = await screen.findByRole("button", { name: /^Out/ });
    expect(out.textContent).toBe("Out2");
    await page.user.click(out);
    expect(window.location.search).toBe("?tab=members&member=out");
    expect(names()).toEqual(["w-9", "w-10"]);
    await page.user.type(screen.getByRole("searchbox", { name: "Filter nodes" }), "10");
    await expect.poll(names).toEqual(["w-10"]);
    await page.user.click(out);
    await expect.poll(() => window.location.search).toBe("?tab=members&q=10");
  });

  it("say so if none matches, and when they will be judged if none was yet", async () => {
    show({ detail: loadBalancerDetail({ members }) }, { query: "?tab=members&q=zzz" });
    expect(await screen.findByText("No node matches this filter")).toBeDefined();
  });

  it("say when they will be judged if there are none", async () => {
    show({ detail: loadBalancerDetail({ members: [] }) }, { query: "?tab=members" });
    expect(await screen.findByText("No node has a verdict yet")).toBeDefined();
  });
});

describe("its events", () => {
  it("are requested for exactly this Service, changes from the audit and failures from the runs", async () => {
    const page = show({}, { query: "?tab=events" });
    expect(
      await screen.findByText("There is no record of anything done or requested"),
    ).toBeDefined();
    expect(page.sent("runs.list")).toMatchObject([
      { filter: { key: "shop/web", kind: "Service", not: { outcomes: ["unchanged", "changed"] } } },
    ]);
    expect(page.sent("audit.list")).toMatchObject([
      { filter: { object: { kind: "Service", name: "shop/web" } } },
    ]);
    await expect
      .poll(() => page.sent("events.ofObject"))
      .toMatchObject([{ filter: { kind: "Service", name: "shop/web" } }]);
  });

  it("are not said to be absent if one of the two could not be read", async () => {
    const answers = { "audit.list": refusal("INTERNAL_SERVER_ERROR", "It failed.") };
    const page = show({}, { query: "?tab=events", answers });
    expect((await screen.findByRole("alert")).textContent).toContain("It failed.");
    expect(screen.queryByText("There is no record of anything done or requested")).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("audit.list")).toHaveLength(2);
    expect(page.sent("runs.list")).toHaveLength(1);
  });
});

describe("a load balancer that cannot be shown", () => {
  it("is unknown in this cluster, and offers a search of its runs", async () => {
    show({}, { answers: { "balancers.byName": refusal("NOT_FOUND", "No such Service.") } });
    expect(
      await screen.findByText(/^No load balancer of a Service shop\/web is known/),
    ).toBeDefined();
    const runs = screen.getByRole("link", { name: "look for its runs" }).getAttribute("href");
    expect(decodeURIComponent(runs ?? "")).toContain("key:shop/web");
  });

  it("says why it could not be read, and is not called unknown", async () => {
    show(
      {},
      { answers: { "balancers.byName": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") } },
    );
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(screen.queryByText(/is known in this cluster/)).toBeNull();
  });
});
