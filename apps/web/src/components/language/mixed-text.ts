import { textParts } from "@cloudwright/core/model/language/text";
import { Children, type ReactNode } from "react";

/** A translated text with elements in the middle of it: mixed`Ask ${<b>ana</b>} to approve it.` */
export function mixed(strings: TemplateStringsArray, ...values: readonly ReactNode[]): ReactNode {
  return Children.toArray([...textParts<ReactNode>(strings, ...values)]);
}
