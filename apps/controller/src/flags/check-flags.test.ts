import { describe, expect, it } from "vitest";
import { checkFlags } from "./check-flags.ts";
import { FLAG_NAMES } from "./definitions/all.ts";
import { SECTIONS } from "./flag.ts";
import { controllerHelp } from "./help.ts";
import { parseFlags } from "./parse-flags.ts";

/** As listed in guides for hardened control planes; two have names from before RFC 7905. */
const HARDENED_SUITES = [
  "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
  "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
  "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305",
  "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
  "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
  "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
  "TLS_RSA_WITH_AES_256_GCM_SHA384",
  "TLS_RSA_WITH_AES_128_GCM_SHA256",
].join(",");

describe("flags that contradict each other", () => {
  it("reports nothing for the defaults with a provider", () => {
    expect(problemsOf([])).toEqual([]);
  });

  it.each<[string[], RegExp]>([
    [["--cloud-provider="], /^--cloud-provider is not set: .*--cloud-provider=sandbox\.$/],
    [["--cloud-provider=external"], /^--cloud-provider is "external", which names no cloud: /],
    [["--controllers=foo"], /^--controllers names "foo", which is not a controller: /],
    [["--controllers=*,-foo"], /^--controllers names "foo", /],
    [
      ["--feature-gates=Nonsense=true"],
      /^--feature-gates names "Nonsense", which is not a gate of Kubernetes 1.37: /,
    ],
    [
      ["--leader-elect-resource-lock=endpoints"],
      /^--leader-elect-resource-lock is "endpoints": only leases is supported/,
    ],
    [["--leader-elect-resource-name="], /^--leader-elect-resource-name is empty/],
    [
      ["--leader-elect-renew-deadline=15s"],
      /^--leader-elect-renew-deadline \(15s\) must be shorter than --leader-elect-lease-duration \(15s\)/,
    ],
    [
      ["--leader-elect-renew-deadline=2.4s"],
      /^--leader-elect-renew-deadline \(2.4s\) must be longer than 1.2 times --leader-elect-retry-period \(2s\)/,
    ],
    [
      ["--leader-elect-retry-period=0s"],
      /^--leader-elect-retry-period is 0s: it must be more than 0s/,
    ],
    [["--concurrent-node-syncs=0"], /^--concurrent-node-syncs is 0: it must be 1 or more/],
    [["--concurrent-node-syncs=-3"], /^--concurrent-node-syncs is -3: it must be 1/],
    [["--concurrent-node-lifecycle-syncs=0"], /^--concurrent-node-lifecycle-syncs is 0/],
    [["--node-monitor-period=0s"], /^--node-monitor-period is 0s: it must be more than 0s/],
    [["--log-flush-frequency=0s"], /^--log-flush-frequency is 0s: it must be more than 0s/],
    [["--node-status-update-frequency=-1s"], /^--node-status-update-frequency is -1s/],
    [["--tracing-endpoint=collector:4318"], /^--tracing-endpoint is not the address of a coll/],
    [
      ["--tracing-endpoint=http://u:hunter2@collector"],
      /^--tracing-endpoint holds a user or password: give credentials by OTEL_EXPORTER_OTLP_H/,
    ],
    [["--max-retry-after=0s"], /^--max-retry-after is 0s: it must be more than 0s/],
    [["--new-node-grace=-1s"], /^--new-node-grace is -1s: it must not be negative/],
    [
      ["--load-balancer-classless=false"],
      /^--load-balancer-classless is false and no --load-balancer-class is given: no Service /,
    ],
    [["--kube-api-burst=0"], /^--kube-api-burst is 0/],
    [["--cluster-cidr=banana"], /^--cluster-cidr has "banana": it must be a CIDR/],
    [["--cluster-cidr=10.0.0.0/8,10.1.0.0/16"], /^--cluster-cidr has two ranges of one family/],
    [["--cluster-cidr=10.0.0.0/8,"], /^--cluster-cidr has "": it must be a CIDR/],
    [
      ["--cluster-cidr=banana", "--configure-cloud-routes=false", "--allocate-node-cidrs"],
      /^--cluster-cidr has "banana"/,
    ],
    [
      ["--service-cluster-ip-range=10.0.0.0/16,fd00::/108,10.1.0.0/16"],
      /^--service-cluster-ip-range has 3 ranges: give at most two/,
    ],
    [["--webhooks=*,-labels"], /^--webhooks names "labels"/],
    [
      ["--secure-port=8443", "--webhook-secure-port=8443"],
      /^--secure-port and --webhook-secure-port are both 8443/,
    ],
    [["--tls-cert-file=a.pem"], /^--tls-cert-file and --tls-private-key-file belong together/],
    [["--tls-cipher-suites=ROT13"], /^--tls-cipher-suites names "ROT13"/],
    [["--tls-curve-preferences=1"], /^--tls-curve-preferences names 1,/],
    [["--tls-min-version=VersionTLS9"], /^--tls-min-version is "VersionTLS9"/],
    [
      ["--tls-min-version=VersionTLS10"],
      /^--tls-min-version is "VersionTLS10", which is no longer/,
    ],
    [
      ["--webhook-tls-min-version=VersionTLS11"],
      /^--webhook-tls-min-version is "VersionTLS11", which is no longer secure .*VersionTLS12/,
    ],
    [["--tls-sni-cert-key=a"], /^--tls-sni-cert-key is "a"/],
    [
      ["--enable-leader-migration", "--leader-elect=false"],
      /^--enable-leader-migration needs leader election/,
    ],
    [["--requestheader-username-headers=x y"], /^--requestheader-username-headers has "x y"/],
    [["--vmodule=server"], /^--vmodule has "server": it must be a pattern and a level/],
    [
      ["--vmodule=a=1", "--logging-format=json"],
      /^--vmodule works only with --logging-format=text/,
    ],
    [["--log-text-split-stream"], /^--log-text-split-stream is alpha: add --feature-gates=/],
    [
      ["--log-json-info-buffer-size=many", "--feature-gates=LoggingAlphaOptions=true"],
      /^--log-json-info-buffer-size is "many"/,
    ],
    [
      ["--database-url=mysql://x"],
      /^--database-url is not the address of a PostgreSQL: it must begin/,
    ],
    [
      ["--database-url=postgres://user:hunter#2@x/y"],
      /^--database-url is not the address of a PostgreSQL: write postgresql:.* percent signs/,
    ],
    [["--spool-max-bytes=1Mi"], /^--spool-max-bytes is 1048576/],
  ])("%j is one sentence", (args, sentence) => {
    const problems = problemsOf(args);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(sentence);
    expect(problems[0]).toMatch(/\.$/);
  });

  it.each([
    [["--leader-elect=false", "--leader-elect-resource-lock=endpoints"]],
    [["--leader-elect=false", "--leader-elect-renew-deadline=60s"]],
    [["--secure-port=0", "--webhook-secure-port=0"]],
    [["--kube-api-qps=0", "--kube-api-burst=0"]],
    [["--cluster-cidr=10.0.0.0/8,fd00::/48"]],
    [["--cluster-cidr=10.0.0.0/8,fd00::/48", "--cluster-cidr=10.0.0.0/8"]],
    [["--cluster-cidr=10.0.0.0/8,10.1.0.0/16", "--configure-cloud-routes=false"]],
    [["--cluster-cidr=banana", "--controllers=*,-route"]],
    [["--service-cluster-ip-range=10.0.0.0/16,10.1.0.0/16"]],
    [["--controllers="]],
    [["--database-url=postgresql:///ledger?host=/var/run/postgresql"]],
    [["--database-url=postgresql://%2Fvar%2Frun/ledger"]],
    [[`--tls-cipher-suites=${HARDENED_SUITES}`, `--webhook-tls-cipher-suites=${HARDENED_SUITES}`]],
    [["--tls-min-version=VersionTLS12", "--webhook-tls-min-version=VersionTLS13"]],
    [["--vmodule=server*=2,client=3"]],
    [["--log-text-info-buffer-size=64Ki", "--feature-gates=AllAlpha=true"]],
  ])("%j is in order", (args) => {
    expect(problemsOf(args)).toEqual([]);
  });

  it.each(["mysql://user:hunter2@x", "postgres://user:hunter2#@x"])(
    "never shows the password of %s",
    (url) => {
      expect(problemsOf([`--database-url=${url}`]).join()).not.toContain("hunter2");
    },
  );
});

describe("--help", () => {
  it("lists every flag, section and controller, with the defaults", () => {
    const help = controllerHelp();
    for (const name of FLAG_NAMES) expect(help).toContain(`--${name}`);
    for (const section of SECTIONS) expect(help).toContain(`${section} flags:`);
    expect(help).toContain("(default 15s)");
    expect(help).toContain("service-lb-controller (service)");
    expect(help.indexOf("Cloudwright flags:")).toBeGreaterThan(help.indexOf("Global flags:"));
  });
});

function problemsOf(args: readonly string[]): readonly string[] {
  const parsed = parseFlags(["--cloud-provider=sandbox", ...args]);
  if (parsed.kind !== "run") throw new Error(`not parsed: ${JSON.stringify(parsed)}`);
  return checkFlags(parsed.values);
}
