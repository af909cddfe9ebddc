// @vitest-environment happy-dom
import type { Reason } from "@cloudwright/core/model/reason";
import type { ControllerInstanceView } from "@cloudwright/store/views/clusters";
import type { ObjectView } from "@cloudwright/store/views/object-view";
import { act, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ActionDialogs } from "../../platform/actions/dialog/action-dialogs.tsx";
import { closeDialog } from "../../platform/actions/dialog-store.ts";
import { intent } from "../../platform/actions/testing/intents.ts";
import { cluster, controller, instance } from "../../testing/cluster-view.ts";
import { refusal, renderPage } from "../../testing/render-page.tsx";
import { ObjectPage } from "./object-page.tsx";

const NO_ROWS = { rows: [], nextCursor: undefined, total: { kind: "exact", count: 0 } };
const LABELLED: Reason = { code: "Other", name: "NamespaceLabelled", text: "Its team is red" };

function view(over: Partial<ObjectView["row"]> = {}, goneAt?: number): ObjectView {
  return {
    row: {
      ...{ name: "shop", uid: "u-shop", state: "ok", reason: LABELLED, since: Date.now() },
      ...{ controller: "namespace-label-controller", nextAt: undefined, failures: 0 },
      ...{ drift: "inStep", providerID: undefined, updatedAt: Date.now() },
      lastRun: { id: "r-1", outcome: "changed", at: Date.now() - 14 * 60_000 },
      ...over,
    },
    ...{ createdAt: undefined, goneAt, openIntents: [] },
  } as ObjectView;
}

type Actions = ControllerInstanceView["controllers"][number]["actions"];

/** `actions` are those that its controller declares on the leader. */
function show(
  answer: () => ObjectView,
  actions: Actions = { Namespace: ["hold", "release", "reensure"] },
) {
  const leader = instance({ controllers: [controller("namespace-label-controller", { actions })] });
  const page = (
    <>
      <ObjectPage kind="Namespace" name="shop" />
      <ActionDialogs />
    </>
  );
  return renderPage(page, {
    address: "/c/c-1/objects/Namespace/shop",
    answers: {
      "clusters.byId": () => cluster({ leader }),
      "objects.byName": answer,
      "runs.list": () => NO_ROWS,
      "intents.request": () => intent({ kind: "preview", state: "requested" }),
    },
  });
}

afterEach(() => act(closeDialog));

describe("the page of an object of a controller that this release does not know", () => {
  it("is shown although its open actions could not be read", async () => {
    show(() => ({ ...view(), unread: ["openIntents"] }));
    await screen.findByRole("heading", { level: 1, name: "shop" });
    expect(screen.getByText(/^The open actions could not be read/)).toBeDefined();
  });

  it("shows its state and reason, its controller, and links to its audit entries and last run", async () => {
    const { sent } = show(() => view());
    await screen.findByRole("heading", { level: 1, name: "shop" });
    expect(sent("objects.byName")).toEqual([{ cluster: "c-1", kind: "Namespace", name: "shop" }]);
    const diagnosis = screen.getByRole("button", { name: "Copy the diagnosis" }).parentElement;
    expect(diagnosis?.textContent).toContain("Its team is red");
    expect(screen.getByText("Namespace label")).toBeDefined();
    const link = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
    expect(link("14 min ago")).toBe("/c/c-1/runs/r-1");
    expect(link("What was changed, and by whom")).toBe("/c/c-1/audit?q=object%3Ashop");
    expect(await screen.findByText("No run of this namespace is kept")).toBeDefined();
  });

  it.each([
    ["Hold…", "Hold namespace shop", { kind: "hold" }],
    ["Dry run", "Dry run of namespace shop", { kind: "retry" }],
  ])(
    "asks its own controller what %s would do, by the object's uid",
    async (button, title, action) => {
      const { user, sent } = show(() => view());
      await user.click(await screen.findByRole("button", { name: button }));
      await screen.findByRole("dialog", { name: title });
      await vi.waitFor(() =>
        expect(sent("intents.request")[0]).toMatchObject({
          kind: "preview",
          controller: "namespace-label-controller",
          object: { kind: "Namespace", name: "shop", uid: "u-shop" },
          action,
        }),
      );
    },
  );

  it("offers what its controller declares for its kind, and a retry if it declares nothing", async () => {
    const { unmount } = show(() => view());
    await screen.findByRole("button", { name: "Hold…" });
    const named = ["Retry now", "Dry run", "Hold…", "Write all again…"];
    const offered = () =>
      screen
        .getAllByRole("button")
        .flatMap(({ textContent }) =>
          named.includes(textContent) || textContent === "Release…" ? [textContent] : [],
        );
    expect(offered()).toEqual(named);
    unmount();
    show(() => view(), { Secret: ["hold"] });
    await screen.findByRole("button", { name: "Retry now" });
    expect(offered()).toEqual(["Retry now", "Dry run"]);
  });

  it("offers to release a held one, and nothing for a deleted one", async () => {
    const reason: Reason = { code: "HeldByAnnotation", why: "migration" };
    const { unmount } = show(() => view({ state: "held", reason }));
    expect(await screen.findByRole("button", { name: "Release…" })).toBeDefined();
    expect(screen.queryByRole("button", { name: "Hold…" })).toBeNull();
    unmount();
    show(() => view({ state: "gone", reason: { code: "ObjectGone" } }, Date.now()));
    await screen.findByRole("heading", { level: 1, name: "shop" });
    expect(screen.queryByRole("button", { name: "Retry now" })).toBeNull();
  });

  it("says that an unreported one is unknown, and where to look", async () => {
    show(refusal("NOT_FOUND", "No controller has reported on Namespace shop here."));
    expect(await screen.findByText("No Namespace shop is known in this cluster")).toBeDefined();
    const runs = screen.getByRole("link", { name: "Look for its runs" });
    expect(runs.getAttribute("href")).toBe("/c/c-1/runs?q=key%3Ashop");
  });
});
