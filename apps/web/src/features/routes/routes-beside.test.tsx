// @vitest-environment happy-dom
import { act, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { closeDialog } from "../../platform/actions/dialog-store.ts";
import { cloudRoute, routeCell } from "../../testing/route-rows.ts";
import { show, W1, W2 } from "./testing/routes-page.tsx";

afterEach(() => act(closeDialog));

describe("the routes of one node beside the list", () => {
  const panel = async () =>
    within(await screen.findByRole("complementary", { name: /Routes of w-2/ }));

  it("show the desired and actual next hop of each, and what the cloud refused", async () => {
    show({ query: "?view=list&peek=w-2" });
    const route = within(
      await (await panel()).findByRole("region", { name: "Route to 10.0.2.0/24" }),
    );
    expect(route.getByText("Should lead to").nextElementSibling?.textContent).toMatch(
      /^sandbox:\/\/w-1/,
    );
    expect(route.getByText("Leads to").nextElementSibling?.textContent).toBe("no route");
    expect(route.getByText("Evidence").nextElementSibling?.textContent).toBe("quota of 50 routes");
  });

  it("start with the pressed pod range, which is highlighted", async () => {
    const cells = [routeCell("10.0.2.0/24"), routeCell("fd00::/64")];
    show({ query: "?view=list&peek=w-2/fd00::/64", rows: [W1, { ...W2, cells }] });
    const regions = await (await panel()).findAllByRole("region");
    expect(regions.map((each) => each.getAttribute("aria-label"))).toEqual([
      "Route to fd00::/64",
      "Route to 10.0.2.0/24",
    ]);
    expect(regions.map((each) => each.getAttribute("aria-current"))).toEqual(["true", null]);
  });

  it("open from a cell of the matrix", async () => {
    const page = show({ query: "" });
    await page.user.click(await screen.findByRole("button", { name: /route of w-2/ }));
    expect(new URLSearchParams(window.location.search).get("peek")).toBe("w-2/10.0.2.0/24");
    expect(await panel()).toBeDefined();
  });

  it("mark routes that lead elsewhere than they should, but not foreign ones", async () => {
    const cells = [
      routeCell("10.0.2.0/24", {
        ...{ verdict: "foreign", evidence: "owner vpn" },
        route: cloudRoute({ nextHop: "gw-9", owner: "vpn" }),
      }),
    ];
    show({ query: "?view=list&peek=w-2", rows: [{ ...W2, cells }] });
    const aside = await panel();
    expect((await aside.findByText("≠ Leads to")).nextElementSibling?.textContent).toMatch(/^gw-9/);
    expect(aside.getByText(/not ours, and is left untouched/)).toBeDefined();
    expect(aside.getByText("Table").nextElementSibling?.textContent).toBe("main");
  });

  it("offer to repair drift, to preview the repair, and to hold the node", async () => {
    show({ query: "?view=list&peek=w-2" });
    const aside = await panel();
    await aside.findByRole("button", { name: "Repair now" });
    expect(aside.getByRole("button", { name: "Dry run" })).toBeDefined();
    expect(aside.getByRole("button", { name: "Hold node…" })).toBeDefined();
  });

  it("offer to release a held node, and a plain retry if nothing drifted", async () => {
    const reason = { code: "HeldByAnnotation", until: undefined, by: "ana", why: "x" } as never;
    show({
      query: "?view=list&peek=w-2",
      rows: [{ ...W2, drift: "inStep", state: "held", reason }],
    });
    const aside = await panel();
    expect(await aside.findByRole("button", { name: "Release node…" })).toBeDefined();
    expect(aside.getByRole("button", { name: "Retry now" })).toBeDefined();
  });

  it("offer nothing for a deleted node", async () => {
    const gone = { row: W2, ranges: undefined, goneAt: Date.now(), openIntents: [] };
    show({ query: "?view=list&peek=w-2", answers: { "routes.ofNode": () => gone } });
    const aside = await panel();
    await aside.findByText("NetworkUnavailable");
    expect(aside.queryByRole("button", { name: /now$|Dry run|Hold/ })).toBeNull();
  });

  it("say that the controller has not observed that node yet", async () => {
    show({ query: "?view=list&peek=w-2", rows: [W1] });
    expect(await (await panel()).findByText(/has not observed this node yet/)).toBeDefined();
  });
});
