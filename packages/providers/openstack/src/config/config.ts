import { X509Certificate } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { isProviderError, type ProviderConfig } from "@cloudwright/provider-api";
import { type CloudConf, readCloudConf } from "./cloud-conf.ts";
import { readClouds } from "./clouds-yaml.ts";
import { type Identity, type IdentityOptions, identityOf } from "./identity.ts";
import { invalidConfig } from "./invalid-config.ts";

/** The whole configuration: cloud.conf, clouds.yaml, the files that they name, and the environment. */
export interface OpenStackConfig extends Omit<CloudConf, "global"> {
  readonly identity: Identity;
  /** The TLS material, read from the identity's files. */
  readonly tls: TlsMaterial;
  /** `OS_CCM_REGIONAL`: provider IDs that we write contain the region. */
  readonly regional: boolean;
  /** All files that were read or looked for. */
  readonly files: readonly string[];
}

export interface TlsMaterial {
  /** Additional certificate authorities in PEM, besides the system's. */
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly insecure: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigSource extends Pick<ProviderConfig, "text" | "path"> {
  readonly environment: Environment;
  /** Receives a sentence about what is ignored. */
  warn(message: string): void;
}

/**
 * Reads everything. Throws ProviderError `Invalid`, in one sentence that names the field but no value, for anything unreadable,
 * of the wrong type, missing or contradictory.
 */
export async function readConfig(source: ConfigSource): Promise<OpenStackConfig> {
  const { text, path, environment, warn } = source;
  if (text === undefined) {
    throw invalidConfig(
      "The OpenStack provider needs a cloud.conf with auth-url and credentials; give its path with --cloud-config.",
    );
  }
  const file = path ?? "the cloud config";
  const { global, ...conf } = readCloudConf(text, file, warn);
  warnOfWaiting(environment, warn);
  const { useClouds, cloudsFile, cloud, ...own } = global;
  const clouds = useClouds
    ? await readClouds({ file: cloudsFile, cloud, environment })
    : { options: {}, files: [] };
  const identity = identityOf(combined(clouds.options, own), file);
  const { caFile, certFile, keyFile, insecure } = identity.tls;
  const tls = checked({
    ca: await readNamed("ca-file", caFile),
    cert: await readNamed("cert-file", certFile),
    key: await readNamed("key-file", keyFile),
    insecure,
  });
  const named = [path, ...clouds.files, caFile, certFile, keyFile];
  const files = named.filter((each) => each !== undefined);
  return { ...conf, identity, tls, regional: environment.OS_CCM_REGIONAL === "true", files };
}

/** Warns about upstream's waiting limit: nothing waits here. */
function warnOfWaiting(environment: Environment, warn: ConfigSource["warn"]): void {
  if (environment.OCCM_WAIT_LB_ACTIVE_STEPS === undefined) return;
  warn(
    "OCCM_WAIT_LB_ACTIVE_STEPS has no effect: nothing waits for a load balancer that Octavia is working on, which is looked at again until it is done; remove the variable.",
  );
}

/** `[Global]` overrides clouds.yaml. */
function combined(clouds: IdentityOptions, own: IdentityOptions): IdentityOptions {
  const said = Object.entries(own).filter(([, value]) => value !== undefined && value !== false);
  return { ...clouds, ...Object.fromEntries(said) };
}

/** Checks the TLS material here, since otherwise each request would fail with an error that names no file. */
function checked(tls: TlsMaterial): TlsMaterial {
  const { ca, cert, key } = tls;
  // A TLS context accepts any text as a CA, but then trusts nothing in addition.
  check("ca-file", "certificates in PEM", () => ca === undefined || new X509Certificate(ca));
  check("cert-file", "certificates in PEM", () =>
    createSecureContext(cert === undefined ? {} : { cert }),
  );
  check("key-file", "the key of cert-file in PEM", () =>
    createSecureContext(cert === undefined || key === undefined ? {} : { cert, key }),
  );
  return tls;
}

function check(option: string, what: string, use: () => unknown): void {
  try {
    use();
  } catch {
    throw invalidConfig(`The file of ${option} does not contain ${what}; correct it.`, option);
  }
}

async function readNamed(option: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const why = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw invalidConfig(
      `The file ${path} of ${option} cannot be read${why}; check the path.`,
      option,
    );
  }
}

/** The configuration as currently in the files. */
export interface WatchedConfig {
  /** The configuration at start: everything but identity and TLS stays unchanged until the next start. */
  readonly atStart: OpenStackConfig;
  /** Returns the last valid configuration. Checks the files at most every few seconds; warns once about an invalid one. */
  current(): Promise<OpenStackConfig>;
}

/** How often the files are checked, in milliseconds: mounted Secrets change within a minute. */
const LOOK_EVERY_MS = 5_000;

/** `monotonic` returns monotonic milliseconds. Throws like `readConfig`. */
export async function watchConfig(
  source: ConfigSource,
  monotonic: () => number,
): Promise<WatchedConfig> {
  const atStart = await readConfig(source);
  let current = atStart;
  let seen = await marksOf(atStart.files);
  let lookedAt = monotonic();
  const lookAgain = async () => {
    const marks = await marksOf(current.files);
    if (marks === seen) return;
    try {
      current = await readConfig({ ...source, text: await textOf(source) });
      seen = await marksOf(current.files);
    } catch (error) {
      if (!isProviderError(error)) throw error;
      seen = marks;
      source.warn(`${error.message} The configuration stays as it was before this change.`);
    }
  };
  return {
    atStart,
    current: async () => {
      if (monotonic() - lookedAt >= LOOK_EVERY_MS) {
        lookedAt = monotonic();
        await lookAgain();
      }
      return current;
    },
  };
}

async function textOf({ path, text }: ConfigSource): Promise<string | undefined> {
  return path === undefined ? text : await readNamed("--cloud-config", path);
}

/** Returns a text that changes whenever any of the files does, or is created or deleted. */
async function marksOf(files: readonly string[]): Promise<string> {
  const marks = files.map(async (file) => {
    const found = await stat(file).catch(() => undefined);
    return `${file} ${found?.ino} ${found?.size} ${found?.mtimeMs}`;
  });
  return (await Promise.all(marks)).join("\n");
}
