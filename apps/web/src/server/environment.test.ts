import { describe, expect, it } from "vitest";
import { parseEnvironment } from "./environment.ts";

const GOOD = {
  DATABASE_URL: "postgresql://127.0.0.1:5432/cloudwright",
  CLOUDWRIGHT_AUTH_SECRET: "0123456789abcdef0123456789abcdef",
};

describe("the dashboard's settings", () => {
  it("need a database and a secret, and no public URL", () => {
    const settings = parseEnvironment(GOOD);
    expect(settings).toMatchObject({
      databaseUrl: GOOD.DATABASE_URL,
      authSecret: GOOD.CLOUDWRIGHT_AUTH_SECRET,
      publicOrigin: undefined,
    });
    expect(settings.trustedProxies.rules).toEqual([]);
  });

  it("use the origin of the public URL", () => {
    const { publicOrigin } = parseEnvironment({
      ...GOOD,
      CLOUDWRIGHT_PUBLIC_URL: "https://ops.example.org/path/",
    });
    expect(publicOrigin).toBe("https://ops.example.org");
  });

  it("allow sign-in by password only, unless an identity provider is configured", () => {
    expect(parseEnvironment(GOOD)).toMatchObject({ oidc: undefined, localSignIn: true });
    const settings = parseEnvironment({
      ...GOOD,
      CLOUDWRIGHT_PUBLIC_URL: "https://ops.example.org",
      CLOUDWRIGHT_OIDC_ISSUER: "https://id.example.org",
      CLOUDWRIGHT_OIDC_CLIENT_ID: "cloudwright",
      CLOUDWRIGHT_OIDC_ROLES: "ops=admin",
      CLOUDWRIGHT_LOCAL_SIGN_IN: "off",
    });
    expect(settings).toMatchObject({
      oidc: { issuer: "https://id.example.org", roles: [{ group: "ops", gives: "admin" }] },
      localSignIn: false,
    });
  });

  it.each([
    [{ ...GOOD, CLOUDWRIGHT_LOCAL_SIGN_IN: "off" }, /LOCAL_SIGN_IN is off, and there is no/],
    [{ ...GOOD, CLOUDWRIGHT_LOCAL_SIGN_IN: "no" }, /LOCAL_SIGN_IN/],
    [{ ...GOOD, CLOUDWRIGHT_OIDC_ISSUER: "id" }, /not usable\. CLOUDWRIGHT_OIDC_ISSUER is no/],
    [{ ...GOOD, CLOUDWRIGHT_AUTH_SECRET: "short" }, /CLOUDWRIGHT_AUTH_SECRET/],
    [{ ...GOOD, DATABASE_URL: undefined }, /DATABASE_URL/],
    [{ ...GOOD, CLOUDWRIGHT_PUBLIC_URL: "javascript:alert(1)" }, /CLOUDWRIGHT_PUBLIC_URL/],
    [{ ...GOOD, CLOUDWRIGHT_TRUSTED_PROXIES: "10.0.0.0/8, proxy" }, /TRUSTED_PROXIES.*proxy is/],
  ])("are named if they are unusable", (variables, message) => {
    expect(() => parseEnvironment(variables)).toThrow(message);
  });

  it("never show the secret in a message", () => {
    expect(() => parseEnvironment({ CLOUDWRIGHT_AUTH_SECRET: "tiny-secret" })).not.toThrow(
      /tiny-secret/,
    );
  });
});
