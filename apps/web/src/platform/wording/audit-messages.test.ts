import { expect, it } from "vitest";
import {
  actionLabel,
  actorName,
  evidenceText,
  happened,
  RESULT_PRESENTATION,
  resultPresentation,
} from "./audit-messages.ts";

it("an action is said in words, and one of a newer release by its own name", () => {
  expect(actionLabel("balancer.create")).toBe("Create load balancer");
  expect(actionLabel("cluster.paint")).toBe("cluster.paint");
  expect(actionLabel("constructor")).toBe("constructor");
});

it("what came of an object is in past words, else what was done to it", () => {
  expect(happened("node.initialise")).toBe("initialised");
  expect(happened("account.create")).toBe("add user");
});

it("a controller goes by its label, a replica by its short name, a user by theirs", () => {
  const name = "service-lb-controller";
  expect(actorName({ kind: "controller", id: name, name })).toBe("Load balancers");
  expect(actorName({ kind: "person", id: "u-1", name })).toBe(name);
  const replica = "ctl-7_0190aaaa-0000-7000-8000-000000000001";
  expect(actorName({ kind: "controller", id: replica, name: replica })).toBe("ctl-7 (0190)");
});

it("who did something is only as sure as its proof, and is not proven by an owner's login", () => {
  expect(evidenceText({ proof: "session", login: "cloudwright_web" })).toMatch(
    /^a live session.*\(database login cloudwright_web\)$/,
  );
  expect(evidenceText({ proof: "owner", login: "postgres" })).toMatch(/^nothing:/);
  expect(evidenceText({ proof: "none", login: "cloudwright_web" })).toMatch(/^nothing:/);
  expect(evidenceText(undefined)).toMatch(/^not recorded/);
});

it("a result that is not known is never shown as one that is well", () => {
  expect(resultPresentation("refused")).toBe(RESULT_PRESENTATION.refused);
  expect(resultPresentation("postponed")).toMatchObject({ label: "postponed", tone: "unknown" });
});
