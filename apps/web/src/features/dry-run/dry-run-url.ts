import { CONTROLLER_NAMES, type ControllerName } from "@cloudwright/core/model/controller-names";
import type { ShadowFilter } from "@cloudwright/store/views/shadow";
import { readChoices, readText, writeParams } from "../../components/url/search-params.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";

export const SHOWN = ["changes", "stopped", "all"] as const;
export type Shown = (typeof SHOWN)[number];

export interface DryRunView {
  readonly show: Shown;
  readonly text: string;
  readonly controller: ControllerName | undefined;
  /** Id of the run that is looked at beside the list. */
  readonly peek: string | undefined;
}

const KNOWN = ["show", "q", "controller", "peek"];

export const dryRunUrl: UrlCodec<DryRunView> = {
  parse(params) {
    const show = readChoices(params.get("show"), SHOWN);
    const controller = readChoices(params.get("controller"), CONTROLLER_NAMES);
    return {
      view: {
        show: show.values[0] ?? "changes",
        text: params.get("q") ?? "",
        controller: controller.values[0],
        peek: readText(params.get("peek")),
      },
      dropped: [
        ...show.dropped,
        ...controller.dropped,
        ...[...params.keys()].filter((name) => !KNOWN.includes(name)),
      ],
    };
  },
  format: ({ show, text, controller, peek }) =>
    writeParams({ show: show === "changes" ? undefined : show, q: text, controller, peek }),
};

export function dryRunFilter({ show, text, controller }: DryRunView): ShadowFilter {
  return { show, text: text.trim() === "" ? undefined : text.trim(), controller };
}
