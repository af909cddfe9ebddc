import { type duplicateValue, invalidValue, type Problem, unsupportedValue } from "./problem.ts";

const PROTOCOLS = ["SCTP", "TCP", "UDP"];

/** Requires a port number: 1 to 65535. */
export function portNumberProblems(field: string, port: number): readonly Problem[] {
  return port >= 1 && port <= 65_535
    ? []
    : [invalidValue(field, port, "must be between 1 and 65535, inclusive")];
}

/** Requires a port's number or name. */
export function portProblems(field: string, port: string | number): readonly Problem[] {
  return typeof port === "number"
    ? portNumberProblems(field, port)
    : portNameFaults(port).map((why) => invalidValue(field, port, why));
}

export function protocolProblems(field: string, protocol: string): readonly Problem[] {
  return PROTOCOLS.includes(protocol) ? [] : [unsupportedValue(field, protocol, PROTOCOLS)];
}

/** Returns one problem for each item whose identity an earlier one has; items without identity have none. */
export function duplicateProblems<Item>(
  items: readonly Item[],
  identityOf: (item: Item) => string | undefined,
  problem: (item: Item, index: number) => ReturnType<typeof duplicateValue>,
): readonly Problem[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const identity = identityOf(item);
    if (identity === undefined) return [];
    const isDuplicate = seen.has(identity);
    seen.add(identity);
    return isDuplicate ? [problem(item, index)] : [];
  });
}

const LONGEST_PORT_NAME = 15;

function portNameFaults(name: string): readonly string[] {
  return [
    ...(name.length > LONGEST_PORT_NAME
      ? [`must be no more than ${LONGEST_PORT_NAME} characters`]
      : []),
    ...(/^[-a-z0-9]+$/.test(name)
      ? []
      : ["must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"]),
    ...(/[a-z]/.test(name) ? [] : ["must contain at least one letter (a-z)"]),
    ...(name.includes("--") ? ["must not contain consecutive hyphens"] : []),
    ...(/^-|-$/.test(name) ? ["must not begin or end with a hyphen"] : []),
  ];
}
