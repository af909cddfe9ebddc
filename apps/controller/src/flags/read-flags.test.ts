import { expect, it } from "vitest";
import { readFlags } from "./read-flags.ts";

it("reports unreadable values and contradictions at once", () => {
  expect(
    readFlags([
      "--kube-api-qps=many",
      "--controllers=nothing-like-it",
      "--leader-elect-renew-deadline=1m",
      "--secure-port=10260",
    ]),
  ).toEqual({
    kind: "refused",
    problems: [
      '--kube-api-qps is "many": it must be a number.',
      expect.stringMatching(/^--cloud-provider is not set: /),
      expect.stringMatching(/^--controllers names "nothing-like-it"/),
      expect.stringMatching(/^--leader-elect-renew-deadline \(1m0s\) must be shorter than /),
      expect.stringMatching(/^--secure-port and --webhook-secure-port are both 10260/),
    ],
  });
});

it("does not report mere consequences of a flag that cannot be read", () => {
  expect(
    readFlags([
      "--cloud-provider=x",
      "--leader-elect-lease-duration=8s",
      "--leader-elect-renew-deadline=soon",
    ]),
  ).toMatchObject({
    problems: [expect.stringMatching(/^--leader-elect-renew-deadline is "soon"/)],
  });
});

it("accepts the flags of the Kubernetes documentation's DaemonSet unchanged", () => {
  expect(
    readFlags([
      "--cloud-provider=x",
      "--leader-elect=true",
      "--use-service-account-credentials",
      "--allocate-node-cidrs=true",
      "--configure-cloud-routes=true",
      "--cluster-cidr=172.17.0.0/16",
    ]),
  ).toMatchObject({ kind: "run" });
});
