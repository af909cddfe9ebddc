import { type Language, LOCALES } from "./languages.ts";
import { currentLanguage, t } from "./text.ts";

/** Returns `1,204`, formatted for the reader's language. */
export function formatCount(count: number): string {
  return inLanguage(NUMBERS, (locale) => new Intl.NumberFormat(locale)).format(count);
}

/** Returns at most one decimal: `4.2`. */
export function formatDecimal(value: number): string {
  return inLanguage(
    DECIMALS,
    (locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }),
  ).format(value);
}

/** Returns `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  return inLanguage(LISTS, (locale) => new Intl.ListFormat(locale)).format(words);
}

const NUMBERS = new Map<Language, Intl.NumberFormat>();
const DECIMALS = new Map<Language, Intl.NumberFormat>();
const LISTS = new Map<Language, Intl.ListFormat>();

/** Cached, because creating a formatter takes far longer than using it. */
function inLanguage<Format>(kept: Map<Language, Format>, make: (locale: string) => Format): Format {
  const language = currentLanguage();
  const found = kept.get(language) ?? make(LOCALES[language]);
  kept.set(language, found);
  return found;
}

/**
 * What can be counted, each with its messages for one and for several. They are whole messages, because languages differ in
 * more than the ending of the noun: `3 个节点`.
 */
const COUNTED = {
  node: [() => t`1 node`, (count) => t`${count} nodes`],
  "node's routes": [() => t`1 node's routes`, (count) => t`${count} nodes' routes`],
  Service: [() => t`1 Service`, (count) => t`${count} Services`],
  "load balancer": [() => t`1 load balancer`, (count) => t`${count} load balancers`],
  route: [() => t`1 route`, (count) => t`${count} routes`],
  "route table": [() => t`1 route table`, (count) => t`${count} route tables`],
  table: [() => t`1 table`, (count) => t`${count} tables`],
  "more table": [() => t`1 more table`, (count) => t`${count} more tables`],
  volume: [() => t`1 volume`, (count) => t`${count} volumes`],
  machine: [() => t`1 machine`, (count) => t`${count} machines`],
  zone: [() => t`1 zone`, (count) => t`${count} zones`],
  object: [() => t`1 object`, (count) => t`${count} objects`],
  "cloud resource": [() => t`1 cloud resource`, (count) => t`${count} cloud resources`],
  cluster: [() => t`1 cluster`, (count) => t`${count} clusters`],
  replica: [() => t`1 replica`, (count) => t`${count} replicas`],
  flag: [() => t`1 flag`, (count) => t`${count} flags`],
  permission: [() => t`1 permission`, (count) => t`${count} permissions`],
  plan: [() => t`1 plan`, (count) => t`${count} plans`],
  change: [() => t`1 change`, (count) => t`${count} changes`],
  "more change": [() => t`1 more change`, (count) => t`${count} more changes`],
  call: [() => t`1 call`, (count) => t`${count} calls`],
  "more call": [() => t`1 more call`, (count) => t`${count} more calls`],
  "cloud call": [() => t`1 cloud call`, (count) => t`${count} cloud calls`],
  run: [() => t`1 run`, (count) => t`${count} runs`],
  entry: [() => t`1 entry`, (count) => t`${count} entries`],
  deletion: [() => t`1 deletion`, (count) => t`${count} deletions`],
  "held deletion": [() => t`1 held deletion`, (count) => t`${count} held deletions`],
  day: [() => t`1 day`, (count) => t`${count} days`],
} as const satisfies Record<string, readonly [() => string, (count: string) => string]>;

/** Named by the English word for one of it. */
export type Counted = keyof typeof COUNTED;

/** Returns `1 node`, `1,204 nodes`. */
export function countOf(count: number, what: Counted): string {
  const [one, many] = COUNTED[what];
  return count === 1 ? one() : many(formatCount(count));
}
