// @vitest-environment happy-dom
import type { Reason } from "@cloudwright/core/model/reason";
import type { State } from "@cloudwright/core/model/state";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { auditEntry, auditPage } from "../../../testing/audit-entry.ts";
import { nodeFacts, nodeRow } from "../../../testing/node-detail.ts";
import { refusal, renderPage } from "../../../testing/render-page.tsx";
import { facts, Stale } from "../../../testing/stale.tsx";
import {
  addressOf,
  answersOf,
  fact,
  HELD,
  heading,
  inState,
  NOT_FOUND,
  show,
} from "../testing/node-page.tsx";
import { NodePage } from "./node-page.tsx";

const diagnosis = () =>
  screen.getByRole("button", { name: "Copy the diagnosis" }).parentElement?.textContent;

describe("the first things on a node's page", () => {
  it.each<[State, Reason, RegExp]>([
    ["stuck", NOT_FOUND, /^Node w-1 has been stuck for 14.min: No.instance/],
    [
      "unknown",
      {
        code: "ProviderTimedOut",
        provider: "sandbox",
        operation: "GET /v1/instances",
        afterMs: 10_000,
      },
      /could not be observed for 14.*did not answer GET \/v1\/instances/i,
    ],
    ["waiting", { code: "Uninitialised" }, /waiting.*waiting to be initialised/i],
    ["held", HELD, /held.*ben.*disk check/i],
    ["ok", { code: "InStep" }, /ok.*in sync with the cloud/i],
  ])("say of one that is %s that it is, and why", async (state, reason, sentence) => {
    show(inState(state, reason));
    await heading();
    expect(diagnosis()).toMatch(sentence);
  });

  it("say since when a deleted node is gone, and offer no actions", async () => {
    const deleted = () => auditPage([auditEntry(7, { action: "node.delete", runId: "r-870" })]);
    const gone = { ...inState("gone", { code: "ObjectGone" }), goneAt: Date.now() - 14 * 60_000 };
    show(gone, { answers: { "audit.list": deleted } });
    await heading();
    expect(await screen.findByRole("link", { name: "this run" })).toBeDefined();
    expect(screen.getByText(/Gone 14 min ago|Gone$/, { exact: false })).toBeDefined();
    for (const name of ["Retry now", "Hold…", "Dry run"])
      expect(screen.queryByRole("button", { name }), name).toBeNull();
  });

  it("are those from when the leader fell silent, and say so", async () => {
    renderPage(
      <Stale>
        <NodePage name="w-1" />
      </Stale>,
      { address: addressOf(undefined), answers: answersOf(inState("ok", { code: "InStep" })) },
    );
    await heading();
    expect(screen.getByText(/^Current state unknown; as of/)).toBeDefined();
  });

  it("do not mention staleness while all is well", async () => {
    renderPage(
      <Stale of={facts()}>
        <NodePage name="w-1" />
      </Stale>,
      { address: addressOf(undefined), answers: answersOf({}) },
    );
    await heading();
    expect(screen.queryByText(/Current state unknown/)).toBeNull();
  });

  it("say what is unknown, and never that it is nothing", async () => {
    show({
      row: nodeRow("w-1", { zone: undefined, instanceType: undefined }),
      createdAt: undefined,
    });
    await heading();
    for (const term of ["Ready", "Registered", "Kubelet", "Zone", "Type"])
      expect(fact(term), term).toBe("not known");
    expect(fact("Taints")).toBe("none");
  });

  it("name the owner of each taint", async () => {
    const key = "node.cloudprovider.kubernetes.io/uninitialized";
    show({ taints: [{ key, effect: "NoSchedule" }] });
    await heading();
    expect(fact("Taints")).toMatch(/uninitialized:NoSchedule.+/);
  });
});

describe("the timeline", () => {
  const done = { state: "done", tries: 1 } as const;

  it("shows each step with its run, and the total time beside the fleet's", async () => {
    const timeline = [
      { ...done, step: "registered" as const, startedAt: 0, endedAt: 0 },
      {
        ...done,
        step: "initialised" as const,
        startedAt: 700,
        endedAt: 800,
        runId: "0190-abcdefgh",
      },
    ];
    show({ timeline, fleet: { p50Ms: 100, p95Ms: 400, nodes: 1_000 } });
    expect(await screen.findByText(/^Initialised in 0\.8 s|^Initialised in 800 ms/)).toBeDefined();
    expect(screen.getByText(/Slower than 95.% of this fleet/)).toBeDefined();
    expect(screen.getByRole("link", { name: "run abcdefgh" }).getAttribute("href")).toBe(
      "/c/c-1/runs/0190-abcdefgh",
    );
  });

  it("says how often and why a step fails, and that the rest is still to come", async () => {
    const timeline = [
      {
        ...done,
        step: "registered" as const,
        startedAt: Date.now() - 14 * 60_000,
        endedAt: Date.now() - 14 * 60_000,
      },
      {
        step: "found" as const,
        state: "failed" as const,
        tries: 9,
        startedAt: Date.now() - 10 * 60_000,
        reason: NOT_FOUND,
      },
      { step: "initialised" as const, state: "pending" as const, tries: 0 },
    ];
    show({ timeline });
    expect(await screen.findByText(/^Not initialised yet, after 14.min/)).toBeDefined();
    expect(screen.getByText(/9 attempts/)).toBeDefined();
    expect(screen.getAllByText("not yet").length).toBeGreaterThan(0);
  });

  it("says that it has no comparison if other nodes' times could not be read", async () => {
    const timeline = [{ ...done, step: "registered" as const, startedAt: 0, endedAt: 0 }];
    show({ timeline, unread: ["fleet"] });
    expect(await screen.findByText("How long other nodes took could not be read.")).toBeDefined();
    expect(screen.getByRole("list", { name: "Steps of the initialisation" })).toBeDefined();
  });

  it("says that nothing is recorded, instead of showing an empty table", async () => {
    show({});
    expect(await screen.findByText("No initialisation is recorded")).toBeDefined();
  });
});

describe("the facts", () => {
  const cloud = nodeFacts({ zone: "b", instanceType: "m2", requestId: "7f3a9c10" });

  it("say by which rule the cloud's instance was found, and its state in the cloud's words", async () => {
    const explained = "found by its name; Nova says VERIFY_RESIZE";
    show({ cloud: nodeFacts({ explained }), node: nodeFacts(), wanted: cloud }, { tab: "facts" });
    const head = await screen.findByRole("columnheader", { name: /^Cloud says/ });
    expect(head.textContent).toContain(explained);
  });

  it("are only those that differ, until all are requested, which is kept in the address", async () => {
    const page = show({ cloud, node: nodeFacts(), wanted: cloud }, { tab: "facts" });
    expect(await screen.findByText(/^2 of \d+ facts differ\.$/)).toBeDefined();
    const shown = screen.getAllByRole("row").length;
    await page.user.click(screen.getByRole("button", { name: "Show all facts" }));
    expect(window.location.search).toBe("?tab=facts&all=1");
    expect(screen.getAllByRole("row").length).toBeGreaterThan(shown);
  });

  it("say where each value comes from and when, and mark the node's differing ones in words", async () => {
    show({ cloud, node: nodeFacts(), wanted: cloud }, { tab: "facts" });
    const head = await screen.findByRole("columnheader", { name: /^Cloud says/ });
    expect(head.textContent).toMatch(/14 min ago.*request.*7f3a9c10/);
    const row = screen.getByRole("row", { name: /^Zone \(differs\)/ });
    expect(
      within(row)
        .getAllByRole("cell")
        .map(({ textContent }) => textContent),
    ).toEqual(["b", "a", "b"]);
  });

  it("say so if all agree", async () => {
    const same = nodeFacts();
    show({ cloud: same, node: same, wanted: same }, { tab: "facts" });
    expect(await screen.findByText("The node has everything that it should have.")).toBeDefined();
  });

  it("that the cloud did not report are compared with nothing, and not called equal", async () => {
    show({ node: nodeFacts() }, { tab: "facts" });
    expect(
      await screen.findByText("Nothing is compared: the cloud's facts are not known."),
    ).toBeDefined();
    const [cloud, wanted] = ["Cloud says", "We want"].map((source) =>
      document.querySelector(`td[data-source="${source}"]`),
    );
    expect([cloud?.textContent, wanted?.textContent]).toEqual(["not known", "not known"]);
  });

  it("that are not known yet say when they will be", async () => {
    show({}, { tab: "facts" });
    expect(await screen.findByText("No facts are known yet")).toBeDefined();
  });
});

describe("a node that cannot be shown", () => {
  it("is unknown in this cluster, and links to all nodes and to its runs", async () => {
    show({}, { answers: { "nodes.byName": refusal("NOT_FOUND", "No such node.") } });
    expect(await screen.findByText("No node w-1 is known in this cluster")).toBeDefined();
    const runs = screen.getByRole("link", { name: "look for its runs" });
    expect(decodeURIComponent(runs.getAttribute("href") ?? "")).toContain("key:w-1");
  });

  it("shows its last record, which the audit log keeps for longer than the lists", async () => {
    const unknown = refusal("NOT_FOUND", "No such node.");
    const deleted = () => auditPage([auditEntry(7, { action: "node.delete" })]);
    show({}, { answers: { "nodes.byName": unknown, "audit.list": deleted } });
    expect(await screen.findByText("Delete node")).toBeDefined();
  });

  it("is shown although its open actions could not be read, and refetches them", async () => {
    const page = show({ unread: ["openIntents"] });
    await heading();
    expect(screen.getByText(/^The open actions could not be read/)).toBeDefined();
    expect(diagnosis()).toBeDefined();
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await expect.poll(() => page.sent("nodes.byName")).toHaveLength(2);
  });

  it("says why it could not be read, and is refetched by a key", async () => {
    const answers = { "nodes.byName": refusal("SERVICE_UNAVAILABLE", "The ledger is down.") };
    const page = show({}, { answers });
    expect((await screen.findByRole("alert")).textContent).toContain("The ledger is down.");
    expect(screen.queryByText(/is known in this cluster/)).toBeNull();
    await page.user.keyboard("r");
    await expect.poll(() => page.sent("nodes.byName")).toHaveLength(2);
  });
});
