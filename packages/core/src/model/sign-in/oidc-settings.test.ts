import { describe, expect, it } from "vitest";
import { groupsOf, parseOidcSettings } from "./oidc-settings.ts";

const GOOD = {
  CLOUDWRIGHT_OIDC_ISSUER: "https://id.example.org/realms/ops",
  CLOUDWRIGHT_OIDC_CLIENT_ID: "cloudwright",
  CLOUDWRIGHT_OIDC_CLIENT_SECRET: "a-client-secret",
  CLOUDWRIGHT_OIDC_ROLES: "ops=operator",
  CLOUDWRIGHT_PUBLIC_URL: "https://cw.example.org",
};

describe("the settings of OIDC", () => {
  it("are absent without an issuer", () => {
    expect(parseOidcSettings({})).toBeUndefined();
    expect(parseOidcSettings({ ...GOOD, CLOUDWRIGHT_OIDC_ISSUER: " " })).toBeUndefined();
  });

  it("have defaults for all but issuer, client and roles", () => {
    expect(parseOidcSettings(GOOD)).toEqual({
      issuer: "https://id.example.org/realms/ops",
      clientId: "cloudwright",
      clientSecret: "a-client-secret",
      name: "id.example.org",
      scopes: "openid profile email",
      groupsClaim: "groups",
      roles: [{ group: "ops", gives: "operator" }],
      clusters: undefined,
    });
  });

  it.each([["http://127.0.0.1:9000"], ["http://localhost:9000/x"], ["http://[::1]:9000"]])(
    "take %s, as it is on this machine",
    (issuer) => {
      expect(parseOidcSettings({ ...GOOD, CLOUDWRIGHT_OIDC_ISSUER: issuer })?.issuer).toBe(issuer);
    },
  );

  it.each([
    [{ CLOUDWRIGHT_OIDC_ISSUER: "http://id.example.org" }, /^CLOUDWRIGHT_OIDC_ISSUER is no issuer/],
    [{ CLOUDWRIGHT_OIDC_ISSUER: "http://localhost.evil.example" }, /ISSUER is no issuer/],
    [{ CLOUDWRIGHT_OIDC_ISSUER: "id.example.org" }, /ISSUER is no issuer/],
    [{ CLOUDWRIGHT_OIDC_CLIENT_ID: undefined }, /^CLOUDWRIGHT_OIDC_CLIENT_ID is missing/],
    [{ CLOUDWRIGHT_OIDC_ROLES: undefined }, /^CLOUDWRIGHT_OIDC_ROLES is missing/],
    [{ CLOUDWRIGHT_OIDC_ROLES: "ops=boss" }, /^CLOUDWRIGHT_OIDC_ROLES gives ops the role "boss"/],
    [{ CLOUDWRIGHT_OIDC_CLUSTERS: "ops" }, /^CLOUDWRIGHT_OIDC_CLUSTERS has "ops"/],
    [{ CLOUDWRIGHT_OIDC_SCOPES: "email" }, /^CLOUDWRIGHT_OIDC_SCOPES lacks openid/],
    [{ CLOUDWRIGHT_PUBLIC_URL: undefined }, /^CLOUDWRIGHT_PUBLIC_URL is missing/],
  ])("refuse %j without showing the secret", (changed, sentence) => {
    const parse = () => parseOidcSettings({ ...GOOD, ...changed });
    expect(parse).toThrow(sentence);
    expect(parse).not.toThrow(/a-client-secret/);
  });
});

describe("the groups among claims", () => {
  it.each([
    [{ groups: ["a", "b"] }, "groups", ["a", "b"]],
    [{ groups: "a" }, "groups", ["a"]],
    [{ realm_access: { roles: ["r"] } }, "realm_access.roles", ["r"]],
    [{ "https://example.org/groups": ["g"] }, "https://example.org/groups", ["g"]],
    [{}, "groups", []],
    [{ groups: [1, {}] }, "groups", []],
    [{ groups: { a: true } }, "groups", []],
    [{}, "constructor.name", []],
  ])("of %j at %s are %j", (claims, path, groups) => {
    expect(groupsOf(claims, path)).toEqual(groups);
  });
});
