// @vitest-environment happy-dom
import type { VolumeRow } from "@cloudwright/store/views/volumes";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { cluster, controller, instance, NO_STATES } from "../../testing/cluster-view.ts";
import { type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { VolumesPage } from "./volumes-page.tsx";

const STATES = { ...NO_STATES, ok: 1, stuck: 1 };

function volume(name: string, over: Partial<VolumeRow> = {}): VolumeRow {
  return {
    ...{ name, uid: `u-${name}`, state: "ok", controller: "volume-label-controller" },
    ...{ reason: { code: "VolumeInStep", id: `vol-${name}` }, since: Date.now() - 14 * 60_000 },
    ...{ drift: "inStep", failures: 0, nextAt: undefined, updatedAt: Date.now() },
    lastRun: { id: "r-1", outcome: "unchanged", at: Date.now() },
    detail: {
      ...{ kind: "volume", volumeId: `vol-${name}`, claim: "shop/data", affinity: "set" },
      labels: { wanted: { zone: "z1" }, has: { zone: "z1" } },
      sizeGiB: { cloud: 10, volume: 10 },
    },
    ...over,
  } as VolumeRow;
}

interface Shown {
  readonly query?: string;
  readonly rows?: readonly VolumeRow[];
  readonly isOff?: boolean;
  readonly states?: typeof STATES;
  readonly answers?: Answers;
}

function show({
  query = "",
  rows = [volume("pv-1")],
  isOff = false,
  states = STATES,
  answers = {},
}: Shown = {}) {
  const name = isOff ? "cloud-node-controller" : "volume-label-controller";
  const leader = instance({ controllers: [controller(name)] });
  const counts = { states, drifted: 0 };
  return renderPage(<VolumesPage />, {
    address: `/c/c-1/volumes${query}`,
    answers: {
      "clusters.byId": () => cluster({ leader, volumes: counts }),
      "volumes.list": () => ({
        ...{ rows, nextCursor: undefined, counts, facets: {} },
        total: { kind: "exact", count: rows.length },
      }),
      "volumes.byName": (input) => ({
        row: volume((input as { name: string }).name),
        ...{ goneAt: undefined, openIntents: [] },
      }),
      ...answers,
    },
  });
}

describe("the list of volumes", () => {
  it("requests what its address says, and shows the rows", async () => {
    const page = show({ query: "?q=pv&state=stuck" });
    expect(await screen.findByText("pv-1")).toBeDefined();
    expect(page.sent("volumes.list")).toMatchObject([
      { filter: { text: "pv", states: ["stuck"] } },
    ]);
  });

  it("shows beside it where the disk is, and what its labels say", async () => {
    show({ query: "?peek=pv-1" });
    const panel = within(await screen.findByRole("complementary", { name: /pv-1/ }));
    expect((await panel.findByText("Disk")).nextElementSibling?.textContent).toMatch(/^vol-pv-1/);
    expect(panel.getByText("Claim").nextElementSibling?.textContent).toBe("shop/data");
    expect(panel.getByText("Cloud checked").nextElementSibling?.textContent).toBe("not yet");
    expect(panel.getByRole("button", { name: "Retry now" })).toBeDefined();
  });

  it("shows a volume although its open actions could not be read", async () => {
    const known = { row: volume("pv-1"), openIntents: [], unread: ["openIntents"] };
    show({ query: "?peek=pv-1", answers: { "volumes.byName": () => known } });
    const panel = within(await screen.findByRole("complementary", { name: /pv-1/ }));
    expect(await panel.findByText(/^The open actions could not be read/)).toBeDefined();
    expect(panel.getByText("Disk")).toBeDefined();
  });

  it("offers no actions for a deleted volume", async () => {
    const gone = { row: volume("pv-1", { state: "gone" }), goneAt: Date.now(), openIntents: [] };
    show({ query: "?peek=pv-1", answers: { "volumes.byName": () => gone } });
    const panel = within(await screen.findByRole("complementary", { name: /pv-1/ }));
    await panel.findByText("Disk");
    expect(panel.queryByRole("button", { name: "Retry now" })).toBeNull();
  });

  it("says that there are none yet, or why it could not be read", async () => {
    show({ rows: [] });
    expect(await screen.findByText("No volume yet")).toBeDefined();
  });

  it("says why it could not be read", async () => {
    show({ answers: { "volumes.list": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") } });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(screen.queryByText("No volume yet")).toBeNull();
  });
});

describe("if the volume controller does not run", () => {
  it("it says how to run it, if there is no volume of ours", async () => {
    show({ isOff: true, states: NO_STATES });
    expect(await screen.findByText("--controllers=*,volume-label-controller")).toBeDefined();
  });

  it("it still lists what is known, and says that nobody checks it any more", async () => {
    show({ isOff: true });
    expect(await screen.findByText("pv-1")).toBeDefined();
    expect(screen.getByText(/volume controller/)).toBeDefined();
  });
});
