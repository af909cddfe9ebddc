import { expect, it } from "vitest";
import { FLAG_NAMES } from "./definitions/all.ts";
import { isSecretFlag } from "./secret-flags.ts";

/** Named like a credential, and none. */
const HARMLESS: ReadonlySet<string> = new Set([
  "authentication-token-webhook-cache-ttl",
  "leader-migration-config",
  "use-service-account-credentials",
]);

it("counts every flag as secret that is named like a credential", () => {
  const suspicious = FLAG_NAMES.filter((name) =>
    /url|kubeconfig|config$|cert|key|token|password|secret|credential|ca-file/.test(name),
  );
  const reported = suspicious.filter((name) => !isSecretFlag(name) && !HARMLESS.has(name));
  expect(reported).toEqual([]);
  expect(suspicious.length).toBeGreaterThan(5);
});
