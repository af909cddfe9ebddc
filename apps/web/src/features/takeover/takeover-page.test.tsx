// @vitest-environment happy-dom
import type { AdoptionReason } from "@cloudwright/core/model/reasons/adoption-refusal";
import type { DoneAdoption, TakeoverView, WaitingRow } from "@cloudwright/store/views/takeover";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { expectChoice } from "../../testing/choose-columns.ts";
import { cluster, controller, instance } from "../../testing/cluster-view.ts";
import { ANA, type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { TakeoverPage } from "./takeover-page.tsx";

const UNOWNED: AdoptionReason = {
  code: "BalancerUnowned",
  ...{ provider: "sandbox", id: "lb-1", name: "a1", proofs: ["name"] },
};
const ROUTE: AdoptionReason = {
  code: "RouteUnowned",
  ...{ provider: "sandbox", cidr: "10.0.1.0/24", id: "r-1", proofs: ["range"] },
};

function waiting(name: string, over: Partial<WaitingRow> = {}): WaitingRow {
  return {
    ...{ kind: "Service", name, uid: `uid-${name}`, reason: UNOWNED, since: Date.now() - 60_000 },
    ...{ refusal: undefined, open: undefined },
    ...over,
  };
}

function adopted(name: string, over: Partial<DoneAdoption> = {}): DoneAdoption {
  return {
    ...{ kind: "Service", name, id: `lb-${name}`, by: "consent", actor: "Ben", why: "ours" },
    ...{ at: Date.now() - 14 * 60_000, runId: "r-9" },
    ...over,
  };
}

const WEB = waiting("shop/web");
const NODE = waiting("w-1", { kind: "Node", reason: ROUTE });
const OPEN = waiting("shop/api", { open: { id: "i-4", actor: "Ben", state: "running" } });
const LOST = waiting("shop/old", { refusal: "It has another cluster's mark." });

function view(over: Partial<TakeoverView> = {}): TakeoverView {
  const rows = over.waiting ?? [];
  const ofNodes = rows.filter(({ kind }) => kind === "Node").length;
  return {
    ...{ waiting: rows, adopted: [], proven: [], reported: [] },
    counts: {
      waiting: { balancers: rows.length - ofNodes, routes: ofNodes },
      adopted: { proofs: 0, consent: over.adopted?.length ?? 0, flag: 0 },
      ...{ proven: over.proven?.length ?? 0, reported: over.reported?.length ?? 0 },
    },
    ...over,
  };
}

function show(found: TakeoverView, address = "/c/c-1/takeover", answers: Answers = {}) {
  return renderPage(<TakeoverPage />, {
    address,
    answers: { "takeover.byCluster": () => found, ...answers },
  });
}

const rowOf = async (name: string) => {
  const link = await screen.findByRole("link", { name });
  return within(link.closest<HTMLElement>("tr") ?? document.body);
};

describe("what waits for consent", () => {
  it("shows each with its cloud resource, why it waits and what consent would do", async () => {
    show(view({ waiting: [WEB, NODE] }));
    const web = await rowOf("shop/web");
    expect(web.getByText("lb-1")).toBeDefined();
    expect(
      web.getByText("Makes the Service its owner and brings it in line with the Service."),
    ).toBeDefined();
    const node = await rowOf("w-1");
    expect(node.getByTitle("route r-1 to 10.0.1.0/24")).toBeDefined();
    expect(node.getByText("Replaces it with the node's own route to that range.")).toBeDefined();
  });

  it("links to the object: a Service's page, or the routes of a node", async () => {
    show(view({ waiting: [WEB, NODE] }));
    const href = async (name: string) =>
      (await screen.findByRole("link", { name })).getAttribute("href");
    expect(await href("shop/web")).toBe("/c/c-1/load-balancers/shop/web");
    expect(await href("w-1")).toMatch(/^\/c\/c-1\/nodes\/w-1\?.*routes/);
  });

  it("says who is adopting one already, instead of offering it again", async () => {
    show(view({ waiting: [OPEN] }));
    const row = await rowOf("shop/api");
    expect(row.getByRole("link", { name: "By Ben, running" }).getAttribute("href")).toBe(
      "/c/c-1/actions/i-4",
    );
    expect(row.queryByRole("button", { name: /^Adopt/ })).toBeNull();
    expect(screen.queryByRole("checkbox", { name: "Select shop/api" })).toBeNull();
  });

  it("says at the button why consent cannot help", async () => {
    show(view({ waiting: [LOST] }));
    const row = await rowOf("shop/old");
    const button = row.getByRole("button", { name: /^Adopt/ });
    expect(button.getAttribute("aria-description")).toBe("It has another cluster's mark.");
    expect(row.getByText(/^Cannot be adopted\./)).toBeDefined();
    expect(screen.queryByRole("checkbox", { name: "Select shop/old" })).toBeNull();
  });

  it("can be adopted together, except those that cannot be adopted", async () => {
    const page = show(view({ waiting: [WEB, NODE, OPEN, LOST] }));
    await page.user.click(
      await screen.findByRole("checkbox", { name: "Select all rows that are loaded" }),
    );
    expect(await screen.findByRole("button", { name: "Adopt 2 cloud resources…" })).toBeDefined();
  });

  it("shows the chosen columns, and always its selection boxes", async () => {
    await expectChoice(show(view({ waiting: [WEB] })), "Effect of consent");
    await screen.findByRole("checkbox", { name: "Select shop/web" });
    expect(screen.queryByRole("menuitemcheckbox", { name: "Select" })).toBeNull();
  });

  it("is not open to operators: adopting needs an admin", async () => {
    renderPage(<TakeoverPage />, {
      viewer: { ...ANA, role: "operator" },
      answers: {
        "takeover.byCluster": () => view({ waiting: [WEB] }),
        "people.admins": () => ["Cleo"],
      },
    });
    const button = (await rowOf("shop/web")).getByRole("button", { name: /^Adopt/ });
    await expect
      .poll(() => button.getAttribute("aria-description"))
      .toBe("Needs role admin. You are operator. Admins: Cleo.");
  });

  it("says how many more wait than are listed", async () => {
    const found = view({ waiting: [WEB] });
    const counts = { ...found.counts, waiting: { balancers: 501, routes: 1_000 } };
    show({ ...found, counts });
    expect((await screen.findByText(/more are waiting/)).textContent).toMatch(
      /^1,500 more are waiting/,
    );
    expect(screen.getByRole("tab", { name: /^Waiting/ }).textContent).toBe("Waiting1,501");
  });
});

describe("what was adopted", () => {
  const address = "/c/c-1/takeover?view=adopted";

  it("shows by whose consent or by which proofs, and in which run", async () => {
    const rows = [
      adopted("shop/web"),
      adopted("shop/api", { by: "proofs" }),
      adopted("shop/old", { by: "flag", runId: undefined }),
    ];
    show(view({ adopted: rows }), address);
    expect((await rowOf("shop/web")).getByText("Consent of Ben")).toBeDefined();
    expect((await rowOf("shop/web")).getByText("14 min ago")).toBeDefined();
    expect(
      (await rowOf("shop/web")).getByRole("link", { name: "Run of shop/web" }).getAttribute("href"),
    ).toBe("/c/c-1/runs/r-9");
    expect((await rowOf("shop/api")).getByText("Two proofs")).toBeDefined();
    expect((await rowOf("shop/old")).getByText("--adopt-consent")).toBeDefined();
    expect((await rowOf("shop/old")).queryByRole("link", { name: /^Run/ })).toBeNull();
  });

  it("shows the chosen columns", async () => {
    await expectChoice(show(view({ adopted: [adopted("shop/web")] }), address), "Adopted by");
  });

  it("includes the routes that are kept by two proofs, and counts them", async () => {
    const routes = [
      { id: "r-1", destination: "10.0.1.0/24" },
      { id: "r-2", destination: "10.0.2.0/24" },
    ];
    const proven = [{ name: "w-1", uid: "u-1", routes, asOf: undefined, runId: "r-8" }];
    show(view({ adopted: [adopted("shop/web")], proven }), address);
    const row = await rowOf("w-1");
    expect(row.getByText("route r-1 to 10.0.1.0/24, route r-2 to 10.0.2.0/24")).toBeDefined();
    expect(row.getByText(/kept as they are, because their owner/)).toBeDefined();
    expect(screen.getByRole("tab", { name: /^Adopted/ }).textContent).toBe("Adopted2");
  });
});

describe("what is only reported", () => {
  it("names the flag that leaves it as it is, and when it was last seen", async () => {
    const routes = [{ id: "r-1", destination: "10.0.1.0/24" }];
    const reported = ["w-1", "w-2"].map((name) => ({
      ...{ name, uid: `u-${name}`, routes, asOf: Date.now() - 14 * 60_000, runId: "r-8" },
    }));
    show(view({ reported }), "/c/c-1/takeover?view=reported");
    const row = await rowOf("w-1");
    expect(row.getByText("14 min ago")).toBeDefined();
    // It is the same for every row, so it appears once above them.
    expect(screen.getAllByText(/--adopt=report leaves/)).toHaveLength(1);
  });
});

describe("the filter and the address", () => {
  it("finds by name and by the cloud's id, in any case", async () => {
    const page = show(view({ waiting: [WEB, NODE] }), "/c/c-1/takeover?q=LB-1");
    expect(await screen.findByRole("link", { name: "shop/web" })).toBeDefined();
    expect(screen.queryByRole("link", { name: "w-1" })).toBeNull();
    expect(page.sent("takeover.byCluster")).toEqual([{ cluster: "c-1" }]);
  });

  it("says that nothing matches, and shows all again", async () => {
    const page = show(view({ waiting: [WEB] }), "/c/c-1/takeover?q=nothing");
    expect(await screen.findByText("Nothing in this list matches the filter")).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "Show all" }));
    expect(await screen.findByRole("link", { name: "shop/web" })).toBeDefined();
    expect(window.location.search).toBe("");
  });

  it("keeps the filter when another list is chosen, and Back returns to the previous one", async () => {
    const page = show(
      view({ waiting: [WEB], adopted: [adopted("shop/web")] }),
      "/c/c-1/takeover?q=web",
    );
    await page.user.click(await screen.findByRole("tab", { name: /^Adopted/ }));
    expect(window.location.search).toBe("?view=adopted&q=web");
    expect(await screen.findByText("Consent of Ben")).toBeDefined();
  });

  it("reports what it does not know in its address", async () => {
    show(view(), "/c/c-1/takeover?view=everything");
    expect(await screen.findByText(/everything/)).toBeDefined();
  });
});

describe("if nothing is found", () => {
  const running = (...names: Parameters<typeof controller>[0][]): Answers => {
    const leader = instance({ controllers: names.map((name) => controller(name)) });
    return { "clusters.byId": () => cluster({ leader, instances: [leader] }) };
  };

  it.each([
    ["waiting", "Nothing is waiting for consent"],
    ["adopted", "Nothing has been adopted"],
    ["reported", "No route is only reported"],
  ])("the list %s says so", async (list, title) => {
    const both = running("service-lb-controller", "node-route-controller");
    show(view(), `/c/c-1/takeover?view=${list}`, both);
    expect(await screen.findByText(title)).toBeDefined();
    expect(screen.queryByRole("table")).toBeNull();
  });

  it("it says which controller does not run, instead of claiming that nothing is there", async () => {
    show(view(), undefined, running("service-lb-controller"));
    expect(await screen.findByText(/The route controller is not running here\./)).toBeDefined();
    expect(screen.queryByText(/The load balancer controller is not running here\./)).toBeNull();
  });

  it("it does not mention what the list would contain", async () => {
    show(view(), undefined, running("service-lb-controller", "node-route-controller"));
    expect(await screen.findByText("Nothing is waiting for consent")).toBeDefined();
    expect(screen.queryByText(/only one proof of its owner/)).toBeNull();
  });

  it("it says that nobody checks if neither runs", async () => {
    show(view(), undefined, running("cloud-node-controller"));
    expect(await screen.findByText("Nothing is looked for here")).toBeDefined();
  });

  it("it says why it could not be read, and is refetched by button and key", async () => {
    const answers = { "takeover.byCluster": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") };
    const page = show(view(), undefined, answers);
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(screen.queryByText("Nothing is waiting for consent")).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("takeover.byCluster")).toHaveLength(2);
  });
});

describe("a part that could not be read", () => {
  it.each([
    ["adopted", "?view=adopted", "Nothing has been adopted"],
    ["reported", "?view=reported", "No route is only reported"],
  ] as const)("is not called nothing, and is asked for again: %s", async (part, query, nothing) => {
    const page = show(view({ unread: [part] }), `/c/c-1/takeover${query}`);
    expect(await screen.findByText(/^This part could not be read/)).toBeDefined();
    for (const claim of [nothing, /has been found/]) expect(screen.queryByText(claim)).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("takeover.byCluster")).toHaveLength(2);
  });

  it("leaves what waits as it is: what was adopted, or is being adopted", async () => {
    show(view({ waiting: [WEB], unread: ["adopted", "open"] }));
    expect((await rowOf("shop/web")).getByText("lb-1")).toBeDefined();
    expect(screen.getByText("Which adoptions are under way could not be read.")).toBeDefined();
    expect(screen.queryByText(/^This part could not be read/)).toBeNull();
  });
});
