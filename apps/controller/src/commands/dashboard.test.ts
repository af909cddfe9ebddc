import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { requireFree } from "./dashboard/addresses.ts";
import { dashboardEnvironment } from "./dashboard.ts";

const SECRET = "s".repeat(32);
const given = {
  host: "127.0.0.1",
  port: 3000,
  data: "/nowhere",
  databaseUrl: "postgresql://web@db/ledger",
};

it("reads address, port and database from its options", () => {
  const environment = dashboardEnvironment(
    { ...given, host: "0.0.0.0", port: 8080, publicUrl: "https://cw.example.org" },
    { CLOUDWRIGHT_AUTH_SECRET: SECRET },
  );
  expect(environment).toEqual({
    NODE_ENV: "production",
    HOSTNAME: "0.0.0.0",
    PORT: "8080",
    DATABASE_URL: "postgresql://web@db/ledger",
    CLOUDWRIGHT_AUTH_SECRET: SECRET,
    CLOUDWRIGHT_PUBLIC_URL: "https://cw.example.org",
  });
});

it("prefers the secret from the file to the variable, and ignores the newline at the end of the file", () => {
  const authSecretFile = written(`${"f".repeat(40)}\n`);
  const environment = dashboardEnvironment(
    { ...given, authSecretFile },
    { CLOUDWRIGHT_AUTH_SECRET: SECRET },
  );
  expect(environment.CLOUDWRIGHT_AUTH_SECRET).toBe("f".repeat(40));
});

it("prefers its options to the variables with the same meaning", () => {
  const environment = dashboardEnvironment(
    { ...given, trustedProxies: "10.0.0.0/8", publicUrl: "https://new.example.org" },
    {
      CLOUDWRIGHT_AUTH_SECRET: SECRET,
      CLOUDWRIGHT_TRUSTED_PROXIES: "192.0.2.1",
      CLOUDWRIGHT_PUBLIC_URL: "https://old.example.org",
    },
  );
  expect(environment).toMatchObject({
    CLOUDWRIGHT_TRUSTED_PROXIES: "10.0.0.0/8",
    CLOUDWRIGHT_PUBLIC_URL: "https://new.example.org",
  });
});

const OIDC = {
  oidcIssuer: "https://id.example.org",
  oidcClientId: "cloudwright",
  oidcRoles: "ops=operator",
  publicUrl: "https://cw.example.org",
};

it("reads the identity provider from its options, and the client's secret from a file", () => {
  const oidcClientSecretFile = written("the-secret-of-the-client\n");
  const environment = dashboardEnvironment(
    { ...given, ...OIDC, oidcClientSecretFile, localSignIn: "off" },
    { CLOUDWRIGHT_AUTH_SECRET: SECRET },
  );
  expect(environment).toMatchObject({
    CLOUDWRIGHT_OIDC_ISSUER: "https://id.example.org",
    CLOUDWRIGHT_OIDC_CLIENT_ID: "cloudwright",
    CLOUDWRIGHT_OIDC_CLIENT_SECRET: "the-secret-of-the-client",
    CLOUDWRIGHT_OIDC_ROLES: "ops=operator",
    CLOUDWRIGHT_LOCAL_SIGN_IN: "off",
  });
});

it.each([
  [{ ...OIDC, publicUrl: undefined }, /^CLOUDWRIGHT_PUBLIC_URL is missing: OIDC needs it/],
  [{ ...OIDC, oidcRoles: "ops=boss" }, /^CLOUDWRIGHT_OIDC_ROLES gives ops the role "boss"/],
  [{ ...OIDC, oidcIssuer: "http://id.example.org" }, /^CLOUDWRIGHT_OIDC_ISSUER is no issuer/],
  [
    { localSignIn: "off" },
    /^--local-sign-in is off, and there is no OpenID provider .* give --oidc-issuer/,
  ],
  [{ localSignIn: "no" }, /^--local-sign-in is "no": it must be on or off/],
  [
    { trustedProxies: "10.0.0.0/8, proxy" },
    /^--trusted-proxies has "proxy": give addresses or ranges such as 10\.0\.0\.0\/8, with commas between them\.$/,
  ],
  [{ publicUrl: "https://a b" }, /^--public-url is "https:\/\/a b": give the dashboard's address/],
])("refuses %j in one sentence", (flags, sentence) => {
  const { publicUrl, ...others } = { publicUrl: undefined, ...flags };
  const url = publicUrl === undefined ? {} : { publicUrl };
  const environment = { CLOUDWRIGHT_AUTH_SECRET: SECRET };
  expect(() => dashboardEnvironment({ ...given, ...others, ...url }, environment)).toThrow(
    sentence,
  );
});

it.each([
  { what: "no secret", sentence: /No secret to sign sessions with/ },
  { what: "a short secret", secret: "hunter2", sentence: /has 7 characters.*at least 32/ },
  {
    what: "a file that is not there",
    flags: { authSecretFile: "/nowhere/secret" },
    sentence: /cannot be read/,
  },
  {
    what: "an address without a scheme",
    flags: { publicUrl: "cw.example.org" },
    secret: SECRET,
    sentence: /--public-url is "cw\.example\.org"/,
  },
])("refuses $what with a sentence that holds no secret", ({ flags, secret, sentence }) => {
  const refusal = refused(() =>
    dashboardEnvironment({ ...given, ...flags }, { CLOUDWRIGHT_AUTH_SECRET: secret }),
  );
  expect(refusal).toMatch(sentence);
  expect(refusal).not.toContain("hunter2");
});

function refused(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return String(error);
  }
  throw new Error("it was not refused");
}

function written(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "cloudwright-dashboard-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "secret");
  writeFileSync(file, text);
  return file;
}

describe("the address to listen on", () => {
  it("is free", async () => {
    await expect(requireFree({ host: "127.0.0.1", port: 0 })).resolves.toBeUndefined();
  });

  it("is refused in one sentence if another process has the port", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    await expect(requireFree({ host: "127.0.0.1", port })).rejects.toThrow(
      /^The dashboard cannot listen on 127\.0\.0\.1:\d+ \(listen EADDRINUSE: .*\): stop what uses the port, or give another --port or --host\.$/,
    );
  });

  it("is refused in one sentence if this machine does not have it", async () => {
    await expect(requireFree({ host: "192.0.2.1", port: 0 })).rejects.toThrow(
      /^The dashboard cannot listen on 192\.0\.2\.1:0 \(listen EADDRNOTAVAIL: .*\): give an address of this machine as --host\.$/,
    );
  });
});
