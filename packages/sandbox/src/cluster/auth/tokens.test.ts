import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serviceAccounts } from "../resources/service-account.ts";
import { ObjectStore } from "../state/object-store.ts";
import type { Attempt } from "./authorizer.ts";
import { rbacAuthorizer } from "./rbac.ts";
import { DEFAULT_AUDIENCE, Tokens } from "./tokens.ts";

const KEY = "kube-system/node-controller";
const SUBJECT = { namespace: "kube-system", name: "node-controller", uid: "uid-1" };
const HOUR = { audiences: [DEFAULT_AUDIENCE], seconds: 3_600 };

let folder: string;
let store: ObjectStore;
let nowMs: number;
let tokens: Tokens;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tokens-"));
  store = new ObjectStore(folder);
  nowMs = Date.parse("2026-01-01T00:00:00Z");
  tokens = new Tokens("the-administrator", store, () => nowMs);
  putAccount("uid-1");
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

function putAccount(uid: string): void {
  const metadata = { name: "node-controller", namespace: "kube-system", uid };
  store.put(serviceAccounts.storage, KEY, { metadata });
}

describe("a token of a service account", () => {
  it("reports its user and groups", () => {
    expect(tokens.authenticate(tokens.issue(SUBJECT, HOUR))).toEqual({
      username: "system:serviceaccount:kube-system:node-controller",
      uid: "uid-1",
      groups: [
        "system:serviceaccounts",
        "system:serviceaccounts:kube-system",
        "system:authenticated",
      ],
    });
  });

  it("expires", () => {
    const token = tokens.issue(SUBJECT, HOUR);
    nowMs += 3_599_000;
    expect(tokens.authenticate(token)).toBeDefined();
    nowMs += 1_000;
    expect(tokens.authenticate(token)).toBeUndefined();
  });

  it("ends with its account, even when that is created again", () => {
    const token = tokens.issue(SUBJECT, HOUR);
    store.remove(serviceAccounts.storage, KEY);
    expect(tokens.authenticate(token)).toBeUndefined();
    putAccount("uid-2");
    expect(tokens.authenticate(token)).toBeUndefined();
  });

  it("cannot be forged", () => {
    const [header, , signature] = tokens.issue(SUBJECT, HOUR).split(".");
    const [, claims] = tokens.issue({ ...SUBJECT, name: "admin" }, HOUR).split(".");
    expect(tokens.authenticate(`${header}.${claims}.${signature}`)).toBeUndefined();
    const forger = new Tokens("another", store, () => nowMs);
    expect(tokens.authenticate(forger.issue(SUBJECT, HOUR))).toBeUndefined();
  });
});

describe("with roles, a controller's service account", () => {
  const may = (account: string, verb: string, resource: string) => {
    const user = { username: `system:serviceaccount:${account}`, groups: [] };
    const attempt: Attempt = { kind: "resource", verb, group: "", resource };
    return rbacAuthorizer(store).allows(user, attempt);
  };

  it("may do what a cluster allows by default, and no more", () => {
    expect(may("kube-system:node-controller", "patch", "nodes/status")).toBe(true);
    expect(may("kube-system:node-controller", "delete", "nodes")).toBe(true);
    expect(may("kube-system:node-controller", "patch", "services/status")).toBe(false);
    expect(may("kube-system:service-controller", "patch", "services/status")).toBe(true);
    expect(may("kube-system:service-controller", "patch", "services")).toBe(false);
    expect(may("kube-system:route-controller", "patch", "nodes/status")).toBe(true);
    expect(may("kube-system:route-controller", "patch", "nodes")).toBe(false);
  });

  it("must be in kube-system", () => {
    expect(may("default:node-controller", "delete", "nodes")).toBe(false);
    expect(may("kube-system:volume-controller", "patch", "persistentvolumes")).toBe(false);
  });
});
