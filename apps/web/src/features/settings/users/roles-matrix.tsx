"use client";
import { ACTION_KINDS, actionOf } from "@cloudwright/core/model/actions/action";
import { roleFor } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { ROLES, type Role, roleIncludes } from "@cloudwright/core/model/roles";
import { Button } from "../../../components/button/button.tsx";
import page from "../../../components/page/page.module.css";
import { ScrollBox } from "../../../components/scroll-edges/scroll-edges.tsx";
import { viewAs } from "../../../platform/viewer/view-as.ts";
import { useViewer } from "../../../platform/viewer/viewer-context.tsx";
import styles from "../settings.module.css";
import { SettingsPanel } from "../settings-panel.tsx";

/** Who may do what. Users can preview a lesser role than their own. */
export function RolesMatrix() {
  const { ownRole, role } = useViewer();
  return (
    <SettingsPanel title={t`What each role may do`}>
      <ScrollBox className="scroll-x">
        <table className={styles.matrix}>
          <caption className="visually-hidden">{t`What each role may do`}</caption>
          <thead>
            <tr>
              <th scope="col">{t`Right`}</th>
              {ROLES.map((each) => (
                <th key={each} scope="col">
                  {each}
                  {each === ownRole ? <span className="quiet small light"> {t`(you)`}</span> : null}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {RIGHTS.map(({ what, needs }) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                {ROLES.map((each) => (
                  <td key={each}>
                    <Mark has={roleIncludes(each, needs)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <ViewAs own={ownRole} shown={role} />
    </SettingsPanel>
  );
}

function Mark({ has }: { readonly has: boolean }) {
  return (
    <span className={styles.mark} data-has={has}>
      <span aria-hidden="true">{has ? "✓" : "–"}</span>
      <span className="visually-hidden">{has ? t`yes` : t`no`}</span>
    </span>
  );
}

function ViewAs({ own, shown }: { readonly own: Role; readonly shown: Role }) {
  const lesser = ROLES.filter((role) => role !== own && roleIncludes(own, role));
  if (lesser.length === 0) return null;
  return (
    <div className={page.toolbar}>
      <span className="quiet small light">{t`See the pages as`}</span>
      {[...lesser, own].map((role) => (
        <Button
          key={role}
          active={role === shown}
          aria-pressed={role === shown}
          onClick={() => viewAs(role === own ? undefined : role)}
        >
          {role === own ? t`yourself` : role}
        </Button>
      ))}
    </div>
  );
}

export interface Right {
  readonly what: string;
  /** The least role that has it; each role includes the lesser ones. */
  readonly needs: Role;
}

const ACTIONS: readonly Right[] = [
  {
    get what() {
      return t`Dry run: see what an action would change`;
    },
    needs: roleFor("preview"),
  },
  ...ACTION_KINDS.map((kind) => ({
    get what() {
      return actionOf(kind).right();
    },
    needs: actionOf(kind).role,
  })),
];

const OTHERS: readonly Right[] = [
  {
    get what() {
      return t`See everything: nodes, runs, actions, audit`;
    },
    needs: "viewer",
  },
  {
    get what() {
      return t`Verify and export the audit record`;
    },
    needs: "viewer",
  },
  {
    get what() {
      return t`Change your own password, end your own sessions`;
    },
    needs: "viewer",
  },
  {
    get what() {
      return t`Add and disable users, change roles, reset passwords`;
    },
    needs: "admin",
  },
  {
    get what() {
      return t`See and end other users' sessions`;
    },
    needs: "admin",
  },
  {
    get what() {
      return t`Require another user's approval for a cluster's actions`;
    },
    needs: "admin",
  },
];

/** The permissions as the server checks them, those of the least role first. */
export const RIGHTS: readonly Right[] = ROLES.flatMap((role) =>
  [...OTHERS, ...ACTIONS].filter(({ needs }) => needs === role),
);
