import { describe, expect, it } from "vitest";
import {
  clustersOfGroups,
  parseClusterRules,
  parseRoleRules,
  roleOfGroups,
} from "./group-rules.ts";

describe("roles by group", () => {
  it.each([
    ["ops=operator", [{ group: "ops", gives: "operator" }]],
    [
      " a = admin ;\n b=viewer; ",
      [
        { group: "a", gives: "admin" },
        { group: "b", gives: "viewer" },
      ],
    ],
    ["cn=ops,ou=teams,dc=example=admin", [{ group: "cn=ops,ou=teams,dc=example", gives: "admin" }]],
    ["", []],
  ])("reads %j", (text, rules) => {
    expect(parseRoleRules(text)).toEqual(rules);
  });

  it.each([
    ["ops", /has "ops": write GROUP=ROLE/],
    ["ops=", /has "ops="/],
    ["=admin", /has "=admin"/],
    ["ops=root", /gives ops the role "root": write one of viewer, operator, admin/],
  ])("refuses %j", (text, sentence) => {
    expect(() => parseRoleRules(text)).toThrow(sentence);
  });

  const rules = parseRoleRules("a=viewer; b=operator; c=admin");
  it.each([
    [["a"], "viewer"],
    [["c", "a"], "admin"],
    [["a", "b"], "operator"],
    [["A", "other"], undefined],
    [[], undefined],
    [["*"], undefined],
  ])("of %j give %s", (groups, role) => {
    expect(roleOfGroups(groups, rules)).toBe(role);
  });

  it("may give everybody a role", () => {
    expect(roleOfGroups([], parseRoleRules("*=viewer"))).toBe("viewer");
  });
});

describe("clusters by group", () => {
  const rules = parseClusterRules("team-a=eu-1, eu-2; team-b=eu-2,us-1; platform=*");
  it.each([
    [["team-a"], ["eu-1", "eu-2"]],
    [
      ["team-a", "team-b"],
      ["eu-1", "eu-2", "us-1"],
    ],
    [["team-a", "platform"], "all"],
    [["other"], []],
  ])("of %j are %j", (groups, clusters) => {
    expect(clustersOfGroups(groups, rules)).toEqual(clusters);
  });

  it.each([["team-a=eu-1,,eu-2"], ["team-a=,"]])("refuses %j", (text) => {
    expect(() => parseClusterRules(text)).toThrow(/a cluster without a name/);
  });
});
