// @vitest-environment happy-dom
import type { ClusterProcess, FleetFlag, FleetSettings } from "@cloudwright/store/views/fleet";
import { screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ANA, refusal, renderPage } from "../../../testing/render-page.tsx";
import { ComparePage } from "./compare-page.tsx";

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response('{"database":"ok"}')));
});
afterEach(() => vi.unstubAllGlobals());

function cluster(id: string, over: Partial<ClusterProcess> = {}): ClusterProcess {
  const process = { identity: `ctl-${id}`, leader: true };
  return {
    ...{ cluster: id, name: `prod-${id}`, provider: "sandbox", versions: ["1.2.0"], process },
    ...over,
  };
}

function flag(name: string, values: FleetFlag["values"]): FleetFlag {
  return { name, section: "Generic", initial: "500", help: `What ${name} does.`, values };
}

const SETTINGS: FleetSettings = {
  clusters: [
    cluster("a"),
    cluster("b"),
    cluster("c", { versions: ["1.1.0"] }),
    cluster("d", { process: undefined }),
  ],
  differing: [
    flag("kube-api-qps", [
      { value: "500", clusters: ["a", "b"] },
      { value: "50", clusters: ["c"] },
    ]),
    flag(
      "cluster-name",
      ["a", "b", "c"].map((id) => ({ value: `prod-${id}`, clusters: [id] })),
    ),
  ],
  same: 40,
};

function show(answer: () => unknown = () => SETTINGS) {
  return renderPage(<ComparePage viewer={ANA} />, {
    address: "/compare",
    answers: { "fleet.settings": answer },
  });
}

it("says how many differ, and which cluster runs a different version than most", async () => {
  show();
  await screen.findByText(
    "2 flags of 42 differ between 3 clusters, and 1 cluster runs a different version from most.",
  );
  const versions = within(screen.getByRole("region", { name: "Versions" }));
  expect(versions.getByRole("row", { name: /prod-c/ }).textContent).toContain("1.1.0 differs");
  expect(versions.getByRole("row", { name: /prod-a/ }).textContent).not.toContain("differs");
});

it("names for each flag the most common value and who differs from it", async () => {
  show();
  const flags = within(await screen.findByRole("region", { name: "Flags that differ" }));
  const row = flags.getByRole("row", { name: /--kube-api-qps/ });
  expect(within(row).getByText("50").closest("li")?.textContent).toContain("prod-c");
  expect(
    within(row).getByText("500", { selector: "li code" }).closest("li")?.textContent,
  ).toContain("prod-a, prod-b");
});

it("separates intended differences, and names the clusters it could not compare", async () => {
  show();
  expect(await screen.findByText("1 flag with a different value in each cluster")).toBeDefined();
  expect(screen.getByText(/Not compared.*prod-d/)).toBeDefined();
});

it("says that there is nothing to compare yet, not that nothing differs", async () => {
  show(() => ({ clusters: [cluster("a")], differing: [], same: 42 }));
  const flags = within(await screen.findByRole("region", { name: "Flags that differ" }));
  expect(flags.getByText(/^Flags are compared as soon as two clusters/)).toBeDefined();
  expect(flags.queryByText(/No flag differs/)).toBeNull();
});

it("says what to do if no cluster has reported", async () => {
  show(() => ({ clusters: [], differing: [], same: 0 }));
  expect(await screen.findByText("No cluster has reported yet")).toBeDefined();
  expect(screen.queryByRole("table")).toBeNull();
});

it("says why it could not be read", async () => {
  show(refusal("SERVICE_UNAVAILABLE", "The ledger is down."));
  expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
});
