import { t } from "@cloudwright/core/model/language/text";
/** Shown where there is no value. */
export function Nothing() {
  return (
    <span className="quiet" data-nothing="">
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{t`none`}</span>
    </span>
  );
}
