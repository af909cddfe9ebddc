import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { dashboardEnvironment } from "./dashboard.ts";

const SECRET = "s".repeat(32);
const given = {
  host: "127.0.0.1",
  port: 3000,
  data: "/nowhere",
  databaseUrl: "postgresql://web@db/ledger",
};

it("takes address, port and database from its options", () => {
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

it("prefers the secret's file to the variable, and ignores the newline at its end", () => {
  const authSecretFile = written(`${"f".repeat(40)}\n`);
  const environment = dashboardEnvironment(
    { ...given, authSecretFile },
    { CLOUDWRIGHT_AUTH_SECRET: SECRET },
  );
  expect(environment.CLOUDWRIGHT_AUTH_SECRET).toBe("f".repeat(40));
});

it("prefers its options to variables of the same meaning", () => {
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
