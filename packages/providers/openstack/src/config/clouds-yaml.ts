import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import type { IdentityOptions } from "./identity.ts";
import { invalidConfig } from "./invalid-config.ts";
import { isHttpUrl } from "./options.ts";

/** Where to look for a clouds.yaml, and the cloud to read from it. */
export interface CloudsChoice {
  readonly file: string | undefined;
  readonly cloud: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface CloudsRead {
  readonly options: IdentityOptions;
  /** All files that were read or looked for, so that changes are noticed. */
  readonly files: readonly string[];
}

const text = z.string().min(1).optional();
const authSchema = z.object({
  auth_url: z.string().refine(isHttpUrl, "it must be an http or https URL").optional(),
  ...{ username: text, user_id: text, password: text, token: text },
  ...{ project_id: text, project_name: text, tenant_id: text, tenant_name: text },
  ...{ domain_id: text, domain_name: text },
  ...{ project_domain_id: text, project_domain_name: text },
  ...{ user_domain_id: text, user_domain_name: text },
  application_credential_id: text,
  application_credential_name: text,
  application_credential_secret: text,
  trust_id: text,
});
const cloudSchema = z.object({
  profile: text,
  auth: authSchema.optional(),
  region_name: text,
  interface: text,
  endpoint_type: text,
  ...{ cacert: text, cert: text, key: text },
  verify: z.boolean().optional(),
});
type Cloud = z.infer<typeof cloudSchema>;

/** Not validated yet, so that mistakes in other clouds do not matter. */
const tree = z.record(z.string(), z.unknown());
const fileSchema = z.object({ clouds: tree.nullish(), "public-clouds": tree.nullish() });

/**
 * Reads the cloud from a clouds.yaml, with the secure.yaml and clouds-public.yaml next to it: secrets override the cloud, which
 * overrides the profile. Throws ProviderError `Invalid` if there is no such file or cloud; it names fields, never values.
 */
export async function readClouds(choice: CloudsChoice): Promise<CloudsRead> {
  const candidates = choice.file === undefined ? searched(choice.environment) : [choice.file];
  const { path, clouds } = await firstOf(candidates);
  const name = choice.cloud ?? choice.environment.OS_CLOUD ?? onlyName(clouds, path);
  if (!Object.hasOwn(clouds, name)) {
    throw invalidConfig(`${path} has no cloud ${name}; it has ${namesText(clouds)}.`, "cloud");
  }
  const beside = (file: string) => join(dirname(path), file);
  const secure = await readTree(beside("secure.yaml"));
  const profiles = await readTree(beside("clouds-public.yaml"));
  const cloud = merge(clouds[name], secure?.clouds?.[name]);
  const { profile } = checked(cloud, name, path);
  const vendor = profile === undefined ? {} : (profiles?.["public-clouds"]?.[profile] ?? {});
  const whole = checked(merge(vendor, cloud), name, path);
  return {
    options: optionsOf(whole, name, path),
    files: [path, beside("secure.yaml"), beside("clouds-public.yaml")],
  };
}

function searched({
  OS_CLIENT_CONFIG_FILE: named,
}: CloudsChoice["environment"]): readonly string[] {
  const folders = [process.cwd(), join(homedir(), ".config/openstack"), "/etc/openstack"];
  const standard = folders.map((folder) => join(folder, "clouds.yaml"));
  return named === undefined || named === "" ? standard : [named, ...standard];
}

async function firstOf(candidates: readonly string[]) {
  for (const path of candidates) {
    const read = await readTree(path);
    if (read !== undefined) return { path, clouds: read.clouds ?? {} };
  }
  const tried = candidates.join(", ");
  throw invalidConfig(
    `use-clouds is on, but there is no clouds.yaml: none of ${tried} can be read; set clouds-file.`,
    "clouds-file",
  );
}

async function readTree(path: string): Promise<z.infer<typeof fileSchema> | undefined> {
  const source = await readFile(path, "utf8").catch(() => undefined);
  if (source === undefined) return undefined;
  const read = fileSchema.safeParse(parseYaml(source, path) ?? {});
  if (read.success) return read.data;
  throw invalidConfig(`${path} is not a valid clouds.yaml: ${placeOf(read.error)}; correct it.`);
}

/** The parser's own message quotes the text, possibly with a secret. */
function parseYaml(source: string, path: string): unknown {
  try {
    return parse(source, { prettyErrors: false, logLevel: "error" });
  } catch {
    throw invalidConfig(`${path} is not valid YAML; correct it.`);
  }
}

function onlyName(clouds: Readonly<Record<string, unknown>>, path: string): string {
  const [name, ...others] = Object.keys(clouds);
  if (name !== undefined && others.length === 0) return name;
  throw invalidConfig(
    `${path} has ${namesText(clouds)}, so set cloud to say which one to use.`,
    "cloud",
  );
}

function namesText(clouds: Readonly<Record<string, unknown>>): string {
  return Object.keys(clouds).join(", ") || "no clouds";
}

/** Merges objects recursively; for anything else, the latter wins. */
function merge(base: unknown, over: unknown): unknown {
  if (over === undefined) return base;
  const [low, high] = [tree.safeParse(base), tree.safeParse(over)];
  if (!low.success || !high.success) return over;
  const merged = Object.entries(high.data).map(([key, value]) => [
    key,
    merge(low.data[key], value),
  ]);
  return { ...low.data, ...Object.fromEntries(merged) };
}

function checked(cloud: unknown, name: string, path: string): Cloud {
  const read = cloudSchema.safeParse(cloud);
  if (read.success) return read.data;
  throw invalidConfig(`The cloud ${name} of ${path} is not valid: ${placeOf(read.error)}.`);
}

function placeOf(error: z.ZodError): string {
  const [issue] = error.issues;
  const place = issue?.path.map(String).join(".") ?? "";
  return place === "" ? "it must be a mapping" : `${place}: ${issue?.message}`;
}

const INTERFACES: Readonly<Record<string, "public" | "internal" | "admin">> = {
  ...{ public: "public", publicURL: "public" },
  ...{ internal: "internal", internalURL: "internal" },
  ...{ admin: "admin", adminURL: "admin" },
};

function optionsOf(cloud: Cloud, name: string, path: string): IdentityOptions {
  const { auth = {} } = cloud;
  const wanted = cloud.interface ?? cloud.endpoint_type;
  if (wanted !== undefined && !Object.hasOwn(INTERFACES, wanted)) {
    throw invalidConfig(
      `The cloud ${name} of ${path} is not valid: interface must be public, internal or admin.`,
      "interface",
    );
  }
  return {
    authUrl: auth.auth_url?.replace(/\/+$/, ""),
    ...{ username: auth.username, userId: auth.user_id, password: auth.password },
    ...{ domainId: auth.domain_id, domainName: auth.domain_name },
    ...{ userDomainId: auth.user_domain_id, userDomainName: auth.user_domain_name },
    tenantId: auth.project_id ?? auth.tenant_id,
    tenantName: auth.project_name ?? auth.tenant_name,
    ...{ tenantDomainId: auth.project_domain_id, tenantDomainName: auth.project_domain_name },
    applicationCredentialId: auth.application_credential_id,
    applicationCredentialName: auth.application_credential_name,
    applicationCredentialSecret: auth.application_credential_secret,
    token: auth.token,
    region: cloud.region_name,
    osEndpointType: wanted === undefined ? undefined : INTERFACES[wanted],
    ...{ caFile: cloud.cacert, certFile: cloud.cert, keyFile: cloud.key },
    tlsInsecure: cloud.verify === false,
  };
}
