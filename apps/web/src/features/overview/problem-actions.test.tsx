// @vitest-environment happy-dom
import type { Problem, ProblemMember } from "@cloudwright/store/views/overview";
import { act, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { ActionDialogs } from "../../platform/actions/dialog/action-dialogs.tsx";
import { closeDialog } from "../../platform/actions/dialog-store.ts";
import { cluster } from "../../testing/cluster-view.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { ProblemActions } from "./problem-actions.tsx";

function member(name: string, controller: ProblemMember["controller"]): ProblemMember {
  const reason = { code: "InStep" } as const;
  return { name, uid: `u-${name}`, controller, reason, since: 0, nextAt: undefined };
}

function problem(of: Problem["of"], members: readonly ProblemMember[], count = 0): Problem {
  return {
    ...{ id: "p-1", kind: "stuck", of, code: "ProviderUnavailable", since: 0 },
    ...{ count: Math.max(count, members.length), members },
  };
}

function show(shown: Problem) {
  return renderPage(
    <>
      <ProblemActions problem={shown} isShared={false} />
      <ActionDialogs />
    </>,
    { address: "/c/c-1", answers: { "clusters.byId": () => cluster() } },
  );
}

const href = () => screen.getByRole("link").getAttribute("href");

afterEach(() => act(closeDialog));

describe("what is shared about a problem", () => {
  it.each<[string, readonly string[], object]>([
    ["a single object", ["w-1"], { kind: "object", of: "Node", name: "w-1" }],
    ["several with one cause", ["w-1", "w-2"], { kind: "problem", id: "p-1" }],
  ])("is %s", async (_, names, about) => {
    const page = show(
      problem(
        "Node",
        names.map((name) => member(name, "cloud-node-controller")),
      ),
    );
    await page.user.click(screen.getByRole("button", { name: /^Share what you see of / }));
    await page.user.click(await screen.findByRole("button", { name: "Freeze and get the link" }));
    expect(page.sent("incidents.share")).toEqual([{ cluster: "c-1", about, title: undefined }]);
  });
});

describe("the link to the objects with a problem", () => {
  it.each<[Problem["of"], string, string]>([
    ["Node", "w-1", "/c/c-1/nodes/w-1"],
    ["Service", "shop/web", "/c/c-1/load-balancers/shop/web"],
  ])("is the page of a single %s", (of, name, address) => {
    show(problem(of, [member(name, "cloud-node-controller")]));
    expect(href()).toBe(address);
    expect(screen.getByRole("link", { name: `Open ${name}` })).toBeDefined();
  });

  it.each<[Problem["of"], string]>([
    ["Node", "/c/c-1/nodes?state=stuck&reason=ProviderUnavailable"],
    ["Service", "/c/c-1/load-balancers?state=stuck&reason=ProviderUnavailable"],
    ["LoadBalancer", "/c/c-1/load-balancers?view=orphans"],
    ["Route", "/c/c-1/routes?show=stale"],
    ["RouteTable", "/c/c-1/routes"],
    ["PersistentVolume", "/c/c-1/volumes?state=stuck&reason=ProviderUnavailable"],
  ])("is the list that shows them for several of kind %s", (of, address) => {
    const members = ["a/1", "a/2"].map((name) => member(name, "cloud-node-controller"));
    show(problem(of, members));
    expect(href()).toBe(address);
    expect(screen.getByRole("link").textContent).toBe("Open all 2");
  });
});

describe("the actions on a problem", () => {
  it.each<[Problem["of"], ProblemMember["controller"]]>([
    ["Node", "cloud-node-controller"],
    ["Service", "service-lb-controller"],
    ["Route", "node-route-controller"],
    ["PersistentVolume", "volume-label-controller"],
  ])("retry a single %s", (of, controller) => {
    show(problem(of, [member("a/1", controller)]));
    expect(screen.getByRole("button", { name: "Retry now" })).toBeDefined();
  });

  it.each<Problem["of"]>(["LoadBalancer", "RouteTable"])(
    "are none for a %s, which nobody can retry",
    (of) => {
      show(problem(of, [member("lb-9", "service-lb-controller")]));
      expect(screen.queryByRole("button", { name: /^(Retry|Release)/ })).toBeNull();
      expect(screen.getByRole("link")).toBeDefined();
    },
  );

  it("retry all named objects, and no others", async () => {
    const members = ["w-1", "w-2"].map((name) => member(name, "cloud-node-controller"));
    const page = show(problem("Node", members, 40));
    await page.user.click(screen.getByRole("button", { name: "Retry oldest 2…" }));
    await screen.findByRole("dialog");
    const previewed = () => JSON.stringify(page.calls.map(({ input }) => input));
    await expect.poll(previewed).toContain("u-w-1");
    expect(previewed()).toContain("u-w-2");
  });

  it("count them all if all are named", () => {
    const members = ["w-1", "w-2"].map((name) => member(name, "cloud-node-controller"));
    show(problem("Node", members));
    expect(screen.getByRole("button", { name: "Retry 2…" })).toBeDefined();
  });

  it("are neither retry nor release once the guard no longer holds anything", () => {
    show({ ...problem("Node", [member("w-1", "cloud-node-controller")]), kind: "held" });
    expect(screen.queryByRole("button", { name: /^(Retry|Release)/ })).toBeNull();
  });
});
