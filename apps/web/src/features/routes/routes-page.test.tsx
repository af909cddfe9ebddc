// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { closeDialog } from "../../platform/actions/dialog-store.ts";
import { NO_STATES } from "../../testing/cluster-view.ts";
import { refusal } from "../../testing/render-page.tsx";
import { routeRow } from "../../testing/route-rows.ts";
import { hasShape } from "../../testing/shapes.ts";
import { show, tableRow, W1, W2 } from "./testing/routes-page.tsx";

afterEach(() => act(closeDialog));

describe("the routes of the nodes", () => {
  it("are requested as the address says", async () => {
    const page = show({ query: "?view=list&q=w&state=stuck&cell=missing&table=rtb-a&sort=-node" });
    await tableRow(/w-1/);
    expect(page.sent("routes.list")).toMatchObject([
      { filter: { text: "w", states: ["stuck"], verdicts: ["missing"], table: "rtb-a" } },
    ]);
  });

  it("show each route's state by a word, not only by its colour", async () => {
    show();
    expect((await tableRow(/w-2/)).getByText("Missing")).toBeDefined();
    expect((await tableRow(/w-1/)).getByText("In sync", { selector: "code ~ span" })).toBeDefined();
  });

  it("are a matrix by table if there are few, with each table's room in its header", async () => {
    show({ query: "" });
    expect(await screen.findByText(/40 of 50 routes, 10 more nodes fit$/)).toBeDefined();
    expect(screen.getByRole("button", { name: "Matrix" }).getAttribute("aria-pressed")).toBe(
      "true",
    );
    expect(
      screen.getByRole("button", { name: /10\.0\.2\.0\/24.*Missing.*route of w-2/ }),
    ).toBeDefined();
  });

  it.each(["list", "matrix"])(
    "have a shape in the %s only if they are not in sync",
    async (layout) => {
      show({ query: `?view=${layout}` });
      const ranges = (await screen.findAllByText(/^10\.0\.[12]\.0\/24$/)).map(hasShape);
      expect(ranges).toEqual([false, true]);
    },
  );

  it("are a list if there are too many for a matrix, unless a matrix is requested", async () => {
    const counts = { states: { ...NO_STATES, ok: 501 } };
    const page = show({ query: "", counts });
    const list = await screen.findByRole("button", { name: "List" });
    await expect.poll(() => list.getAttribute("aria-pressed")).toBe("true");
    await page.user.click(screen.getByRole("button", { name: "Matrix" }));
    expect(window.location.search).toBe("?view=matrix");
    expect(await screen.findByText(/40 of 50 routes, /)).toBeDefined();
  });

  it("are not requested before the layout is known", () => {
    const page = show({
      query: "",
      answers: { "clusters.byId": () => new Promise(() => undefined) },
    });
    expect(page.sent("routes.list")).toEqual([]);
  });

  it("are filtered by a route's state, and shown in full again", async () => {
    const page = show();
    await page.user.click(screen.getByRole("button", { name: "Cells" }));
    await page.user.click(await screen.findByRole("menuitemcheckbox", { name: "Missing" }));
    await expect.poll(() => window.location.search).toBe("?view=list&cell=missing");
    await page.user.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(window.location.search).toBe("?view=list");
  });

  it("say that none matches, and clear the filter", async () => {
    const page = show({ query: "?view=list&q=nothing", rows: [] });
    await page.user.click(
      await screen.findByRole("button", { name: "Show the routes of all nodes" }),
    );
    expect(window.location.search).toBe("?view=list");
  });

  it("say that none has been observed yet if there is no filter", async () => {
    show({ rows: [] });
    expect(await screen.findByText(/^No node's routes have been observed yet/)).toBeDefined();
  });

  it("say why they could not be read, not that there are none", async () => {
    const page = show({
      answers: { "routes.list": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") },
    });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(screen.queryByText(/^No node's routes/)).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("routes.list").length).toBe(2);
  });

  it("say which part of the address was ignored", async () => {
    show({ query: "?view=list&cell=odd&colour=red" });
    expect(await screen.findByText(/ignored: odd, colour\.$/)).toBeDefined();
  });
});

describe("repairing drift", () => {
  const button = () => screen.findByRole("button", { name: "Repair drift…" });

  it("covers what the list shows as drifted now, and nothing else", async () => {
    const page = show();
    await tableRow(/w-2/);
    await page.user.click(await button());
    await screen.findByRole("dialog", { name: "Repair the routes of 1 node" });
    await expect
      .poll(() => page.sent("intents.requestBatch"))
      .toMatchObject([{ requests: [{ kind: "preview", object: { kind: "Node", name: "w-2" } }] }]);
  });

  it("says that there is nothing to repair", async () => {
    show({ rows: [W1] });
    await tableRow(/w-1/);
    expect((await button()).getAttribute("aria-description")).toBe(
      "Nothing in this list has drifted.",
    );
  });

  it("leaves out deleted nodes", async () => {
    show({ rows: [{ ...W2, state: "gone" }] });
    await tableRow(/w-2/);
    expect((await button()).getAttribute("aria-disabled")).toBe("true");
  });

  it("is not open to a viewer, who learns whom to ask", async () => {
    show({ role: "viewer" });
    await tableRow(/w-2/);
    const description = async () => (await button()).getAttribute("aria-description");
    await expect.poll(description).toMatch(/^Needs role operator.*Cleo/);
  });

  it("says how many plans are read at once if more have drifted", async () => {
    const rows = Array.from({ length: 102 }, (_, index) => ({
      ...routeRow(`w-${index}`),
      drift: "drifted" as const,
    }));
    const page = show({ rows });
    await tableRow(/w-11/);
    expect((await button()).getAttribute("title")).toBe(
      "The first 100 of the 102 that have drifted, so that their plans can be read.",
    );
    await page.user.click(await button());
    expect(
      await screen.findByRole("dialog", { name: "Repair the routes of 100 nodes" }),
    ).toBeDefined();
  });
});

describe("if the route controller does not run", () => {
  it("it says how to turn routes on, if none of ours are left", async () => {
    show({ isOff: true, counts: { states: NO_STATES, tables: 0 } });
    expect(await screen.findByText("The route controller is not running here")).toBeDefined();
    expect(screen.getByText("--configure-cloud-routes=false")).toBeDefined();
  });

  it("it still lists what it last saw, and says so", async () => {
    show({ isOff: true });
    expect(await tableRow(/w-1/)).toBeDefined();
    expect(screen.getByText(/^The route controller is not running here now/)).toBeDefined();
  });
});
