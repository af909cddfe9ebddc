import { describe, expect, test } from "vitest";
import { sortsOf } from "./define-kind.ts";
import { OBJECT_KINDS, objectKind, PART_KINDS, SHARED_TABLE } from "./kinds.ts";
import type { KnownObject } from "./known-object.ts";

function known(over: Partial<KnownObject> = {}): KnownObject {
  return { cluster: "c", kind: "Node", name: "w-1", uid: "u", parts: {}, dryRun: false, ...over };
}

test.each(OBJECT_KINDS.map((kind) => [kind.name, kind] as const))(
  "a %s is sorted, filtered and kept by columns that it has",
  (_name, { columns, sorts, filters, facets, keeps }) => {
    const known = [...Object.keys(columns), "state", "name", "since"];
    const named = [...Object.values(sorts), ...Object.values(filters).map(({ column }) => column)];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
    expect(keeps.filter((name) => !(name in columns))).toEqual([]);
    expect(facets.filter((name) => !(name in filters))).toEqual([]);
  },
);

test("kinds in one table give columns of the same name the same type", () => {
  const types = new Map<string, string>();
  for (const { table, columns } of OBJECT_KINDS) {
    for (const [name, { type }] of Object.entries(columns)) {
      const key = `${table}.${name}`;
      expect(types.get(key) ?? type, key).toBe(type);
      types.set(key, type);
    }
  }
});

test("a kind that this release does not know has only what all objects have", () => {
  const kind = objectKind("Namespace");
  expect(kind).toMatchObject({ name: "Namespace", table: SHARED_TABLE });
  expect(sortsOf(kind)).toEqual(["state", "name", "since"]);
  expect(kind.read(known({ kind: "Namespace", createdAt: 7 }))).toEqual({
    shared: { createdAt: 7, words: [] },
    own: {},
  });
});

test("only the routes of a Node are reported as a part of something else", () => {
  expect(PART_KINDS).toEqual(["NodeRoutes"]);
});

describe("what is read from a report", () => {
  const facts = (over: object = {}) => ({ addresses: [], labels: {}, asOf: 1, ...over });

  test("of a Node is what the Node has, and otherwise what the cloud says", () => {
    const node = {
      createdAt: 500,
      ready: "True" as const,
      taints: [],
      facts: facts({ zone: "z1", providerID: undefined }),
    };
    const cloud = facts({
      zone: "z2",
      providerID: "sandbox://w-1",
      addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
    });
    const { shared, own } = objectKind("Node").read(known({ node, cloud, initialisedAt: 900 }));
    expect(shared).toMatchObject({
      createdAt: 500,
      providerID: "sandbox://w-1",
      address: "10.0.0.1",
      words: ["sandbox://w-1", "10.0.0.1"],
    });
    expect(own).toMatchObject({ zone: "z1", initMs: 400, ready: "True" });
  });

  test.each(["Service", "LoadBalancer", "PersistentVolume", "Route", "RouteTable"])(
    "of a %s whose detail a newer release has written is nothing",
    (kind) => {
      const { own } = objectKind(kind).read(known({ kind, detail: { kind: "ofTheFuture" } }));
      const isEmpty = (value: unknown) =>
        value === undefined || (Array.isArray(value) && value.length === 0);
      expect(Object.values(own).filter((value) => !isEmpty(value))).toEqual([]);
    },
  );
});
