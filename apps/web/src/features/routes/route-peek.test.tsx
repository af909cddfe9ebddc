// @vitest-environment happy-dom
import type { NodeRoutesView } from "@cloudwright/store/views/routes";
import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { ANA, type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { routeCell, routeRow } from "../../testing/route-rows.ts";
import { RoutePeek } from "./route-peek.tsx";

const HELD = { code: "HeldByAnnotation", why: "disk check, INC-91" } as const;

function show(over: Partial<NodeRoutesView> = {}, answers: Answers = {}, cidr?: string) {
  const onClose = vi.fn();
  const routes = { row: routeRow("w-1"), goneAt: undefined, openIntents: [], ...over };
  const page = renderPage(<RoutePeek node="w-1" cidr={cidr} onClose={onClose} />, {
    viewer: ANA,
    address: "/c/c-1/routes",
    answers: { "routes.ofNode": () => routes, "routes.tables": () => [], ...answers },
  });
  return { page, onClose };
}

const buttons = async () => {
  await screen.findByRole("button", { name: /^(Retry|Repair) now/ });
  return screen.getAllByRole("button").map(({ textContent }) => textContent);
};

describe("the routes of a node beside the list", () => {
  it("are shown although their open actions could not be read", async () => {
    show({ unread: ["openIntents"] });
    await buttons();
    expect(screen.getByText(/^The open actions could not be read/)).toBeDefined();
  });

  it("link to the node's page, and are requested by its name", async () => {
    const { page } = show();
    expect(screen.getByRole("link").getAttribute("href")).toBe("/c/c-1/nodes/w-1?tab=routes");
    expect(page.sent("routes.ofNode")).toEqual([{ cluster: "c-1", name: "w-1" }]);
  });

  it("are closed by their button", async () => {
    const { page, onClose } = show();
    await page.user.click(screen.getByRole("button", { name: "Close Routes of w-1" }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  it("start with the pod range that was chosen", async () => {
    const cells = ["10.0.0.0/24", "10.0.1.0/24"].map((cidr) => routeCell(cidr));
    show({ row: routeRow("w-1", { cells }) }, {}, "10.0.1.0/24");
    const ranges = await screen.findAllByText(/^10\.0\.\d\.0\/24$/);
    expect(ranges[0]?.textContent).toBe("10.0.1.0/24");
  });

  it("are not said to be absent if nobody has observed them yet", async () => {
    show({ row: undefined });
    expect(
      await screen.findByText("The route controller has not observed this node yet"),
    ).toBeDefined();
    expect(screen.queryByText(/needs no route/)).toBeNull();
  });

  it("that could not be read say why", async () => {
    show({}, { "routes.ofNode": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(screen.queryByRole("button", { name: /Retry now/ })).toBeNull();
  });
});

describe("the actions on them", () => {
  it("are retry, dry run, and holding the node", async () => {
    show();
    const names = await buttons();
    expect(names).toContain("Retry now");
    expect(names).toContain("Dry run");
    expect(names).toContain("Hold node…");
  });

  it("are called a repair if they drifted", async () => {
    show({ row: routeRow("w-1", { drift: "drifted" }) });
    const names = await buttons();
    expect(names).toContain("Repair now");
    expect(names).not.toContain("Retry now");
  });

  it("include releasing a held node, but not holding it again", async () => {
    show({ row: routeRow("w-1", { state: "held", reason: HELD }) });
    const names = await buttons();
    expect(names).toContain("Release node…");
    expect(names).not.toContain("Hold node…");
  });

  it("are absent for a deleted node", async () => {
    show({ goneAt: Date.now() - 60_000 });
    const panel = within(screen.getByRole("complementary", { name: /w-1/ }));
    expect(await panel.findByText(/Gone/)).toBeDefined();
    expect(panel.queryByRole("button", { name: /Retry now|Hold node/ })).toBeNull();
  });
});
