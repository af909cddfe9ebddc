// @vitest-environment happy-dom
import type { ProcessSettings } from "@cloudwright/store/views/controllers";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { cluster, instance } from "../../testing/cluster-view.ts";
import { type Answers, refusal, renderPage } from "../../testing/render-page.tsx";
import { FlagsSection } from "./flags-section.tsx";

type Flag = ProcessSettings["flags"][number];

function flag(name: string, over: Partial<Flag> = {}): Flag {
  return {
    ...{ name, section: "Generic", value: "1", initial: "1", source: "default" as const },
    ...{ isSecret: false, help: `What ${name} is.` },
    ...over,
  };
}

function process(identity: string, flags: readonly Flag[], over: Partial<ProcessSettings> = {}) {
  return { identity, at: Date.now() - 14 * 60_000, leader: true, dryRun: false, flags, ...over };
}

const QPS = flag("kube-api-qps", { value: "20", initial: "500", source: "flag" });
const TOKEN = flag("token", {
  value: "set",
  initial: "not set",
  source: "environment",
  isSecret: true,
});
const PLAIN = flag("provider-path");

function show(processes: readonly ProcessSettings[], answers: Answers = {}) {
  return renderPage(<FlagsSection cluster="c-1" />, {
    answers: {
      "clusters.list": () => [cluster()],
      "controllers.settings": () => processes,
      ...answers,
    },
  });
}

const rowOf = async (name: string) =>
  within(await screen.findByRole("row", { name: new RegExp(`--${name} `) }));

describe("the flags of a cluster", () => {
  it("list set ones first, with value, default and source", async () => {
    show([process("ctl-1", [PLAIN, QPS, TOKEN])]);
    const set = await screen.findByRole("table", { name: "Set: 2 flags" });
    const rows = within(set).getAllByRole("row").slice(1);
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      "--kube-api-qps20500FlagWhat kube-api-qps is.To change it, set --kube-api-qps=20 and restart.",
      "--tokensetnot setEnvironmentWhat token is.To change it, set --token=… and restart.",
    ]);
    expect(screen.getByText("1 flag at the default")).toBeDefined();
  });

  it("say in words that a value is empty", async () => {
    show([process("ctl-1", [{ ...QPS, initial: "" }])]);
    const row = await rowOf("kube-api-qps");
    expect(row.getAllByRole("cell").map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(["20", "empty"]),
    );
  });

  it("name the process that runs with a different value than the leader", async () => {
    show([
      process("ctl-1_aa", [QPS]),
      process("ctl-2_bb", [{ ...QPS, value: "90" }], { leader: false }),
    ]);
    const row = await rowOf("kube-api-qps");
    expect(row.getByText("20")).toBeDefined();
    expect(row.getByText("90").closest("td")?.textContent).toMatch(/ctl-2.*: 90/);
  });

  it("count as set as soon as two processes differ, even if the leader has the default", async () => {
    const other = { ...PLAIN, value: "/plugins", source: "flag" as const };
    show([process("ctl-1_aa", [PLAIN]), process("ctl-2_bb", [other], { leader: false })]);
    expect(await screen.findByRole("table", { name: "Set: 1 flag" })).toBeDefined();
  });

  it("say why one has no effect", async () => {
    show([process("ctl-1", [{ ...QPS, idle: "the provider has no routes" }])]);
    const row = await rowOf("kube-api-qps");
    expect(row.getByText(/No effect: the provider has no routes\./)).toBeDefined();
    expect(row.queryByText(/^To change it/)).toBeNull();
  });

  it("that can change without a restart say so, and what a user has set instead", async () => {
    const override = { value: "20s", by: "Ben", why: "INC-88", at: 1, intentId: "i-1" };
    const leader = instance({
      controls: {
        pauses: [],
        settings: [
          { setting: "node-monitor-period", flag: "5s", override },
          { setting: "volume-drift-period", flag: "5m0s" },
        ],
      },
    });
    const flags = [
      flag("node-monitor-period", { value: "5s", source: "flag" }),
      flag("volume-drift-period", { value: "5m0s", source: "flag" }),
    ];
    show([process("ctl-1", flags)], { "clusters.list": () => [cluster({ leader })] });
    const changed = await rowOf("node-monitor-period");
    expect(changed.getByText(/^Ben has set/).textContent).toBe("Ben has set 20s");
    expect((await rowOf("volume-drift-period")).getByText(/without a restart/)).toBeDefined();
    expect(screen.queryByText(/^To change it/)).toBeNull();
    const link = screen.getByRole("link", { name: "below the controllers" });
    expect(link.getAttribute("href")).toBe("/settings/controllers");
  });

  it("say so if all are at their default", async () => {
    show([process("ctl-1", [PLAIN])]);
    expect(await screen.findByText("Every flag has its default value.")).toBeDefined();
    expect(screen.queryByRole("table", { name: /^Set:/ })).toBeNull();
  });

  it("say which process they belong to: one that leads, or one that stands by", async () => {
    show([process("ctl-1_aa", [PLAIN], { leader: false })]);
    expect((await screen.findByText(/^As used by the standby/)).textContent).toMatch(
      /ctl-1.*14 min ago/,
    );
  });

  it("say so if no process has reported any", async () => {
    show([]);
    expect(await screen.findByText(/^No process has reported its flags/)).toBeDefined();
  });
});

describe("flags that cannot be read", () => {
  it("of one cluster do not affect those of the other", async () => {
    show([], {
      "clusters.list": () => [cluster(), cluster({ id: "c-2", name: "test" })],
      "controllers.settings": (input) => {
        if ((input as { cluster: string }).cluster === "c-1")
          refusal("INTERNAL_SERVER_ERROR", "It failed.")();
        return [process("ctl-9", [QPS])];
      },
    });
    expect((await screen.findByRole("alert")).textContent).toContain("It failed.");
    expect(await screen.findByRole("table", { name: "Set: 1 flag" })).toBeDefined();
  });

  it("are announced for the first controller's start if there is no cluster", async () => {
    show([], { "clusters.list": () => [] });
    expect(await screen.findByText("No cluster has reported yet")).toBeDefined();
  });
});
