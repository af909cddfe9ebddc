import { parse } from "yaml";
import { z } from "zod";
import { MODULES } from "../../modules.ts";

/** The components that may run a migrating controller; `*` is any holder of the migration Lease (KEP-2436). */
const COMPONENTS = ["kube-controller-manager", "cloud-controller-manager", "*"] as const;
export type MigrationComponent = (typeof COMPONENTS)[number];

/** Which controllers migrate between processes, and under which second Lease (spec/00 §10). */
export interface LeaderMigration {
  /** Name of the second Lease. */
  readonly leaderName: string;
  readonly resourceLock: "leases";
  /** Names as written, in any spelling, including controllers that are not ours. */
  readonly controllerLeaders: readonly {
    readonly name: string;
    readonly component: MigrationComponent;
  }[];
}

/** Upstream's default, which needs no file. */
export const DEFAULT_LEADER_MIGRATION: LeaderMigration = {
  leaderName: "cloud-provider-extraction-migration",
  resourceLock: "leases",
  controllerLeaders: MODULES.flatMap(({ migratesAs }) =>
    migratesAs === undefined ? [] : [{ name: migratesAs, component: "*" }],
  ),
};

/** Why a text is not a valid configuration, as the end of a sentence that begins with its file. */
export class LeaderMigrationProblem extends Error {
  override readonly name = "LeaderMigrationProblem";
}

const GROUP = "controllermanager.config.k8s.io";
const VERSIONS = ["v1", "v1beta1", "v1alpha1"].map((version) => `${GROUP}/${version}`);
const KIND = "LeaderMigrationConfiguration";

const ABSENT = "it is not there";

/** The message for an invalid field; a missing one is named separately. */
function must(be: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) =>
      input === undefined ? ABSENT : `it must be ${be}`,
  };
}

const filled = z.string(must("a text")).min(1, "it must not be empty");
const configSchema = z.strictObject({
  apiVersion: z.enum(VERSIONS, must(`one of ${VERSIONS.join(", ")}`)),
  kind: z.literal(KIND, must(KIND)),
  leaderName: filled,
  // As in upstream, an empty value is the default as well.
  resourceLock: z
    .enum(["leases", ""], must("leases, the only lock there is"))
    .nullish()
    .transform(() => "leases" as const),
  controllerLeaders: z
    .array(
      z.strictObject({
        name: filled,
        component: z.enum(COMPONENTS, must(`one of ${COMPONENTS.join(", ")}`)),
      }),
    )
    .nullish()
    .transform((leaders) => leaders ?? []),
});

/** Parses the text of `--leader-migration-config` strictly: unknown or duplicate fields are refused. Throws LeaderMigrationProblem. */
export function parseLeaderMigration(text: string): LeaderMigration {
  const parsed = configSchema.safeParse(parseYaml(text));
  if (!parsed.success) throw new LeaderMigrationProblem(problemOf(parsed.error.issues[0]));
  const { leaderName, resourceLock, controllerLeaders } = parsed.data;
  return { leaderName, resourceLock, controllerLeaders };
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { logLevel: "error" });
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split("\n", 1)[0] ?? "") : String(cause);
    throw new LeaderMigrationProblem(`is not valid YAML: ${why.replace(/:$/, "")}; correct it`);
  }
}

function problemOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return "cannot be read";
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    const field = [...path, issue.keys[0] ?? ""].join(".");
    return `has the unknown field ${field}: remove it`;
  }
  if (path.length === 0)
    return `does not contain a ${KIND}: write its fields, as the documentation shows`;
  if (issue.message === ABSENT) return `lacks the field ${path.join(".")}: add it`;
  return `has a field ${path.join(".")} that is not valid: ${issue.message}`;
}
