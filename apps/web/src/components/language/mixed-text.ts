import { textParts } from "@cloudwright/core/model/language/text";
import { createElement, Fragment, type ReactNode } from "react";

/** Returns a translated text with elements embedded in it: mixed`Ask ${<b>ana</b>} to approve it.` */
export function mixed(strings: TemplateStringsArray, ...values: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, undefined, ...textParts<ReactNode>(strings, ...values));
}
