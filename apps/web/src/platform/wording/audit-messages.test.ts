import { expect, it } from "vitest";
import {
  actionLabel,
  actorName,
  evidenceText,
  happened,
  RESULT_PRESENTATION,
  resultPresentation,
} from "./audit-messages.ts";

it("an action is worded, and one of a newer release has its own name", () => {
  expect(actionLabel("balancer.create")).toBe("Create load balancer");
  expect(actionLabel("cluster.paint")).toBe("cluster.paint");
  expect(actionLabel("constructor")).toBe("constructor");
});

it("an object's outcome is in the past tense, otherwise it says what was done", () => {
  expect(happened("node.initialise")).toBe("initialised");
  expect(happened("account.create")).toBe("add user");
});

it("a controller has its label, a replica its short name, a user their own", () => {
  const name = "service-lb-controller";
  expect(actorName({ kind: "controller", id: name, name })).toBe("Load balancers");
  expect(actorName({ kind: "person", id: "u-1", name })).toBe(name);
  const replica = "ctl-7_0190aaaa-0000-7000-8000-000000000001";
  expect(actorName({ kind: "controller", id: replica, name: replica })).toBe("ctl-7 (0190)");
});

it("who did something is only as sure as the proof, and an owner's login proves nothing", () => {
  expect(evidenceText({ proof: "session", login: "cloudwright_web" })).toMatch(
    /^a live session.*\(database login cloudwright_web\)$/,
  );
  expect(evidenceText({ proof: "owner", login: "postgres" })).toMatch(/^nothing:/);
  expect(evidenceText({ proof: "none", login: "cloudwright_web" })).toMatch(/^nothing:/);
  expect(evidenceText(undefined)).toMatch(/^not recorded/);
});

it("an unknown result is never shown as a good one", () => {
  expect(resultPresentation("refused")).toBe(RESULT_PRESENTATION.refused);
  expect(resultPresentation("postponed")).toMatchObject({ label: "postponed", tone: "unknown" });
});
