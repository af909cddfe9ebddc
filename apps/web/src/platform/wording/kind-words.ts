import { countOf, formatCount } from "@cloudwright/core/model/language/counts";
import { t } from "@cloudwright/core/model/language/text";

/** What a kind of object is called on the pages. */
interface KindWords {
  readonly one: () => string;
  readonly counted: (count: number) => string;
  /** The kind that it is counted under where only a count is shown. */
  readonly countedAs?: string;
  /** Words several stuck ones, for things that the cloud has but nothing in the cluster asks for. */
  readonly problems?: (count: string) => string;
}

/** In the order in which a sentence lists them. Any other kind appears under its own name. */
const KINDS: Readonly<Record<string, KindWords>> = {
  Node: { one: () => t`node`, counted: (count) => countOf(count, "node") },
  NodeRoutes: {
    one: () => t`node's routes`,
    counted: (count) => countOf(count, "node's routes"),
  },
  /** Capitalised as in Kubernetes, because it is not a service in general. */
  Service: {
    one: () => "Service",
    counted: (count) => countOf(count, "Service"),
    countedAs: "LoadBalancer",
  },
  LoadBalancer: {
    one: () => t`load balancer`,
    counted: (count) => countOf(count, "load balancer"),
    problems: (count) => t`${count} load balancers without a Service`,
  },
  Route: {
    one: () => t`route`,
    counted: (count) => countOf(count, "route"),
    problems: (count) => t`${count} routes without a node`,
  },
  RouteTable: {
    one: () => t`route table`,
    counted: (count) => countOf(count, "route table"),
  },
  PersistentVolume: { one: () => t`volume`, counted: (count) => countOf(count, "volume") },
};

/** Returns `node`, `Service`, `load balancer`, or `namespace` for a kind without a page. */
export function kindWord(kind: string): string {
  return wordsOf(kind).one();
}

/** `1 node`, `3 load balancers`. */
export function countOfKind(count: number, kind: string): string {
  return wordsOf(kind).counted(count);
}

/** `3 routes without a node`. */
export function countOfProblems(count: number, kind: string): string {
  const { counted, problems } = wordsOf(kind);
  return count === 1 || problems === undefined ? counted(count) : problems(formatCount(count));
}

/** Returns `2 nodes`, `1 load balancer`: each thing once, a Service under load balancers; kinds without any are left out. */
export function countsByKind(counts: Readonly<Record<string, number>>): readonly string[] {
  const summed = new Map<string, number>();
  for (const [kind, count] of Object.entries(counts)) {
    const counted = countedAs(kind);
    summed.set(counted, (summed.get(counted) ?? 0) + count);
  }
  return [...summed]
    .filter(([, count]) => count > 0)
    .toSorted(([left], [right]) => placeOf(left) - placeOf(right) || left.localeCompare(right))
    .map(([kind, count]) => countOfKind(count, kind));
}

/** Returns the kind that a count names: `LoadBalancer` for a Service. */
export function countedAs(kind: string): string {
  return wordsOf(kind).countedAs ?? kind;
}

const ORDER = Object.keys(KINDS);

function placeOf(kind: string): number {
  const place = ORDER.indexOf(kind);
  return place === -1 ? ORDER.length : place;
}

function wordsOf(kind: string): KindWords {
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  const own = kind.toLowerCase();
  return (
    known ?? {
      one: () => own,
      counted: (count) => `${formatCount(count)} ${count === 1 ? own : pluralOf(own)}`,
    }
  );
}

/** Derives a resource's name from that of its kind as the API server does: `policies`, `ingresses`. */
function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
