// @vitest-environment happy-dom
import type { RouteCounts } from "@cloudwright/store/views/routes";
import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { cluster, NO_STATES } from "../../testing/cluster-view.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { RoutesPanel } from "./routes-panel.tsx";

function show(over: Partial<RouteCounts>) {
  const routes = { ...cluster().routes, ...over };
  renderPage(<RoutesPanel routes={routes} />, { address: "/c/c-1" });
}

const links = () =>
  screen
    .queryAllByRole("link")
    .map((link) => [link.textContent?.trim(), link.getAttribute("href")]);

describe("the routes panel of the overview", () => {
  it("is absent in a cluster without routes", () => {
    show({});
    expect(screen.queryByRole("region", { name: "Routes" })).toBeNull();
  });

  it("counts routes in sync and not, each with a link to the list", () => {
    show({ states: { ...NO_STATES, ok: 8 }, wanted: 1_200, inStep: 1_190 });
    expect(links()).toEqual([
      ["In sync 1,190", "/c/c-1/routes"],
      ["Not in sync 10", "/c/c-1/routes?drift=drifted"],
    ]);
    expect(screen.getByRole("region", { name: "Routes" }).textContent).toContain("1,200");
  });

  it("counts unfinished work by node, without healthy or deleted nodes", () => {
    show({ states: { ...NO_STATES, ok: 8, gone: 3, stuck: 1, waiting: 2 }, wanted: 11 });
    expect(links().slice(2)).toEqual([
      ["Stuck on 1 node", "/c/c-1/routes?state=stuck"],
      ["Waiting on 2 nodes", "/c/c-1/routes?state=waiting"],
    ]);
  });

  it("counts routes without a node and foreign ones, if there are any", () => {
    show({ states: { ...NO_STATES, ok: 1 }, stale: 4, foreign: 2 });
    expect(links().slice(2)).toEqual([
      ["Without a node 4", "/c/c-1/routes?show=stale"],
      ["Not ours 2", "/c/c-1/routes?show=foreign"],
    ]);
  });
});

describe("the tables line of the overview", () => {
  const fullest = { id: "rtb-9", name: "rtb-c", used: 50, most: 50 };

  it("says that no more nodes fit once the fullest table is full", () => {
    show({ tables: 25, fullest });
    expect(screen.getByText(/^25 tables; rtb-c holds 50 of 50\./)).toBeDefined();
    expect(screen.getByText(/No more nodes fit\./)).toBeDefined();
  });

  it("does not say so while one more fits", () => {
    show({ tables: 1, fullest: { ...fullest, used: 49 } });
    expect(screen.getByText("1 table; rtb-c holds 49 of 50.")).toBeDefined();
    expect(screen.queryByText(/No more nodes fit/)).toBeNull();
  });

  it("only counts the tables if their limits are unknown", () => {
    show({ tables: 2, fullest: undefined });
    expect(screen.getByText("2 tables.")).toBeDefined();
  });
});
