import type { Action } from "@cloudwright/core/model/actions/action";
import { t } from "@cloudwright/core/model/language/text";

/** The labels of an action that ends by itself and may be extended. */
interface ExtensionWords {
  /** Names what the dialog is about, for screen readers that hear only the button. */
  readonly of: string;
  readonly button: string;
  readonly title: (thing: string) => string;
  readonly endsSoon: string;
}

export function extensionWords(kind: Action["kind"]): ExtensionWords {
  switch (kind) {
    case "hold":
      return {
        of: t`the hold`,
        button: t`Extend hold`,
        title: (thing) => t`Extend the hold of ${thing}`,
        endsSoon: t`The hold ends in less than 10 minutes.`,
      };
    case "override":
      return {
        of: t`the override`,
        button: t`Extend override`,
        title: (thing) => t`Extend the override of ${thing}`,
        endsSoon: t`The override ends in less than 10 minutes.`,
      };
    default:
      return {
        of: t`the pause`,
        button: t`Extend pause`,
        title: (thing) => t`Extend the pause of ${thing}`,
        endsSoon: t`The pause ends in less than 10 minutes.`,
      };
  }
}
