// @vitest-environment happy-dom
import { act, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { closeDialog } from "../../platform/actions/dialog-store.ts";
import { intent } from "../../platform/actions/testing/intents.ts";
import { expectChoice } from "../../testing/choose-columns.ts";
import { refusal } from "../../testing/render-page.tsx";
import { forecast, foreignRoute, staleRoute, tableView } from "../../testing/route-rows.ts";
import { hasShape } from "../../testing/shapes.ts";
import { paged, show, tableRow } from "./testing/routes-page.tsx";

afterEach(() => act(closeDialog));

describe("the route tables", () => {
  const card = async (name: RegExp) =>
    within(await screen.findByRole("region", { name: "Route tables" })).getByRole("button", {
      name,
    });

  it("show how full they are, and filter the list by their nodes and back", async () => {
    const page = show();
    const main = await card(/^main/);
    expect(main.textContent).toMatch(/40 of 50 routes: 10 more nodes fit\./);
    await page.user.click(main);
    expect(new URLSearchParams(window.location.search).get("table")).toBe("rtb-a");
    expect((await card(/^main/)).getAttribute("aria-pressed")).toBe("true");
    await page.user.click(screen.getByRole("button", { name: "Table · main" }));
    expect(new URLSearchParams(window.location.search).has("table")).toBe(false);
  });

  it("say when one is full, and how many others there are", async () => {
    const full = tableView("rtb-z", { used: 50, forecast: forecast({ nodesFit: 0 }) });
    const more = ["b", "c", "d", "e"].map((id) => tableView(`rtb-${id}`));
    show({ tables: [full, ...more] });
    expect((await card(/^rtb-z/)).textContent).toMatch(/no more nodes fit/);
    expect(screen.getByText(/^2 more tables/)).toBeDefined();
  });

  it("say in one line above the list that they could not be read, and are refetched on demand", async () => {
    const failed = { "routes.tables": refusal("INTERNAL_SERVER_ERROR", "It failed.") };
    const page = show({ answers: failed });
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("The route tables could not be read.");
    expect(await tableRow(/w-1/)).toBeDefined();
    await page.user.click(within(alert).getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("routes.tables").length).toBeGreaterThan(1);
  });

  it("do not keep the list from being read if the number of nodes is unknown", async () => {
    const failed = refusal("INTERNAL_SERVER_ERROR", "It failed.");
    show({ query: "", answers: { "clusters.byId": failed, "routes.list": failed } });
    expect((await screen.findByRole("alert")).textContent).toContain("It failed.");
  });
});

describe("routes without a node", () => {
  const STALE = staleRoute("r-9", {
    detail: {
      ...{ kind: "route", table: "rtb-a", destination: "10.0.9.0/24", blackhole: false },
      ...{ owner: "w-9", nextHop: "i-9" },
    },
  });
  const answers = { "routes.stale": () => paged([STALE]) };

  it("are listed with their owner and where they lead, and can be retried", async () => {
    show({ query: "?show=stale", counts: { stale: 1 }, answers });
    const row = await tableRow(/r-9/);
    for (const text of ["w-9", "i-9"]) expect(row.getByText(text)).toBeDefined();
    await expect.poll(() => row.queryByText("main")).not.toBeNull();
    expect(row.getByRole("button", { name: "Retry now r-9" })).toBeDefined();
  });

  it("name who requested a retry already, instead of offering another", async () => {
    const open = { ...STALE, openIntents: [intent({ id: "i-5", state: "claimed", actor: "Ben" })] };
    show({ query: "?show=stale", answers: { "routes.stale": () => paged([open]) } });
    const row = await tableRow(/r-9/);
    const link = row.getByRole("link", { name: /Ben/ });
    expect(link.getAttribute("href")).toBe("/c/c-1/actions/i-5");
    expect(row.queryByRole("button", { name: /Retry now/ })).toBeNull();
  });

  it("are listed although their open actions could not be read, which is said, and refetched on demand", async () => {
    const answer = () => paged([STALE], { unread: ["openIntents"] });
    const page = show({ query: "?show=stale", answers: { "routes.stale": answer } });
    expect((await tableRow(/r-9/)).getByText("w-9")).toBeDefined();
    expect(screen.getByText("The open actions could not be read.")).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("routes.stale")).toHaveLength(2);
  });

  it("show the chosen columns", async () => {
    await expectChoice(show({ query: "?show=stale", answers }), "Former owner");
  });

  it("are counted on their tab, which clears the other tab's filter", async () => {
    const page = show({ query: "?view=list&q=w&cell=missing", counts: { stale: 3 }, answers });
    await page.user.click(await screen.findByRole("tab", { name: /^Without a node.*3/ }));
    expect(window.location.search).toBe("?show=stale&view=list");
    expect(page.sent("routes.stale")).toMatchObject([{ filter: { text: undefined } }]);
  });

  it("say so if there are none", async () => {
    show({ query: "?show=stale" });
    expect(await screen.findByText("No route waits to be deleted")).toBeDefined();
  });
});

describe("foreign routes", () => {
  const FOREIGN = [
    foreignRoute("r-1", { destination: "10.0.7.0/24", inRange: true, owner: "gateway" }),
    foreignRoute("r-2", { destination: "192.168.0.0/16", blackhole: true, nextHop: "i-0" }),
  ];
  const answers = { "routes.foreign": () => paged(FOREIGN, { unlisted: 1_200 }) };

  it("show whether they block a node, their owner and where they lead", async () => {
    show({ query: "?show=foreign", answers });
    const inTheWay = await tableRow(/10\.0\.7\.0/);
    expect(inTheWay.getByText("In a pod range")).toBeDefined();
    expect(inTheWay.getAllByText(/gateway/).length).toBeGreaterThan(0);
    const elsewhere = await tableRow(/192\.168/);
    expect(elsewhere.getByText("Elsewhere")).toBeDefined();
    expect(elsewhere.getAllByText(/a machine that is gone/).length).toBeGreaterThan(0);
  });

  it("have a shape only if they block a node", async () => {
    const routes = [foreignRoute("r-1"), foreignRoute("r-2", { inRange: true })];
    show({
      query: "?show=foreign",
      answers: { "routes.foreign": () => paged(routes, { unlisted: 0 }) },
    });
    expect(hasShape(await screen.findByText("Elsewhere"))).toBe(false);
    expect(hasShape(screen.getByText("In a pod range"))).toBe(true);
  });

  it("show the chosen columns", async () => {
    await expectChoice(show({ query: "?show=foreign", answers }), "Next hop");
  });

  it("say how many more there are than are listed", async () => {
    show({ query: "?show=foreign", answers });
    expect(await screen.findByText(/^1,200 more are counted/)).toBeDefined();
  });

  it("offer no actions", async () => {
    show({ query: "?show=foreign", answers });
    const row = await tableRow(/10\.0\.7\.0/);
    expect(row.queryByRole("button", { name: /Retry|Repair|Delete|Adopt/ })).toBeNull();
  });

  it("are none, or none that matches", async () => {
    const page = show({ query: "?show=foreign" });
    expect(await screen.findByText("No foreign routes")).toBeDefined();
    await page.user.type(screen.getByRole("searchbox"), "10.1");
    expect(await screen.findByText("No foreign route matches this filter")).toBeDefined();
  });
});
