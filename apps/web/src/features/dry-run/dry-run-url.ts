import { CONTROLLER_NAMES, type KnownController } from "@cloudwright/core/model/controller-names";
import type { ShadowFilter } from "@cloudwright/store/views/shadow";
import {
  choiceParam,
  optionalChoiceParam,
  optionalTextParam,
  textParam,
  urlCodec,
} from "../../components/url/url-codec.ts";

export const SHOWN = ["changes", "stopped", "all"] as const;
export type Shown = (typeof SHOWN)[number];

export interface DryRunView {
  readonly show: Shown;
  readonly text: string;
  readonly controller: KnownController | undefined;
  /** Id of the run that is looked at beside the list. */
  readonly peek: string | undefined;
}

export const dryRunUrl = urlCodec<DryRunView>({
  show: choiceParam("show", SHOWN, "changes"),
  text: textParam("q"),
  controller: optionalChoiceParam("controller", CONTROLLER_NAMES),
  peek: optionalTextParam("peek"),
});

export function dryRunFilter({ show, text, controller }: DryRunView): ShadowFilter {
  return { show, text: text.trim() === "" ? undefined : text.trim(), controller };
}
