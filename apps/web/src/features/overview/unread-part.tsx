import { t } from "@cloudwright/core/model/language/text";
import type { OverviewPart, OverviewView } from "@cloudwright/store/views/overview";

/** Whether a part is empty because it could not be read. */
export function isUnread({ unread = [] }: OverviewView, part: OverviewPart): boolean {
  return unread.includes(part);
}

/** Stands where the part would: the rest of the page says what is wrong without it. */
export function UnreadPart() {
  return (
    <p className="small" role="status">
      {t`This part could not be read; the log of the dashboard says why. The rest of the page is not affected.`}
    </p>
  );
}
