import { ROLES, type Role, roleSchema } from "../roles.ts";

/** What a group of the identity provider grants. */
export interface GroupRule<Value> {
  /** `*` stands for everybody whom the provider signs in. */
  readonly group: string;
  readonly gives: Value;
}

const EVERYBODY = "*";
const ALL_CLUSTERS = "*";

/**
 * Parses `GROUP=ROLE`, separated by `;` or new lines. The last `=` is the separator, so that a group may be a distinguished
 * name. Throws an Error whose message follows the name of the setting.
 */
export function parseRoleRules(text: string): readonly GroupRule<Role>[] {
  return rulesOf(text, "ROLE").map(({ group, gives }) => {
    const role = roleSchema.safeParse(gives).data;
    if (role !== undefined) return { group, gives: role };
    throw new Error(`gives ${group} the role "${gives}": write one of ${ROLES.join(", ")}.`);
  });
}

/**
 * Parses `GROUP=CLUSTER,CLUSTER`, separated like roles; clusters by name or id, `*` for all of them. Throws like `parseRoleRules`.
 */
export function parseClusterRules(text: string): readonly GroupRule<readonly string[]>[] {
  return rulesOf(text, "CLUSTER").map(({ group, gives }) => {
    const clusters = gives.split(",").map((each) => each.trim());
    if (clusters.every((each) => each !== "")) return { group, gives: clusters };
    throw new Error(`gives ${group} a cluster without a name: write GROUP=CLUSTER,CLUSTER.`);
  });
}

function rulesOf(text: string, what: string): readonly GroupRule<string>[] {
  const lines = text.split(/[;\n]/).map((line) => line.trim());
  return lines
    .filter((line) => line !== "")
    .map((line) => {
      const parts = /^(.+)=([^=]+)$/.exec(line);
      const [group, gives] = [parts?.[1]?.trim(), parts?.[2]?.trim()];
      if (group !== undefined && group !== "" && gives !== undefined && gives !== "") {
        return { group, gives };
      }
      throw new Error(`has "${line}": write GROUP=${what}, and ";" between several.`);
    });
}

/** Returns the highest role that these groups grant; undefined if none. */
export function roleOfGroups(
  groups: readonly string[],
  rules: readonly GroupRule<Role>[],
): Role | undefined {
  const given = new Set(givenBy(groups, rules));
  return ROLES.findLast((role) => given.has(role));
}

/** Returns the clusters that these groups grant, by name or id. */
export function clustersOfGroups(
  groups: readonly string[],
  rules: readonly GroupRule<readonly string[]>[],
): "all" | readonly string[] {
  const given = givenBy(groups, rules).flat();
  return given.includes(ALL_CLUSTERS) ? "all" : [...new Set(given)];
}

function givenBy<Value>(
  groups: readonly string[],
  rules: readonly GroupRule<Value>[],
): readonly Value[] {
  return rules
    .filter(({ group }) => group === EVERYBODY || groups.includes(group))
    .map(({ gives }) => gives);
}
