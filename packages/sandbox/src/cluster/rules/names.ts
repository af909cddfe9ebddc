/** Rules of names, label keys and label values: each returns the problems in upstream's words, or none. */
export type NameRule = (value: string) => readonly string[];

const SUBDOMAIN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
const CONFIG_KEY = "[-._a-zA-Z0-9]+";

const LABEL_SENTENCE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end " +
  `with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`;

const QUALIFIED_SENTENCE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED}')`;

/** Requires an RFC 1123 subdomain of at most 253 characters. */
export function subdomainProblems(value: string): readonly string[] {
  return subdomainRule(value, "characters");
}

/** Requires an RFC 1123 label of at most 63 characters. */
export function dnsLabelProblems(value: string): readonly string[] {
  return dnsLabelRule(value, "characters");
}

/** Checks the same rule, in upstream's words for namespaces. */
export function namespaceNameProblems(value: string): readonly string[] {
  return dnsLabelRule(value, "bytes");
}

/** Upstream has two sets of these rules, which differ in this word. */
type Unit = "bytes" | "characters";

function subdomainRule(value: string, unit: Unit): readonly string[] {
  return [
    ...lengthProblem(value, 253, unit),
    ...patternProblem(
      value,
      SUBDOMAIN,
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start " +
        `and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`,
    ),
  ];
}

function dnsLabelRule(value: string, unit: Unit): readonly string[] {
  const isDotted = value.includes(".") && matches(value, SUBDOMAIN);
  return [
    ...lengthProblem(value, 63, unit),
    ...(isDotted ? ["must not contain dots"] : patternProblem(value, LABEL, LABEL_SENTENCE)),
  ];
}

/** Requires a valid segment of a path: the rule for RBAC's names. */
export function pathSegmentProblems(value: string): readonly string[] {
  if (value === "." || value === "..") return [`may not be '${value}'`];
  return ["/", "%"]
    .filter((sign) => value.includes(sign))
    .map((sign) => `may not contain '${sign}'`);
}

/** Requires `prefix/name` or `name`: keys of labels, annotations and taints. */
export function qualifiedNameProblems(value: string): readonly string[] {
  const parts = value.split("/");
  if (parts.length > 2) {
    return [
      `a valid label key ${QUALIFIED_SENTENCE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? "";
  const prefix = parts.length === 2 ? prefixProblems(parts[0] ?? "") : [];
  return [...prefix, ...namePartProblems(name)];
}

export function labelValueProblems(value: string): readonly string[] {
  return [
    ...lengthProblem(value, 63),
    ...patternProblem(
      value,
      LABEL_VALUE,
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and " +
        "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
        `'${LABEL_VALUE}')`,
    ),
  ];
}

/** Checks the keys of a ConfigMap's or Secret's data. */
export function configKeyProblems(value: string): readonly string[] {
  if (value === "." || value === "..") return [`must not be '${value}'`];
  return [
    ...lengthProblem(value, 253),
    ...patternProblem(
      value,
      CONFIG_KEY,
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  " +
        `or 'key-name', regex used for validation is '${CONFIG_KEY}')`,
    ),
  ];
}

function prefixProblems(prefix: string): readonly string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  return subdomainRule(prefix, "bytes").map((sentence) => `prefix part ${sentence}`);
}

function namePartProblems(name: string): readonly string[] {
  return [
    ...(name === "" ? ["name part must be non-empty"] : []),
    ...lengthProblem(name, 63).map((sentence) => `name part ${sentence}`),
    ...patternProblem(name, QUALIFIED, `name part ${QUALIFIED_SENTENCE}`),
  ];
}

function lengthProblem(value: string, limit: number, unit: Unit = "bytes"): readonly string[] {
  return value.length > limit ? [`must be no more than ${limit} ${unit}`] : [];
}

function patternProblem(value: string, pattern: string, sentence: string): readonly string[] {
  return matches(value, pattern) ? [] : [sentence];
}

function matches(value: string, pattern: string): boolean {
  return new RegExp(`^${pattern}$`).test(value);
}
