"use client";
import { LANGUAGE_NAMES } from "@cloudwright/core/model/language/languages";
import { t } from "@cloudwright/core/model/language/text";
import { chosenKey } from "@cloudwright/core/model/preferences";
import { useMantineColorScheme } from "@mantine/core";
import { type ReactNode, useId, useState, useSyncExternalStore } from "react";
import { Button } from "../../components/button/button.tsx";
import { late } from "../../components/late.tsx";
import page from "../../components/page/page.module.css";
import { changePreferences, chooseZone, usePreferences } from "../../components/preferences.ts";
import { formatInstant } from "../../components/time/format-time.ts";
import { useNow } from "../../components/time/ticker.ts";
import { type Zone, zoneLabel } from "../../components/time/zone.ts";
import styles from "./settings.module.css";

const KeysChoice = late(() => import("./keys-choice.tsx").then((part) => part.KeysChoice));

/** Saved at once with the account, except for the theme, which suits a screen and the light around it. */
export function AppearanceSection() {
  const { density, language, zone, time, shortcuts, keys } = usePreferences();
  const now = useNow();
  const isHydrated = useIsHydrated();
  return (
    <div className={`${page.card} grid narrows gap-4 pad-4`}>
      <p className="second">
        {t`Kept with your account, wherever you sign in; so are the columns of lists. The
          theme and the widths of columns stay in this browser.`}
      </p>
      <ThemeChoice />
      <Choice
        label={t`Density of rows`}
        help={t`The ${chosenKey(keys, "d")} key cycles through them.`}
        choices={{ compact: t`Compact`, normal: t`Normal`, comfortable: t`Comfortable` }}
        chosen={density}
        onChoose={(chosen) => changePreferences(() => ({ density: chosen }))}
      />
      <Choice
        label={t`Language`}
        help={t`Applies to the pages. Events, logs, files and the HTTP API are in English.`}
        choices={{ browser: t`This browser's`, ...LANGUAGE_NAMES }}
        chosen={language}
        onChoose={(chosen) => changePreferences(() => ({ language: chosen }))}
      />
      <Choice
        label={t`Time zone`}
        help={isHydrated ? t`It is now ${formatInstant(now, zone).replace(/\.\d+/, "")}.` : ""}
        choices={{ local: t`This computer's`, UTC: "UTC" }}
        chosen={zone}
        onChoose={chooseZone}
      >
        {isHydrated ? <NamedZone zone={zone} /> : null}
      </Choice>
      <Choice
        label={t`Times`}
        help={t`The ${chosenKey(keys, "t")} key switches between them.`}
        choices={{ relative: t`Relative: 14 min ago`, absolute: t`Absolute: 14:02:09` }}
        chosen={time}
        onChoose={(chosen) => changePreferences(() => ({ time: chosen }))}
      />
      <Choice
        label={t`Single-key shortcuts`}
        help={t`Turn these off if you use voice control. Ctrl K and Tab always work.`}
        choices={{ on: t`On`, off: t`Off` }}
        chosen={shortcuts ? "on" : "off"}
        onChoose={(chosen) => changePreferences(() => ({ shortcuts: chosen === "on" }))}
      />
      {shortcuts ? <KeysChoice /> : null}
    </div>
  );
}

/** Every zone that this browser can show, by its IANA name. */
function NamedZone({ zone }: { readonly zone: Zone }) {
  const isNamed = zone !== "local" && zone !== "UTC";
  const [known] = useState(() =>
    Intl.supportedValuesOf("timeZone").filter((each) => each !== "UTC"),
  );
  // A browser may support a zone under a name that is not in its own list.
  const zones = isNamed && !known.includes(zone) ? [zone, ...known] : known;
  return (
    <select
      aria-label={t`Another time zone`}
      className={`narrows pad-0-3 on-surface ${styles.zones}`}
      data-chosen={isNamed}
      value={isNamed ? zone : ""}
      onChange={({ currentTarget }) => chooseZone(currentTarget.value)}
    >
      <option value="" disabled>
        {t`Another…`}
      </option>
      {zones.map((each) => (
        <option key={each} value={each}>
          {zoneLabel(each)}
        </option>
      ))}
    </select>
  );
}

function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isHydrated = useIsHydrated();
  return (
    <Choice
      label={t`Theme`}
      help={t`Light, dark, or the system's setting.`}
      choices={{ auto: t`Same as system`, light: t`Light`, dark: t`Dark` }}
      chosen={isHydrated ? colorScheme : undefined}
      onChoose={setColorScheme}
    />
  );
}

/** The server knows neither this browser's storage nor its clock, so the first render uses neither. */
function useIsHydrated(): boolean {
  return useSyncExternalStore<boolean>(
    () => () => undefined,
    () => true,
    () => false,
  );
}

function Choice<Id extends string>({
  label,
  help,
  choices,
  chosen,
  onChoose,
  children,
}: {
  readonly label: string;
  readonly help: ReactNode;
  readonly choices: Readonly<Record<Id, string>>;
  readonly chosen: string | undefined;
  readonly onChoose: (id: Id) => void;
  /** Further choices after the buttons. */
  readonly children?: ReactNode;
}) {
  const id = useId();
  const entries = Object.entries<string>(choices) as [Id, string][];
  return (
    <fieldset className={`grid gap-1 pad-0 flush frameless ${styles.choice}`} aria-describedby={id}>
      <legend>{label}</legend>
      <div className={page.toolbar}>
        {entries.map(([each, text]) => (
          <Button
            key={each}
            active={each === chosen}
            aria-pressed={each === chosen}
            onClick={() => onChoose(each)}
          >
            {text}
          </Button>
        ))}
        {children}
      </div>
      <p id={id} className="quiet small light">
        {help}
      </p>
    </fieldset>
  );
}
