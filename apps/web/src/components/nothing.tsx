import { t } from "@cloudwright/core/model/language/text";
/** Stands where there is nothing to say. */
export function Nothing() {
  return (
    <span className="quiet" data-nothing="">
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{t`none`}</span>
    </span>
  );
}
