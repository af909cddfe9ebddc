import { t, worded } from "@cloudwright/core/model/language/text";
import type { Total } from "@cloudwright/store/views/views";
import { formatCount } from "../../components/presentation/format-text.ts";

/** What a list says about its rows, each as a whole sentence, because other languages inflect the surrounding words. */
interface ListWords {
  readonly one: string;
  readonly many: string;
  readonly filter: string;
  /** Shown if none of them matches. */
  readonly none: string;
  /** The label of the button that clears the filter. */
  readonly all: string;
}

/** By the thing's identifier in the code. */
const WORDS = {
  node: worded({
    one: () => t`node`,
    many: () => t`nodes`,
    filter: () => t`Filter nodes`,
    none: () => t`No node matches this filter`,
    all: () => t`Show all nodes`,
  }),
  "load balancer": worded({
    one: () => t`load balancer`,
    many: () => t`load balancers`,
    filter: () => t`Filter load balancers`,
    none: () => t`No load balancer matches this filter`,
    all: () => t`Show all load balancers`,
  }),
  orphan: worded({
    one: () => t`orphan`,
    many: () => t`orphans`,
    filter: () => t`Filter orphans`,
    none: () => t`No orphan matches this filter`,
    all: () => t`Show all orphans`,
  }),
  route: worded({
    one: () => t`route`,
    many: () => t`routes`,
    filter: () => t`Filter routes`,
    none: () => t`No route matches this filter`,
    all: () => t`Show all routes`,
  }),
  "foreign route": worded({
    one: () => t`foreign route`,
    many: () => t`foreign routes`,
    filter: () => t`Filter foreign routes`,
    none: () => t`No foreign route matches this filter`,
    all: () => t`Show all foreign routes`,
  }),
  event: worded({
    one: () => t`Event`,
    many: () => t`Events`,
    filter: () => t`Filter Events`,
    none: () => t`No Events match this filter`,
    all: () => t`Show all Events`,
  }),
  volume: worded({
    one: () => t`volume`,
    many: () => t`volumes`,
    filter: () => t`Filter volumes`,
    none: () => t`No volume matches this filter`,
    all: () => t`Show all volumes`,
  }),
  action: worded({
    one: () => t`action`,
    many: () => t`actions`,
    filter: () => t`Filter actions`,
    none: () => t`No action matches this filter`,
    all: () => t`Show all actions`,
  }),
  change: worded({
    one: () => t`change`,
    many: () => t`changes`,
    filter: () => t`Filter changes`,
    none: () => t`No change matches this filter`,
    all: () => t`Show all changes`,
  }),
  object: worded({
    one: () => t`object`,
    many: () => t`objects`,
    filter: () => t`Filter objects`,
    none: () => t`No object matches this filter`,
    all: () => t`Show all objects`,
  }),
  "cloud resource": worded({
    one: () => t`cloud resource`,
    many: () => t`cloud resources`,
    filter: () => t`Filter cloud resources`,
    none: () => t`No cloud resource matches this filter`,
    all: () => t`Show all cloud resources`,
  }),
} satisfies Readonly<Record<string, ListWords>>;

/** What a row of a list is, such as `load balancer`. */
export type ListThing = keyof typeof WORDS;

export function listWords(thing: ListThing): ListWords {
  return WORDS[thing];
}

/** Returns the label of the filter field for a list of `things`, such as `load balancers`. */
export function filterLabel(things: string): string {
  return Object.entries(WORDS).find(([one]) => `${one}s` === things)?.[1].filter ?? things;
}

/** `1 node matches`, `1,000+ load balancers`. */
export function countOfRows({ kind, count }: Total, thing: ListThing, isFiltered: boolean): string {
  const { one, many } = listWords(thing);
  const number = `${formatCount(count)}${kind === "exact" ? "" : "+"}`;
  const counted = t`${number} ${count === 1 ? one : many}`;
  if (!isFiltered) return counted;
  return count === 1 ? t`${counted} matches` : t`${counted} match`;
}
