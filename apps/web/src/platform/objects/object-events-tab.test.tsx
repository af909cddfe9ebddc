// @vitest-environment happy-dom
import type { EventWatch } from "@cloudwright/core/model/records/object-event";
import type { ObjectEventRow } from "@cloudwright/store/views/object-events";
import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { urlCodec } from "../../components/url/url-codec.ts";
import { useUrlState } from "../../components/url/use-url-state.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { ObjectEventsTab } from "./object-events-tab.tsx";
import { OBJECT_EVENT_PARAMS, type ObjectEventsView } from "./object-events-url.ts";

const AT = Date.now() - 60_000;
const WATCHING: EventWatch = { state: "watching", leftOut: 0 };

function event(over: Partial<ObjectEventRow> = {}): ObjectEventRow {
  return {
    ...{ id: "e-1", at: AT, firstAt: AT - 60_000, count: 3, type: "Warning" },
    ...{ reason: "NodeNotReady", message: "The kubelet has stopped", component: "node-controller" },
    object: { kind: "Node", name: "w-1" },
    run: undefined,
    ...over,
  };
}

const OURS = event({
  ...{ id: "r-1 1", count: 1, type: "Normal", reason: "Synced", message: "It was initialised" },
  ...{ component: "cloud-node-controller" },
  run: { id: "r-1", controller: "cloud-node-controller" },
});

const url = urlCodec<ObjectEventsView>(OBJECT_EVENT_PARAMS);

function Tab({ kind }: { readonly kind: string }) {
  const { view, push, replace } = useUrlState(url);
  return <ObjectEventsTab kind={kind} name="w-1" {...{ view, push, replace }} />;
}

interface Shown {
  readonly rows?: readonly ObjectEventRow[];
  readonly watch?: EventWatch | undefined;
  readonly kind?: string;
  readonly query?: string;
}

function show({ rows = [], kind = "Node", query = "", ...given }: Shown) {
  const watch = "watch" in given ? given.watch : WATCHING;
  const total = { kind: "exact", count: rows.length };
  return renderPage(<Tab kind={kind} />, {
    address: `/c/c-1/nodes/w-1${query}`,
    answers: { "events.ofObject": () => ({ rows, nextCursor: undefined, total, watch }) },
  });
}

describe("the Events of an object", () => {
  it("are rows that say who sent them, ours with a link to their run", async () => {
    const { sent } = show({ rows: [event(), OURS] });
    const row = within(await screen.findByRole("row", { name: /NodeNotReady/ }));
    expect(row.getByText("node-controller")).toBeDefined();
    expect(row.getByText("Warning")).toBeDefined();
    expect(row.getByText("3")).toBeDefined();
    const link = screen.getByRole("link", { name: /^Cloudwright, / });
    expect(link.getAttribute("href")).toBe("/c/c-1/runs/r-1");
    expect(sent("events.ofObject")[0]).toMatchObject({
      cluster: "c-1",
      filter: { kind: "Node", name: "w-1" },
      sort: { by: "at", descending: true },
    });
  });

  it("are filtered by type, and by the address", async () => {
    const { user, sent } = show({ rows: [event()], query: "?event=kubelet" });
    await user.click(await screen.findByRole("button", { name: "Warning" }));
    await vi.waitFor(() =>
      expect(sent("events.ofObject").at(-1)).toMatchObject({
        filter: { eventTypes: ["Warning"], text: "kubelet" },
      }),
    );
    expect(window.location.search).toContain("type=Warning");
  });

  it.each<readonly [string, Shown, RegExp]>([
    ["none was sent", {}, /Neither Cloudwright nor any other component/],
    ["they are not asked for", { watch: { state: "off", leftOut: 0 } }, /with --watch-events/],
    ["an earlier release leads", { watch: undefined }, /with --watch-events/],
    ["the right is missing", { watch: { state: "denied", leftOut: 0 } }, /may not read them/],
    ["the kind is not watched", { kind: "Namespace" }, /volumes and claims only/],
  ])("are none and say why, where %s", async (_, shown, why) => {
    show(shown);
    const title = await screen.findByText("There are no Events for it");
    expect(title.parentElement?.textContent).toMatch(why);
  });

  it("say how many were left out", async () => {
    show({ rows: [event()], watch: { state: "watching", leftOut: 12 } });
    expect(await screen.findByText(/12 Events of other components were left out/)).toBeDefined();
  });
});
