import { readText, writeParams } from "../../components/url/search-params.ts";
import {
  type Range,
  readTimeRange,
  type TimeRange,
  timeFilter,
  writeTimeRange,
} from "../../components/url/time-range.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";
import { type AuditSelection, auditTerm, parseAuditFilter } from "./audit-grammar.ts";

export interface AuditView extends TimeRange {
  readonly text: string;
  /** Entries of the cluster, or those about the dashboard's accounts. */
  readonly chain: "cluster" | "accounts";
  /** Whether entries of previews are listed as well. */
  readonly previews: boolean;
  /** Number of the entry open beside the list. */
  readonly peek: string | undefined;
}

export type AuditFilter = AuditSelection & {
  readonly from?: number;
  readonly to?: number;
  readonly withoutPreviews?: boolean;
};

const DEFAULT_RANGE: Range = "all";
/** Parameters for single filters are accepted as well and become terms of the box. */
const TERMS = ["actor", "action", "object", "result", "run", "intent", "request"];
const KNOWN = ["q", "from", "to", "chain", "previews", "peek", ...TERMS];

/** The address of a view of the Audit page: `?q=actor:ana&from=-24h&chain=accounts`. */
export const auditUrl: UrlCodec<AuditView> = {
  parse(params) {
    const { time, dropped } = readTimeRange(params, DEFAULT_RANGE);
    const terms = TERMS.flatMap((name) => params.getAll(name).map((text) => auditTerm(name, text)));
    const chain = params.get("chain");
    const previews = params.get("previews");
    const peek = readText(params.get("peek"));
    const isNumber = peek === undefined || /^[1-9]\d{0,14}$/.test(peek);
    return {
      view: {
        text: [params.get("q") ?? "", ...terms].filter((term) => term !== "").join(" "),
        ...time,
        chain: chain === "accounts" ? "accounts" : "cluster",
        previews: previews === "shown",
        peek: isNumber ? peek : undefined,
      },
      dropped: [
        ...dropped,
        ...(chain === null || chain === "accounts" ? [] : [chain]),
        ...(previews === null || previews === "shown" ? [] : [previews]),
        ...(isNumber ? [] : [peek]),
        ...[...params.keys()].filter((name) => !KNOWN.includes(name)),
      ],
    };
  },
  format: (view) =>
    writeParams({
      q: view.text,
      ...writeTimeRange(view, DEFAULT_RANGE),
      chain: view.chain === "accounts" ? "accounts" : undefined,
      previews: view.previews ? "shown" : undefined,
      peek: view.peek,
    }),
};

/** Returns the server's filter for a view. It shows all entries of one action, even if it is a preview. */
export function auditFilter(view: AuditView, now: number): AuditFilter {
  const { selection } = parseAuditFilter(view.text);
  const isHidden = !view.previews && view.chain === "cluster" && selection.intentId === undefined;
  return {
    ...selection,
    ...timeFilter(view, now),
    ...(isHidden ? { withoutPreviews: true } : {}),
  };
}

/** The chain's name on the server. */
export function chainOf(cluster: string, { chain }: Pick<AuditView, "chain">): string {
  return chain === "accounts" ? "accounts" : cluster;
}
