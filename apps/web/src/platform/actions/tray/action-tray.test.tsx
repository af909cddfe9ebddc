// @vitest-environment happy-dom
import type { Intent } from "@cloudwright/core/model/actions/intent";
import { act, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { type Answers, refusal, renderPage } from "../../../testing/render-page.tsx";
import { intent } from "../testing/intents.ts";
import { ActionTray } from "./action-tray.tsx";
import { putInTray } from "./tray-store.ts";

let made = 0;

/** Each test uses its own cluster, because what a browser stores for one outlasts the page. */
function show(
  entries: readonly (readonly string[])[],
  intents: readonly Intent[],
  answers: Answers = {},
) {
  made += 1;
  const cluster = `tray-${made}`;
  for (const entry of entries) putInTray(cluster, entry);
  const page = renderPage(<ActionTray cluster={cluster} />, {
    answers: {
      "intents.byId": (input) =>
        intents.find(({ id }) => id === (input as { id: string }).id) ??
        refusal("NOT_FOUND", "No such action.")(),
      ...answers,
    },
  });
  return { page, cluster };
}

const items = () =>
  within(screen.getByRole("region", { name: "Your actions" })).getAllByRole("article");

describe("this browser's actions", () => {
  it("are shown with state and result, newest first", async () => {
    show(
      [["i-1"], ["i-2"]],
      [
        intent({ id: "i-1", state: "verified" }),
        intent({
          id: "i-2",
          kind: "retry",
          action: { kind: "retry" },
          state: "failed",
          result: "No answer.",
        }),
      ],
    );
    expect(await screen.findByText("No answer.")).toBeDefined();
    await screen.findByText("Verified");
    expect(items().map((item) => within(item).getByRole("link").textContent)).toEqual([
      "Retry node initialisation of node w-9",
      "Hold node w-9",
    ]);
  });

  it("are absent if none was requested", () => {
    show([], []);
    expect(screen.queryByRole("region", { name: "Your actions" })).toBeNull();
  });

  it("can be dismissed, and stay away when the page is rendered again", async () => {
    const { page, cluster } = show([["i-1"]], [intent({ id: "i-1", state: "verified" })]);
    await page.user.click(await screen.findByRole("button", { name: "Dismiss w-9" }));
    expect(screen.queryByRole("region", { name: "Your actions" })).toBeNull();
    expect(window.localStorage.getItem(`cloudwright.tray.${cluster}`)).toBe("[]");
  });

  it("appear as soon as they are requested", async () => {
    const { cluster } = show([], [intent({ id: "i-1" })]);
    act(() => putInTray(cluster, ["i-1"]));
    expect(await screen.findByText("Requested")).toBeDefined();
  });

  it("are the newest five, each once", async () => {
    const ids = ["i-1", "i-2", "i-3", "i-4", "i-5", "i-6", "i-2"];
    show(
      ids.map((id) => [id]),
      ids.map((id) => intent({ id, why: id })),
    );
    await expect
      .poll(() =>
        items().map((item) => within(item).getByRole("link").getAttribute("href")?.slice(-3)),
      )
      .toEqual(["i-2", "i-6", "i-5", "i-4", "i-3"]);
  });

  it("say why they cannot be read, and can still be dismissed", async () => {
    const { page } = show([["i-0"]], []);
    expect(await screen.findByText("No such action.")).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: /^Dismiss/ }));
    expect(screen.queryByRole("region", { name: "Your actions" })).toBeNull();
  });
});

describe("actions that were requested together", () => {
  const one = (id: string, state: Intent["state"]) =>
    intent({
      id,
      kind: "retry",
      action: { kind: "retry", controllers: ["cloud-node-controller"] },
      state,
    });

  it("are counted by how they ended, and shown with the worst end", async () => {
    show(
      [["i-1", "i-2", "i-3"]],
      [one("i-1", "verified"), one("i-2", "rejected"), one("i-3", "verified")],
    );
    expect(await screen.findByText("2 verified, 1 rejected")).toBeDefined();
    expect(within(items()[0] as HTMLElement).getByText("Rejected")).toBeDefined();
    expect(screen.getByRole("link").textContent).toBe("Retry 3 nodes");
  });

  it("are running as long as one of them is", async () => {
    show([["i-1", "i-2"]], [one("i-1", "failed"), one("i-2", "running")]);
    expect(await screen.findByText("1 failed, 1 running")).toBeDefined();
    expect(within(items()[0] as HTMLElement).getByText("Running")).toBeDefined();
  });

  it("are not said to be over while one of them could not be read", async () => {
    show([["i-1", "i-0"]], [one("i-1", "verified")]);
    expect(await screen.findByText("1 verified, 1 not known")).toBeDefined();
    const [item] = items();
    expect(item?.dataset.folded).toBe("false");
    expect(within(item as HTMLElement).queryByText("Verified")).toBeNull();
  });

  it("cannot be cancelled as a whole", async () => {
    show([["i-1", "i-2"]], [one("i-1", "requested"), one("i-2", "requested")]);
    await screen.findByText("2 requested");
    expect(screen.queryByRole("button", { name: "Cancel action" })).toBeNull();
  });
});

describe("an action of several loops", () => {
  it("shows the result of each loop, with its run", async () => {
    const loops = [
      { controller: "cloud-node-controller", state: "verified", runId: "r-1" },
      { controller: "node-route-controller", state: "rejected", result: "Held by ben." },
    ] as const;
    show(
      [["i-1"]],
      [
        intent({
          id: "i-1",
          kind: "retry",
          action: { kind: "retry" },
          state: "rejected",
          loops: [...loops],
        }),
      ],
    );
    const lines = within(await screen.findByRole("list", { name: "Each controller" }));
    expect(lines.getByText("Held by ben.")).toBeDefined();
    expect(lines.getAllByRole("link")).toHaveLength(1);
    expect(screen.getByText(/: verified, .*: rejected$/)).toBeDefined();
  });
});
