import { type ProviderConfig, ProviderError } from "@cloudwright/provider-api";
import { DEFAULT_ANSWER_BOUNDS } from "@cloudwright/provider-api/http";
import { parse } from "yaml";
import { z } from "zod";

export const PROVIDER = "sandbox";

const capability = z.boolean().default(true);

const configSchema = z.strictObject({
  endpoint: z
    .url({ protocol: /^https?$/, error: "it must be an http or https URL" })
    .transform((url) => url.replace(/\/+$/, "")),
  token: z.string().min(1, "it must not be empty"),
  /** The region of resources that we create; existing ones are found in any region. */
  region: z.string().min(1).optional(),
  /** Names this cluster in the cloud; if absent, the cloud is untagged. */
  clusterId: z.string().min(1).optional(),
  /** The maximum bytes of one answer, and of one listing as a whole. */
  maxAnswerBytes: z.int().positive().default(DEFAULT_ANSWER_BOUNDS.maxBytes),
  capabilities: z
    .strictObject({
      instances: capability,
      zones: capability,
      loadBalancers: capability,
      routes: capability,
      volumes: capability,
    })
    .prefault({}),
});
/** The sandbox provider's config (spec/70, "Provider config"). */
export type SandboxConfig = z.infer<typeof configSchema>;

/**
 * Parses the text of `--cloud-config`. Throws ProviderError `Invalid`, which names the first invalid field; the message never
 * contains values, as one of them is a secret.
 */
export function readConfig({ text, path }: ProviderConfig): SandboxConfig {
  const file = path ?? "the cloud config";
  if (text === undefined) {
    throw invalid(
      "The sandbox provider needs a config with endpoint and token; give its path with --cloud-config.",
    );
  }
  const parsed = configSchema.safeParse(parseYaml(text, file));
  if (parsed.success) return parsed.data;
  const { field, problem } = describeIssue(parsed.error.issues[0]);
  throw invalid(`The field ${field} of ${file} is not valid: ${problem}.`, field);
}

/** The parser's own message quotes the text, possibly with the token: only the position is reported. */
function parseYaml(text: string, file: string): unknown {
  try {
    return parse(text, { prettyErrors: true, logLevel: "error" });
  } catch (error) {
    const line = placeOf(error);
    throw invalid(`${file} is not valid YAML${line}; correct it.`);
  }
}

function placeOf(error: unknown): string {
  if (!(error instanceof Error && "linePos" in error)) return "";
  const places = z.array(z.object({ line: z.number() })).safeParse(error.linePos);
  const line = places.success ? places.data[0]?.line : undefined;
  return line === undefined ? "" : ` (line ${line})`;
}

function describeIssue(issue: z.core.$ZodIssue | undefined): { field: string; problem: string } {
  if (issue === undefined) return { field: "(document)", problem: "it cannot be read" };
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    const field = [...path, issue.keys[0] ?? ""].join(".");
    return { field, problem: "there is no such field" };
  }
  const field = path.length === 0 ? "(document)" : path.join(".");
  return { field, problem: issue.message };
}

function invalid(message: string, field?: string): ProviderError {
  return new ProviderError("Invalid", message, {
    provider: PROVIDER,
    operation: "read the config",
    ...(field === undefined ? {} : { field }),
  });
}
