// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { cluster, controller, instance } from "../../testing/cluster-view.ts";
import { ANA, type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { ControllersSection } from "./controllers-section.tsx";

const PAUSED = { by: "Ben", why: "disk work", until: Date.now() + 600_000 };
const NODES = controller("cloud-node-controller", { queueDepth: 7 });
const ROUTES = controller("node-route-controller", { paused: PAUSED });
const LEADER = instance({ controllers: [NODES, ROUTES] });
const PROD = cluster({ leader: LEADER, instances: [LEADER] });

function show(answers: Answers = {}, role: "viewer" | "admin" = "admin") {
  return renderPage(<ControllersSection cluster="c-1" />, {
    viewer: { ...ANA, role },
    answers: {
      "clusters.list": () => [PROD],
      "clusters.byId": () => PROD,
      "people.admins": () => ["Cleo"],
      ...answers,
    },
  });
}

const lineOf = async (name: RegExp) => {
  const list = within(await screen.findByRole("list", { name: "Controllers" }));
  const line = list.getAllByRole("listitem").find(({ textContent }) => name.test(textContent));
  if (line === undefined) throw new Error(`There is no line of ${name}.`);
  return within(line);
};

describe("the controllers of a cluster", () => {
  it("are listed with how many keys wait, and can be paused", async () => {
    show();
    const line = await lineOf(/cloud-node-controller/);
    expect(line.getByText("Running")).toBeDefined();
    expect(line.getByText("7 queued")).toBeDefined();
    const pause = line.getByRole("button", { name: /^Pause…/ });
    expect(pause.getAttribute("aria-disabled")).toBeNull();
    expect(line.queryByRole("button", { name: /^Resume/ })).toBeNull();
  });

  it("say who paused one and why, and offer to extend and to end the pause", async () => {
    show();
    const line = await lineOf(/node-route-controller/);
    expect(line.getByText(/by Ben.*“disk work”/)).toBeDefined();
    expect(line.getByRole("button", { name: /^Extend…/ })).toBeDefined();
    expect(line.getByRole("button", { name: /^Resume/ })).toBeDefined();
    expect(line.queryByRole("button", { name: /^Pause…/ })).toBeNull();
  });

  it("have no table of processes if none has reported", async () => {
    show({ "clusters.list": () => [cluster({ leader: undefined, instances: [] })] });
    expect(await screen.findByText("No process has reported within the last hour.")).toBeDefined();
    expect(screen.queryByRole("table")).toBeNull();
  });

  it("cannot be paused by a viewer, who learns whom to ask", async () => {
    show({}, "viewer");
    const line = await lineOf(/cloud-node-controller/);
    const description = () =>
      line.getByRole("button", { name: /^Pause…/ }).getAttribute("aria-description");
    await expect.poll(description).toBe("Needs role admin. You are viewer. Admins: Cleo.");
  });

  it("cannot be paused in a dry run, which is said once above them", async () => {
    const dry = instance({ dryRun: true });
    show({ "clusters.list": () => [cluster({ leader: dry, instances: [dry] })] });
    const sentence = "This controller is in dry run: it can be neither paused nor resumed.";
    expect(await screen.findByText(sentence)).toBeDefined();
    const pause = screen.getByRole("button", { name: /^Pause…/ });
    expect(pause.getAttribute("aria-description")).toBe(sentence);
  });

  it("cannot be paused if the leader may not store pauses: the button says why", async () => {
    const controls = { pauses: [], unavailable: "It may not write its ConfigMap." };
    const leader = instance({ controls });
    show({ "clusters.list": () => [cluster({ leader, instances: [leader] })] });
    const pause = await screen.findByRole("button", { name: /^Pause…/ });
    expect(pause.getAttribute("aria-description")).toBe(controls.unavailable);
  });

  it("are replaced by a note if there is no leader", async () => {
    const standby = instance({ leader: false });
    show({ "clusters.list": () => [cluster({ leader: undefined, instances: [standby] })] });
    expect(await screen.findByText(/^No controller leads/)).toBeDefined();
    expect(screen.queryByRole("button", { name: /^Pause…/ })).toBeNull();
    expect(screen.getByRole("cell", { name: "stands by" })).toBeDefined();
  });
});

describe("a cluster with a silent leader", () => {
  const heardAt = Date.now() - 14 * 60_000;
  const silent = instance({ heardAt, controllers: [NODES] });
  const view = cluster({ lastHeardAt: heardAt, leader: silent, instances: [silent] });
  const silentCluster = { "clusters.list": () => [view], "clusters.byId": () => view };

  it("says since when its state is unknown, not that its controllers run", async () => {
    show(silentCluster);
    const line = await lineOf(/cloud-node-controller/);
    expect(line.getByText(/last known/)).toBeDefined();
    expect(screen.getByRole("region", { name: "prod" }).textContent).toMatch(
      /Current state unknown/,
    );
  });

  it("does not affect another cluster whose leader reports", async () => {
    const other = cluster({ id: "c-2", name: "test", leader: LEADER, instances: [LEADER] });
    show({ ...silentCluster, "clusters.list": () => [view, other] });
    const region = within(await screen.findByRole("region", { name: "test" }));
    expect(region.getByText("Running")).toBeDefined();
    expect(region.queryByText(/last known/)).toBeNull();
  });
});

describe("the processes of a cluster", () => {
  const processes = async () => {
    const table = within(await screen.findByRole("table", { name: "Processes of the last hour" }));
    return table
      .getAllByRole("row")
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole("cell")
          .map(({ textContent }) => textContent),
      );
  };

  it("show which leads, stands by or runs dry, and what each has not recorded yet", async () => {
    const instances = [
      instance({ spoolBytes: 0 }),
      instance({ identity: "ctl-2_b", leader: false, spoolBytes: 1_500 }),
      instance({ identity: "ctl-3_c", dryRun: true, spoolBytes: 3_670_016 }),
    ];
    show({ "clusters.list": () => [cluster({ instances })] });
    const rows = await processes();
    expect(rows.map(([part]) => part)).toEqual(["leads", "stands by", "leads, dry run"]);
    expect(rows.map((cells) => cells.at(-1))).toEqual(["nothing", "2 KiB", "3.5 MiB"]);
    expect(rows.map(([, version]) => version)).toEqual(["1.2.3", "1.2.3", "1.2.3"]);
  });

  it("show how much waits on disk in a suitable unit", async () => {
    const bytes = [1, 1_024, 1_047_553, 1_048_576];
    const instances = bytes.map((spoolBytes, at) =>
      instance({ identity: `ctl-${at}`, spoolBytes }),
    );
    show({ "clusters.list": () => [cluster({ instances })] });
    const rows = await processes();
    expect(rows.map((cells) => cells.at(-1))).toEqual(["1 KiB", "1 KiB", "1.0 MiB", "1.0 MiB"]);
  });

  it("show the frame's cluster before the others", async () => {
    const other = cluster({ id: "c-0", name: "aardvark" });
    show({ "clusters.list": () => [other, PROD] });
    await screen.findByText("aardvark");
    const names = screen
      .getAllByRole("heading", { level: 2 })
      .map(({ textContent }) => textContent);
    expect(names).toEqual(["prod", "aardvark"]);
  });
});

describe("without clusters", () => {
  it("it says when one will appear", async () => {
    show({ "clusters.list": () => [] });
    expect(await screen.findByText("No cluster has reported yet")).toBeDefined();
  });

  it("it says why they could not be read, and refetches them on demand", async () => {
    const page = show({ "clusters.list": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("clusters.list")).toHaveLength(2);
  });
});
