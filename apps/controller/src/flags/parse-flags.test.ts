import { describe, expect, it } from "vitest";
import type { FlagValues } from "./definitions/all.ts";
import { FLAG_NAMES, flagOf } from "./definitions/all.ts";
import { defaults, parseFlags } from "./parse-flags.ts";

describe("defaults", () => {
  it("are upstream's, except for those that make it slow, and our own", () => {
    expect(Object.fromEntries(FLAG_NAMES.map((name) => [name, defaultText(name)]))).toEqual(
      DEFAULTS,
    );
  });

  it("parse back to themselves", () => {
    const scalars = FLAG_NAMES.filter(
      (name) => !Array.isArray(flagOf(name).initial) && name !== "feature-gates",
    );
    for (const name of scalars) {
      const { kind, initial } = flagOf(name);
      const text = typeof initial === "string" ? initial : kind.format(initial);
      expect(kind.parse(text), name).toEqual(initial);
    }
  });
});

describe("the text of a deletion guard", () => {
  it.each(["5,10%,10m", "5,10%,30s", "0,0%,1m30s", "1,100%,2h", "off"])(
    "%s is written as it was read",
    (text) => {
      const { kind } = flagOf("node-deletion-guard");
      expect(kind.format(kind.parse(text))).toBe(text);
    },
  );
});

describe("reading a command line", () => {
  it.each<[string, string[], Partial<FlagValues>]>([
    ["--name=value", ["--kube-api-qps=20.5"], { "kube-api-qps": 20.5 }],
    ["--name value", ["--kube-api-burst", "30"], { "kube-api-burst": 30 }],
    ["a value with =", ["--cluster-name=a=b"], { "cluster-name": "a=b" }],
    ["an empty value", ["--controllers="], { controllers: [] }],
    ["an empty address", ["--bind-address="], { "bind-address": "0.0.0.0" }],
    ["an address between blanks", ["--bind-address= ::1 "], { "bind-address": "::1" }],
    ["quotes in a list", ['--controllers="*","-route"'], { controllers: ["*", "-route"] }],
    ["underscores", ["--cloud_provider=sandbox"], { "cloud-provider": "sandbox" }],
    ["a bare bool", ["--dry-run"], { "dry-run": true }],
    ["a bool with a value", ["--leader-elect=false"], { "leader-elect": false }],
    ["Go's other words for a bool", ["--leader-elect=F"], { "leader-elect": false }],
    ["a negative number", ["--kube-api-qps", "-1"], { "kube-api-qps": -1 }],
    ["a list", ["--controllers=*,-route"], { controllers: ["*", "-route"] }],
    [
      "a repeated list",
      ["--controllers=*", "--controllers=-route"],
      { controllers: ["*", "-route"] },
    ],
    ["the last of a repeated scalar", ["--v=1", "--v=2"], { v: 2 }],
    ["-v4", ["-v4"], { v: 4 }],
    ["-v=4", ["-v=4"], { v: 4 }],
    ["-v 4", ["-v", "4"], { v: 4 }],
    ["a pair with commas", ["--tls-sni-cert-key=a,b:c"], { "tls-sni-cert-key": ["a,b:c"] }],
    [
      "gates",
      ["--feature-gates=AllAlpha=true", "--feature-gates=AllBeta=false"],
      { "feature-gates": { AllAlpha: true, AllBeta: false } },
    ],
    [
      "gates with a comma too many",
      ["--feature-gates=,AllAlpha=true,"],
      { "feature-gates": { AllAlpha: true } },
    ],
    [
      "the last of a repeated range",
      ["--cluster-cidr=10.0.0.0/8", "--cluster-cidr=10.1.0.0/16,fd00::/48"],
      { "cluster-cidr": ["10.1.0.0/16", "fd00::/48"] },
    ],
    ["an empty word", ["", "--v=1", ""], { v: 1 }],
    ["bytes", ["--spool-max-bytes=64Mi"], { "spool-max-bytes": 67_108_864 }],
    ["days", ["--ledger-retention-runs=30d"], { "ledger-retention-runs": 2_592_000_000 }],
    ["hours", ["--ledger-retention-gone=36h"], { "ledger-retention-gone": 129_600_000 }],
    [
      "a guard",
      ["--node-deletion-guard=10,20%,5m"],
      { "node-deletion-guard": { nodes: 10, percent: 20, windowMs: 300_000 } },
    ],
    ["no guard", ["--node-deletion-guard=off"], { "node-deletion-guard": undefined }],
    ["curves", ["--tls-curve-preferences=29,23"], { "tls-curve-preferences": [29, 23] }],
    ["a duration", ["--new-node-grace=1m30s"], { "new-node-grace": 90_000 }],
  ])("takes %s", (_, args, expected) => {
    const parsed = parseFlags(args);
    expect(parsed.kind).toBe("run");
    if (parsed.kind === "run") {
      expect(parsed.values).toEqual({ ...defaults(), ...expected });
      expect(parsed.given).toEqual(Object.keys(expected));
    }
  });

  it.each<[string[], string]>([
    [
      ["run"],
      '"run" is not a flag: cloudwright controller takes only flags, such as --name=value.',
    ],
    [
      ["--leader-elect", "false"],
      '"false" is not a flag: cloudwright controller takes only flags, such as --name=value.',
    ],
    [
      ["--", "--v=1"],
      '"--v=1" is not a flag: cloudwright controller takes only flags, such as --name=value.',
    ],
    [["--config=x"], "--config is not a flag of cloudwright controller: see --help."],
    [
      ["--cloud-providr=x"],
      "--cloud-providr is not a flag of cloudwright controller: did you mean --cloud-provider?",
    ],
    [["-x"], "--x is not a flag of cloudwright controller: did you mean --v?"],
    [["--kube-api-burst=abc"], '--kube-api-burst is "abc": it must be a whole number.'],
    [
      ["--kube-api-burst=9999999999"],
      '--kube-api-burst is "9999999999": it must be 2147483647 or less.',
    ],
    [
      ["--kube-api-burst=-9999999999"],
      '--kube-api-burst is "-9999999999": it must be -2147483648 or more.',
    ],
    [["--kube-api-qps="], '--kube-api-qps is "": it must be a number.'],
    [["--secure-port=70000"], '--secure-port is "70000": it must be between 0 and 65535.'],
    [["--leader-elect=maybe"], '--leader-elect is "maybe": it must be true or false.'],
    [
      ["--node-monitor-period=5"],
      '--node-monitor-period is "5": it must be a duration such as 10s, 1m30s or 300ms.',
    ],
    [
      ["--bind-address=localhost"],
      '--bind-address is "localhost": it must be an IPv4 or IPv6 address.',
    ],
    [["--logging-format=xml"], '--logging-format is "xml": it must be text or json.'],
    [
      ["--feature-gates=AllAlpha"],
      '--feature-gates is "AllAlpha": it must be a list such as SomeGate=true,OtherGate=false.',
    ],
    [
      ["--feature-gates=AllAlpha=true=false"],
      '--feature-gates is "AllAlpha=true=false": it must be a list such as SomeGate=true,OtherGate=false.',
    ],
    [
      ["--min-resync-period=2562048h"],
      '--min-resync-period is "2562048h": it must be a duration such as 10s, 1m30s or 300ms.',
    ],
    [
      ["--spool-max-bytes=1GB"],
      '--spool-max-bytes is "1GB": it must be a number of bytes such as 268435456 or 256Mi.',
    ],
    [
      ["--ledger-retention-runs=1h"],
      '--ledger-retention-runs is "1h": it must be a duration of a day or more such as 30d or 36h.',
    ],
    [
      ["--node-deletion-guard=5"],
      '--node-deletion-guard is "5": it must be off, or nodes, percentage and window such as 5,10%,10m.',
    ],
    [["--cloud-provider"], "--cloud-provider needs a value: write --cloud-provider=string."],
    [["--version=yes"], '--version is "yes": it must be true or raw.'],
  ])("refuses %j", (args, sentence) => {
    expect(parseFlags(args)).toEqual({ kind: "refused", problems: [sentence] });
  });

  it("reports every problem at once", () => {
    const parsed = parseFlags(["--v=x", "--nonsense", "word"]);
    expect(parsed).toMatchObject({ kind: "refused", problems: { length: 3 } });
  });

  it.each<[string[], unknown]>([
    [["--help", "--nonsense"], { kind: "help" }],
    [["-h"], { kind: "help" }],
    [["--version"], { kind: "version", raw: false }],
    [["--version=raw"], { kind: "version", raw: true }],
  ])("answers %j before anything else", (args, expected) => {
    expect(parseFlags(args)).toEqual(expected);
  });
});

function defaultText(name: (typeof FLAG_NAMES)[number]): string {
  const { kind, initial } = flagOf(name);
  return kind.format(initial);
}

const DEFAULTS = {
  profiling: "true",
  "contention-profiling": "false",
  "enable-leader-migration": "false",
  "leader-migration-config": '""',
  "min-resync-period": "12h0m0s",
  "kube-api-content-type": '"application/vnd.kubernetes.protobuf"',
  "kube-api-qps": "500",
  "kube-api-burst": "1000",
  "controller-start-interval": "0s",
  controllers: "[*]",
  "leader-elect": "true",
  "leader-elect-lease-duration": "15s",
  "leader-elect-renew-deadline": "10s",
  "leader-elect-retry-period": "2s",
  "leader-elect-resource-lock": '"leases"',
  "leader-elect-resource-name": '"cloud-controller-manager"',
  "leader-elect-resource-namespace": '"kube-system"',
  "cloud-provider": '""',
  "cloud-config": '""',
  "external-cloud-volume-plugin": '""',
  "use-service-account-credentials": "false",
  "allow-untagged-cloud": "false",
  "cluster-name": '"kubernetes"',
  "node-sync-period": "0s",
  "feature-gates": "",
  "cidr-allocator-type": "RangeAllocator",
  "concurrent-node-syncs": "32",
  "concurrent-node-status-updates": "0",
  "node-status-update-frequency": "5m0s",
  "node-monitor-period": "5s",
  "concurrent-node-lifecycle-syncs": "32",
  "concurrent-service-syncs": "32",
  "route-condition": "overwrite",
  "route-reconciliation-period": "10s",
  "configure-cloud-routes": "true",
  "cluster-cidr": "[]",
  "allocate-node-cidrs": "false",
  "service-cluster-ip-range": "[]",
  "node-cidr-mask-size": "0",
  "node-cidr-mask-size-ipv4": "0",
  "node-cidr-mask-size-ipv6": "0",
  "bind-address": "0.0.0.0",
  "secure-port": "10258",
  "disable-http2-serving": "false",
  "cert-dir": '""',
  "tls-cert-file": '""',
  "tls-private-key-file": '""',
  "tls-cipher-suites": "[]",
  "tls-curve-preferences": "[]",
  "tls-min-version": '""',
  "tls-sni-cert-key": "[]",
  "http2-max-streams-per-connection": "0",
  "permit-port-sharing": "false",
  "orphan-grace": "0s",
  "permit-address-sharing": "false",
  webhooks: "[]",
  "webhook-bind-address": "0.0.0.0",
  "webhook-secure-port": "10260",
  "webhook-disable-http2-serving": "false",
  "webhook-cert-dir": '""',
  "webhook-tls-cert-file": '""',
  "webhook-tls-private-key-file": '""',
  "webhook-tls-cipher-suites": "[]",
  "webhook-tls-curve-preferences": "[]",
  "webhook-tls-min-version": '""',
  "webhook-tls-sni-cert-key": "[]",
  "authentication-kubeconfig": '""',
  "authentication-token-webhook-cache-ttl": "10s",
  "authentication-skip-lookup": "false",
  "authentication-tolerate-lookup-failure": "false",
  "client-ca-file": '""',
  "requestheader-client-ca-file": '""',
  "requestheader-allowed-names": "[]",
  "requestheader-username-headers": "[x-remote-user]",
  "requestheader-uid-headers": "[]",
  "requestheader-group-headers": "[x-remote-group]",
  "requestheader-extra-headers-prefix": "[x-remote-extra-]",
  "authorization-kubeconfig": '""',
  "authorization-webhook-cache-authorized-ttl": "10s",
  "authorization-webhook-cache-unauthorized-ttl": "10s",
  "authorization-always-allow-paths": "[/healthz,/readyz,/livez]",
  v: "0",
  vmodule: '""',
  adopt: "published",
  "adopt-consent": "none",
  "load-balancer-class": "[]",
  "load-balancer-classless": "true",
  "load-balancer-drift-period": "5m0s",
  "volume-drift-period": "5m0s",
  "log-flush-frequency": "5s",
  "logging-format": "text",
  "log-text-split-stream": "false",
  "log-text-info-buffer-size": '"0"',
  "log-json-split-stream": "false",
  "log-json-info-buffer-size": '"0"',
  master: '""',
  kubeconfig: '""',
  "database-url": '""',
  "spool-dir": '""',
  "spool-max-bytes": "256Mi",
  "audit-anchor": '""',
  "audit-anchor-key": '""',
  "audit-checkpoint-period": "10s",
  "ledger-retention-runs": "30d",
  "ledger-retention-bodies": "7d",
  "ledger-retention-actions": "90d",
  "ledger-retention-gone": "30d",
  "ledger-retention-budget": "7d",
  "ledger-retention-incidents": "90d",
  "max-retry-after": "10m0s",
  "new-node-grace": "5m0s",
  "node-deletion-guard": "5,10%,10m",
  "tracing-endpoint": `""`,
  "tracing-sampling-rate-per-million": "1000000",
  "provider-path": '""',
  "cloud-provider-socket": '""',
  "cloud-provider-socket-owner": "none",
  "watch-events": "false",
  "dry-run": "false",
};
