import type { Action } from "@cloudwright/core/model/action";
import { t } from "@cloudwright/core/model/language/text";

/** What is said of an action that ends by itself and may be given more time. */
interface ExtensionWords {
  /** What opens the dialog, for those who hear the button alone. */
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
        endsSoon: t`Less than 10 minutes are left of the hold.`,
      };
    case "override":
      return {
        of: t`the override`,
        button: t`Extend override`,
        title: (thing) => t`Extend the override of ${thing}`,
        endsSoon: t`Less than 10 minutes are left of the override.`,
      };
    default:
      return {
        of: t`the pause`,
        button: t`Extend pause`,
        title: (thing) => t`Extend the pause of ${thing}`,
        endsSoon: t`Less than 10 minutes are left of the pause.`,
      };
  }
}
