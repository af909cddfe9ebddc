import { t } from "@cloudwright/core/model/language/text";
import { type ChangesFilter, DIRECTIONS, type Direction } from "@cloudwright/store/views/changes";
import { readChoices, readText, writeParams } from "../../components/url/search-params.ts";
import { readStretch, type Stretch } from "../../components/url/time-range.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";

const MINUTE_MS = 60_000;

/** How long before now the first of the two times is; the second is now. */
export const PRESETS = {
  "-15m": {
    get label() {
      return t`Last 15 min`;
    },
    ms: 15 * MINUTE_MS,
  },
  "-1h": {
    get label() {
      return t`Last hour`;
    },
    ms: 60 * MINUTE_MS,
  },
  "-24h": {
    get label() {
      return t`Last 24 h`;
    },
    ms: 24 * 60 * MINUTE_MS,
  },
} as const;
export type Preset = keyof typeof PRESETS;
export const PRESET_NAMES = Object.keys(PRESETS) as readonly Preset[];

export interface ChangesView {
  readonly preset: Preset;
  /** Two times instead of the preset. */
  readonly between: Stretch | undefined;
  readonly text: string;
  readonly kinds: readonly string[];
  readonly directions: readonly Direction[];
  /** The row open beside the list, by `changeId`. */
  readonly peek: string | undefined;
}

const USUAL: Preset = "-1h";
const KNOWN = ["from", "to", "q", "kind", "change", "peek"];

/** `?from=-24h&kind=Node,Service&change=worse`, or `from` and `to` as instants. */
export const changesUrl: UrlCodec<ChangesView> = {
  parse(params) {
    const between = readStretch(params);
    const range = readChoices(between === undefined ? params.get("from") : null, PRESET_NAMES);
    const directions = readChoices(params.get("change"), DIRECTIONS);
    const strayEnd = between === undefined && params.has("to") ? ["to"] : [];
    return {
      view: {
        ...{ preset: range.values[0] ?? USUAL, between, text: params.get("q") ?? "" },
        kinds: (params.get("kind") ?? "").split(",").filter((kind) => kind !== ""),
        directions: directions.values,
        peek: readText(params.get("peek")),
      },
      dropped: [
        ...[...range.dropped, ...directions.dropped, ...strayEnd],
        ...[...params.keys()].filter((name) => !KNOWN.includes(name)),
      ],
    };
  },
  format: ({ preset, between, text, kinds, directions, peek }) =>
    writeParams({
      ...(between === undefined
        ? { from: preset === USUAL ? undefined : preset }
        : written(between)),
      ...{ q: text, kind: kinds.join(","), change: directions.join(","), peek },
    }),
};

function written({ from, to }: Stretch) {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

/**
 * Returns the two times of a view. A preset ends with the current minute, so that it includes what happens now without the moving clock
 * causing a new query each second.
 */
export function timesOf({ preset, between }: ChangesView, now: number): Stretch {
  if (between !== undefined) return between;
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  return { from: minute - PRESETS[preset].ms, to: minute + MINUTE_MS };
}

/** Returns the server's filter for a view. */
export function changesFilter(view: ChangesView, times: Stretch): ChangesFilter {
  const { text, kinds, directions } = view;
  return {
    ...{ from: times.from, to: times.to },
    text: text.trim() === "" ? undefined : text.trim(),
    kinds: kinds.length === 0 ? undefined : kinds,
    directions: directions.length === 0 ? undefined : directions,
  };
}

export function isFiltered({ text, kinds, directions }: ChangesView): boolean {
  return text.trim() !== "" || kinds.length > 0 || directions.length > 0;
}

export function withoutFilters(view: ChangesView): ChangesView {
  return { ...view, text: "", kinds: [], directions: [] };
}

/** Adds a value, or removes it if it is there. */
export function toggled<Value>(values: readonly Value[], value: Value): readonly Value[] {
  return values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
}
