import { expect, it } from "vitest";
import { labelProblem } from "./label-rules.ts";

/**
 * The API server's rules for labels: a name of at most 63 characters, optionally after a DNS subdomain, and a value like the name or
 * empty.
 */
it.each<[key: string, value: string]>([
  ["zone", "z1"],
  ["topology.kubernetes.io/zone", "eu-west-1a"],
  ["node.kubernetes.io/instance-type", "m5.2xlarge_v2"],
  ["a", ""],
  ["A_b.c-9", "9"],
  ["x".repeat(63), "y".repeat(63)],
  [`${"a.".repeat(126)}a/name`, "z"],
])("a label %s=%s is accepted", (key, value) => {
  expect(labelProblem(key, value)).toBeUndefined();
});

it.each<[key: string, value: string, problem: RegExp]>([
  ["zone", "z 1", /not allowed there/],
  ["zone", "-z1", /not allowed there/],
  ["zone", "z1.", /not allowed there/],
  ["zone", "größe", /not allowed there/],
  ["zone", "z1\n", /not allowed there/],
  ["zone", "y".repeat(64), /longer than 63/],
  ["", "z1", /not a valid name/],
  ["topology.kubernetes.io/", "z1", /not a valid name/],
  ["x".repeat(64), "z1", /not a valid name/],
  ["zone_", "z1", /not a valid name/],
  ["a/b/c", "z1", /more than one slash/],
  ["/zone", "z1", /not a DNS name/],
  ["Topology.io/zone", "z1", /not a DNS name/],
  ["topology..io/zone", "z1", /not a DNS name/],
  ["-a.io/zone", "z1", /not a DNS name/],
  [`${"a.".repeat(127)}a/zone`, "z1", /not a DNS name/],
])(
  "a label %s=%s is refused before the API server refuses it, with the reason",
  (key, value, problem) => {
    expect(labelProblem(key, value)).toMatchObject({ problem: expect.stringMatching(problem) });
  },
);
