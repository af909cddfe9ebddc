// @vitest-environment happy-dom
import type { NodeLoadBalancers } from "@cloudwright/store/views/load-balancers";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { controllerState, nodeDetail, nodeFacts, nodeRow } from "../../../testing/node-detail.ts";
import { ANA, type Answers, refusal, renderPage } from "../../../testing/render-page.tsx";
import { runDetail, runEnd, runRow, runStep } from "../../../testing/run-detail.ts";
import { CompareTab, NodeConsequences } from "./node-late.tsx";

const NONE: NodeLoadBalancers = { balancers: [], behind: 0, total: 0 };
const STUCK = nodeDetail({
  controllers: [controllerState({ outcome: "failed", state: "stuck", runId: "r-9" })],
  ready: { status: "False", since: undefined },
});

function show(part: React.ReactElement, answers: Answers) {
  return renderPage(part, {
    viewer: { ...ANA, role: "viewer" },
    address: "/c/c-1/nodes/w-1",
    answers: { "balancers.ofNode": () => NONE, ...answers },
  });
}

describe("below the page of an unhealthy node", () => {
  const row = runRow({ id: "r-9", outcome: "failed" });
  const call = {
    ...{ operation: "POST /v1/ports", status: 403, error: "QuotaExceeded" },
    ...{ requestId: "7f3a9c10-aaaa", body: { message: "Quota exceeded for ports" } },
  };
  const run = runDetail({ row, end: runEnd(row, [], { steps: [runStep(call)] }) });

  it("is the last failed call, with status, code, message, request and its run", async () => {
    show(<NodeConsequences node={STUCK} />, { "runs.byId": () => run });
    const card = within(await screen.findByRole("region", { name: "Last failed call" }));
    const text = (term: string) =>
      card.getByText(term, { selector: "dt" }).nextElementSibling?.textContent;
    expect(text("Call")).toBe("POST /v1/ports");
    expect(text("Status")).toBe("403");
    expect(text("Error")).toBe("QuotaExceeded");
    expect(text("Message")).toBe("Quota exceeded for ports");
    expect(card.getByRole("link", { name: /^Request 7f3a9c10/ })).toBeDefined();
    expect(card.getByRole("link", { name: /^Its run/ }).getAttribute("href")).toBe(
      "/c/c-1/runs/r-9",
    );
  });

  it("is what waits for it, with links", async () => {
    const verdict = { node: "w-1", verdict: "out", why: "withoutProviderID" } as const;
    const balancer = { service: "shop/web", state: "ok", addresses: [], verdict } as const;
    show(<NodeConsequences node={STUCK} />, {
      "runs.byId": refusal("NOT_FOUND", "It is gone."),
      "balancers.ofNode": () => ({ ...NONE, balancers: [balancer], total: 1 }),
    });
    const card = within(
      await screen.findByRole("region", { name: "What is waiting for this node" }),
    );
    expect(card.getByText("Ready is False")).toBeDefined();
    const link = await card.findByRole("link", { name: "shop/web" });
    expect(link.getAttribute("href")).toBe("/c/c-1/load-balancers/shop/web?tab=members");
    expect(screen.queryByRole("region", { name: "Last failed call" })).toBeNull();
  });

  it("is nothing for a healthy or deleted node, and no run is requested", async () => {
    const page = show(<NodeConsequences node={nodeDetail()} />, {});
    await expect.poll(() => page.sent("balancers.ofNode")).toHaveLength(1);
    expect(screen.queryByRole("region")).toBeNull();
    expect(page.sent("runs.byId")).toEqual([]);
  });
});

describe("a healthy node of the same type", () => {
  const peer = nodeDetail({ row: nodeRow("w-2"), ready: { status: "True", since: undefined } });

  const none = { peer: undefined, onPeer: () => undefined };

  it("is shown beside this one, differences first", async () => {
    const page = show(<CompareTab node={STUCK} {...none} />, {
      "nodes.list": () => ({ rows: [nodeRow("w-1"), nodeRow("w-2")] }),
      "nodes.byName": () => peer,
    });
    const table = await screen.findByRole("table", { name: "Facts of w-1 and of w-2" });
    const [, first] = within(table).getAllByRole("row");
    expect(first?.textContent).toBe("Ready (differs)FalseTrue");
    expect(page.sent("nodes.list")).toMatchObject([{ filter: { states: ["ok"], types: ["m1"] } }]);
    expect(page.sent("nodes.byName")).toEqual([{ cluster: "c-1", name: "w-2" }]);
  });

  it("is picked once and then stays, whatever its state, until another one is chosen", async () => {
    const taken: (readonly [string, boolean])[] = [];
    const onPeer = (name: string, isChosen: boolean) => taken.push([name, isChosen]);
    const answers: Answers = {
      "nodes.list": () => ({ rows: [nodeRow("w-2"), nodeRow("w-3")] }),
      "nodes.byName": (input) => {
        const { name } = input as { readonly name: string };
        return nodeDetail({ row: nodeRow(name, { state: name === "w-9" ? "stuck" : "ok" }) });
      },
    };
    const first = show(<CompareTab node={STUCK} peer={undefined} onPeer={onPeer} />, answers);
    await expect.poll(() => taken).toEqual([["w-2", false]]);
    first.unmount();
    const page = show(<CompareTab node={STUCK} peer="w-9" onPeer={onPeer} />, answers);
    await screen.findByRole("table", { name: "Facts of w-1 and of w-9" });
    expect(screen.queryByText(/which is OK/)).toBeNull();
    await page.user.selectOptions(screen.getByRole("combobox", { name: "Compare with" }), "w-3");
    expect(taken).toEqual([
      ["w-2", false],
      ["w-3", true],
    ]);
  });

  it("may be missing, or not known to be of that type", async () => {
    show(<CompareTab node={STUCK} {...none} />, {
      "nodes.list": () => ({ rows: [nodeRow("w-1")] }),
    });
    expect(await screen.findByText("No other node of type m1 is OK")).toBeDefined();
    const row = nodeRow("w-1", { instanceType: undefined });
    show(<CompareTab node={nodeDetail({ row, node: nodeFacts() })} {...none} />, {});
    expect(await screen.findByText("The type of this node is not known")).toBeDefined();
  });
});
