import { expect, it } from "vitest";
import { FLAG_NAMES } from "./definitions/all.ts";
import { isSecretFlag } from "./secret-flags.ts";

/** Flags that are named like a credential but are not secret. */
const HARMLESS: ReadonlySet<string> = new Set([
  "authentication-token-webhook-cache-ttl",
  "leader-migration-config",
  "use-service-account-credentials",
]);

it("treats every flag that is named like a credential as secret", () => {
  const suspicious = FLAG_NAMES.filter((name) =>
    /url|kubeconfig|config$|cert|key|token|password|secret|credential|ca-file/.test(name),
  );
  const reported = suspicious.filter((name) => !isSecretFlag(name) && !HARMLESS.has(name));
  expect(reported).toEqual([]);
  expect(suspicious.length).toBeGreaterThan(5);
});
