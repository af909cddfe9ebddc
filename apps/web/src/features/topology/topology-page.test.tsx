// @vitest-environment happy-dom
import type { TopologyServices } from "@cloudwright/store/views/topology";
import { fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { LiveProvider } from "../../platform/live/live-provider.tsx";
import { cluster } from "../../testing/cluster-view.ts";
import { type Answers, liveStream, refusal, renderPage } from "../../testing/render-page.tsx";
import {
  topologyNode,
  topologyNodesColumns,
  topologyService,
} from "../../testing/topology-rows.ts";
import { TopologyPage } from "./topology-page.tsx";

// The drawings are loaded later than the page; these tests should not wait for them.
beforeAll(() =>
  Promise.all([import("./picture/zones-picture.tsx"), import("./picture/services-picture.tsx")]),
);

const NODES = topologyNodesColumns([
  topologyNode("w-3", { state: "stuck", zone: "z2", reason: { code: "Uninitialised" } }),
  topologyNode("w-1"),
  topologyNode("w-2"),
]);
const SERVICES: TopologyServices = {
  total: 1,
  services: [
    topologyService("shop/web", {
      members: { in: 2, soon: 0, leaving: 0, out: 1 },
      others: [{ node: "w-9", verdict: "out", why: "cordoned" }],
    }),
  ],
};

function show({
  query = "",
  answers = {},
}: {
  readonly query?: string;
  readonly answers?: Answers;
} = {}) {
  return renderPage(<TopologyPage />, {
    address: `/c/c-1/topology${query}`,
    answers: {
      "clusters.byId": () => cluster(),
      "topology.nodes": () => NODES,
      "topology.services": () => SERVICES,
      ...answers,
    },
  });
}

const picture = async (name: RegExp) => {
  const region = await screen.findByRole("region", { name });
  return { region, text: () => region.textContent ?? "" };
};
const names = () =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => within(row).getAllByRole("link")[0]?.textContent);

describe("the topology of the nodes", () => {
  it("opens with how many nodes are where, and where the stuck ones are", async () => {
    show();
    expect(await screen.findByText("3 nodes in 2 zones. 1 node stuck, in zone z2.")).toBeDefined();
  });

  it("draws the cloud, its zones and nodes by state, each with a word and a link", async () => {
    show();
    const { region, text } = await picture(/Zones of sandbox/);
    expect(text()).toMatch(/Cloud sandbox.*3 nodes · 2 zones/);
    expect(text()).toMatch(/Zone z1.*OK 2.*Zone z2.*Stuck 1/);
    const links = [...region.querySelectorAll("a")].map((link) => link.getAttribute("href"));
    expect(links).toContain("/c/c-1/nodes/w-3");
    expect(region.querySelector("title")?.textContent).toBe("w-1, OK");
  });

  it("has the same as a table, in which Tab reaches every node", async () => {
    show();
    await screen.findByRole("table", { name: "Nodes by state" });
    expect(names()).toEqual(["w-3", "w-1", "w-2"]);
  });

  it("shows what is searched for in both, as the address says", async () => {
    show({ query: "?q=w-1" });
    const { text } = await picture(/Zones of/);
    expect(names()).toEqual(["w-1"]);
    expect(text()).not.toMatch(/Zone z2/);
  });

  it("is filtered by states with their counters and the key f, and shown in full again", async () => {
    const page = show();
    await screen.findByRole("table", { name: "Nodes by state" });
    await page.user.click(screen.getByRole("button", { name: /^Stuck/ }));
    expect(window.location.search).toBe("?state=stuck");
    expect(names()).toEqual(["w-3"]);
    await page.user.click(screen.getByRole("button", { name: "Clear filters" }));
    await page.user.keyboard("f");
    expect(window.location.search).toBe("?state=stuck,unknown");
  });

  it("is filtered by zone", async () => {
    const page = show();
    await screen.findByRole("table", { name: "Nodes by state" });
    await page.user.click(screen.getByRole("button", { name: "Zone" }));
    await page.user.click(await screen.findByRole("menuitemcheckbox", { name: "Zone z1" }));
    await expect.poll(() => window.location.search).toBe("?zone=z1");
    expect(names()).toEqual(["w-1", "w-2"]);
  });

  it.each(["", "?show=services"])("can be kept as a view: %s", async (query) => {
    show({ query });
    expect(await screen.findByRole("button", { name: "Views" })).toBeDefined();
  });

  it("is moved by the wheel, and zoomed by it with Ctrl", async () => {
    show();
    const { region } = await picture(/Zones of/);
    const place = () => region.querySelector("svg > g")?.getAttribute("transform") ?? "";
    const whole = place();
    const scaleOf = (transform: string) => transform.replace(/.*scale/, "");
    fireEvent.wheel(region, { deltaY: -20 });
    expect(place()).not.toBe(whole);
    expect(scaleOf(place())).toBe(scaleOf(whole));
    const pinch = new WheelEvent("wheel", { deltaY: -200 });
    fireEvent(region, Object.assign(pinch, { ctrlKey: true, clientX: 10, clientY: 10 }));
    expect(scaleOf(place())).not.toBe(scaleOf(whole));
  });

  it("is zoomed by buttons and keys, moved by keys, and shown in full again", async () => {
    const page = show();
    const { region } = await picture(/Zones of/);
    const place = () => region.querySelector("svg > g")?.getAttribute("transform");
    const whole = place();
    await page.user.click(screen.getByRole("button", { name: "Zoom in" }));
    const near = place();
    expect(near).not.toBe(whole);
    fireEvent.keyDown(region, { key: "-" });
    expect(place()).not.toBe(near);
    fireEvent.keyDown(region, { key: "ArrowLeft" });
    expect(place()).not.toBe(whole);
    fireEvent.keyDown(region, { key: "0" });
    expect(place()).toBe(whole);
  });

  it("is moved by a drag, after which no link is followed", async () => {
    show();
    const { region } = await picture(/Zones of/);
    region.setPointerCapture = () => undefined;
    const place = () => region.querySelector("svg > g")?.getAttribute("transform");
    const before = place();
    fireEvent.pointerDown(region, { button: 0, clientX: 100, clientY: 100, pointerId: 1 });
    fireEvent.pointerMove(region, { clientX: 160, clientY: 130, pointerId: 1 });
    fireEvent.pointerUp(region, { pointerId: 1 });
    expect(place()).not.toBe(before);
    const link = region.querySelector("a");
    expect(link === null ? undefined : fireEvent.click(link)).toBe(false);
    expect(window.location.pathname).toBe("/c/c-1/topology");
  });

  it("is only a drawing or only a table if the user chooses so", async () => {
    const page = show();
    await screen.findByRole("table");
    await page.user.click(screen.getByRole("button", { name: "Picture" }));
    expect(screen.queryByRole("table")).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Table" }));
    expect(window.location.search).toBe("?view=table");
    expect(screen.queryByRole("region", { name: /Zones of/ })).toBeNull();
  });

  it("says that none has been seen, none matches, or why it could not be read", async () => {
    const { unmount } = show({
      answers: { "topology.nodes": () => topologyNodesColumns([]) },
    });
    expect(await screen.findByText("No node has been seen yet")).toBeDefined();
    unmount();
    const filtered = show({ query: "?q=nothing" });
    await filtered.user.click(await screen.findByRole("button", { name: "Show all nodes" }));
    expect(window.location.search).toBe("");
    filtered.unmount();
    show({
      answers: { "topology.nodes": refusal("Unavailable", "The database does not answer.") },
    });
    expect(await screen.findByText("The database does not answer.")).toBeDefined();
  });
});

describe("a topology on a phone that cannot be read", () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ["", "topology.nodes"],
    ["?show=services", "topology.services"],
  ])("says why, even while changes refetch it: %s", async (query, path) => {
    vi.stubGlobal("matchMedia", () => ({
      ...{ matches: true, addEventListener: () => {}, removeEventListener: () => {} },
    }));
    const live = liveStream();
    let asked = 0;
    const answers: Answers = {
      "clusters.byId": () => cluster(),
      "live.changes": () => live,
      [path]: () => {
        asked += 1;
        return asked === 1
          ? refusal("INTERNAL_SERVER_ERROR", "It failed.")()
          : new Promise(() => {});
      },
    };
    renderPage(
      <LiveProvider cluster="c-1">
        <TopologyPage />
      </LiveProvider>,
      { address: `/c/c-1/topology${query}`, answers },
    );
    await screen.findByText("It failed.");
    live.open();
    live.change("nodes");
    await expect.poll(() => asked).toBe(2);
    expect(screen.getByRole("alert").textContent).toContain("It failed.");
  });
});

describe("the topology of the Services", () => {
  it("draws each with its load balancer, listeners, members, and the nodes that are not in", async () => {
    show({ query: "?show=services" });
    const { region, text } = await picture(/Services, their load balancers/);
    expect(text()).toMatch(
      /shop\/web.*OK.*lb-1.*203\.0\.113\.7.*443\/TCP → 31443.*1 out.*2 in.*w-9/,
    );
    const links = [...region.querySelectorAll("a")].map((link) => link.getAttribute("href"));
    expect(links).toEqual(
      expect.arrayContaining([
        "/c/c-1/load-balancers/shop/web",
        "/c/c-1/load-balancers/shop/web?tab=members",
        "/c/c-1/nodes/w-9",
      ]),
    );
  });

  it("has the same as a table", async () => {
    show({ query: "?show=services" });
    const row = await screen.findByRole("row", { name: /shop\/web/ });
    expect(row.textContent).toMatch(/OK.*In sync.*lb-1.*443\/TCP → 31443.*2 in, 1 out/);
  });

  it("says if there is no load balancer yet", async () => {
    const { loadBalancer, ...bare } = topologyService("shop/web", { state: "waiting" });
    expect(loadBalancer).toBeDefined();
    show({
      query: "?show=services",
      answers: { "topology.services": () => ({ total: 1, services: [bare] }) },
    });
    const row = await screen.findByRole("row", { name: /shop\/web/ });
    expect(row.textContent).toMatch(/Waiting.*shop\/web.*No load balancer/);
  });

  it("sends the search to the server", async () => {
    const page = show({ query: "?show=services&q=web" });
    await screen.findByRole("table");
    expect(page.sent("topology.services")).toContainEqual({ cluster: "c-1", text: "web" });
  });

  it("says that there are none, or none that match", async () => {
    const answers = { "topology.services": () => ({ services: [], total: 0 }) };
    const { unmount } = show({ query: "?show=services", answers });
    expect(await screen.findByText("No Service of type LoadBalancer")).toBeDefined();
    unmount();
    const page = show({ query: "?show=services&q=x", answers });
    await page.user.click(await screen.findByRole("button", { name: "Show all Services" }));
    expect(window.location.search).toBe("?show=services");
  });
});
