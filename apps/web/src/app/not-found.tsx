import { t } from "@cloudwright/core/model/language/text";
import { mixed } from "../components/language/mixed-text.ts";
import { LonePage } from "../components/page/lone-page.tsx";

export default function NotFound() {
  return (
    <LonePage title={t`There is no such page`}>
      <p>
        {/* Not Link, which every page would load twice, because Next sends this page along with each. */}
        {mixed`The address may be incomplete. ${<a href="/">{t`Go to the clusters`}</a>}.`}
      </p>
    </LonePage>
  );
}
