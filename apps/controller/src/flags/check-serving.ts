import type { FlagValues } from "./definitions/all.ts";
import { CIPHER_NAMES, CURVE_NAMES, MIN_VERSIONS } from "./tls-names.ts";

/** Finds contradictions between the flags of our two HTTPS servers, one sentence each (spec/00 §5.4, §5.5). */
export function checkServing(flags: FlagValues): readonly string[] {
  return [...checkPorts(flags), ...PREFIXES.flatMap((prefix) => checkTls(flags, prefix))];
}

const PREFIXES = ["", "webhook-"] as const;
type Prefix = (typeof PREFIXES)[number];

function checkPorts(flags: FlagValues): readonly string[] {
  const port = flags["secure-port"];
  if (port === 0 || port !== flags["webhook-secure-port"]) return [];
  return [
    `--secure-port and --webhook-secure-port are both ${port}: give them different ports, or 0 for no listener.`,
  ];
}

function checkTls(flags: FlagValues, prefix: Prefix): readonly string[] {
  return [
    ...checkPair(flags, prefix),
    ...checkCiphers(flags, prefix),
    ...checkCurves(flags, prefix),
    ...checkVersion(flags, prefix),
    ...checkSniPairs(flags, prefix),
  ];
}

function checkPair(flags: FlagValues, prefix: Prefix): readonly string[] {
  const certificate = flags[`${prefix}tls-cert-file`];
  const key = flags[`${prefix}tls-private-key-file`];
  if ((certificate === "") === (key === "")) return [];
  return [
    `--${prefix}tls-cert-file and --${prefix}tls-private-key-file belong together: give both or neither.`,
  ];
}

function checkCiphers(flags: FlagValues, prefix: Prefix): readonly string[] {
  const name = `${prefix}tls-cipher-suites` as const;
  return flags[name]
    .filter((suite) => !CIPHER_NAMES.has(suite))
    .map(
      (suite) =>
        `--${name} names "${suite}", which is not supported: use one of ${[...CIPHER_NAMES.keys()].join(", ")}.`,
    );
}

function checkCurves(flags: FlagValues, prefix: Prefix): readonly string[] {
  const name = `${prefix}tls-curve-preferences` as const;
  return flags[name]
    .filter((curve) => !CURVE_NAMES.has(curve))
    .map(
      (curve) =>
        `--${name} names ${curve}, which is not supported: use one of ${[...CURVE_NAMES.keys()].join(", ")}.`,
    );
}

function checkVersion(flags: FlagValues, prefix: Prefix): readonly string[] {
  const name = `${prefix}tls-min-version` as const;
  if (flags[name] === "" || MIN_VERSIONS.has(flags[name])) return [];
  const why = /^VersionTLS1[01]$/.test(flags[name]) ? ", which is no longer secure (RFC 8996)" : "";
  return [
    `--${name} is "${flags[name]}"${why}: use one of ${[...MIN_VERSIONS.keys()].join(", ")}.`,
  ];
}

function checkSniPairs(flags: FlagValues, prefix: Prefix): readonly string[] {
  const name = `${prefix}tls-sni-cert-key` as const;
  return flags[name]
    .filter((pair) => !/^[^,:]+,[^,:]+(:.+)?$/.test(pair))
    .map((pair) => `--${name} is "${pair}": it must be certificate,key or certificate,key:names.`);
}

const HEADERS = [
  "requestheader-username-headers",
  "requestheader-uid-headers",
  "requestheader-group-headers",
  "requestheader-extra-headers-prefix",
] as const;
/** An HTTP token. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Checks how callers of the HTTPS port are authenticated, one sentence for each mistake (spec/00 §5.6). */
export function checkCallers(flags: FlagValues): readonly string[] {
  return HEADERS.flatMap((name) =>
    flags[name]
      .filter((header) => !HEADER_NAME.test(header))
      .map((header) => `--${name} has "${header}": it must be the name of an HTTP header.`),
  );
}
