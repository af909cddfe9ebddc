"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../../components/api.ts";
import { AskingForm, WhyField } from "../../../components/form/form.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Pending } from "../../../components/page/panel-states.tsx";
import styles from "../settings.module.css";
import type { FormProps } from "./form-props.ts";
import { useDone } from "./use-users.ts";

/** The clusters on which a user may look and act. */
export function ClustersForm(props: FormProps) {
  const api = useApi();
  const clusters = useQuery(api.clusters.list.queryOptions());
  if (clusters.data !== undefined) return <Choice {...props} clusters={clusters.data} />;
  return <Pending query={clusters} lines={3} />;
}

function Choice({
  user,
  onClose,
  clusters,
}: FormProps & { readonly clusters: readonly ClusterView[] }) {
  const api = useApi();
  const done = useDone(onClose);
  const change = useMutation(api.people.setClusters.mutationOptions({ onSuccess: done }));
  const [isRestricted, setRestricted] = useState(user.clusters !== "all");
  return (
    <AskingForm
      button={t`Change clusters`}
      state={change}
      onCancel={onClose}
      onSubmit={({ text, ticked }) =>
        change.mutate({
          id: user.id,
          clusters: isRestricted ? [...ticked("cluster")] : "all",
          why: text("why"),
        })
      }
    >
      <p className="quiet small light">
        {mixed`${user.name} cannot see clusters that they have no access to, and can request
          nothing there. The change takes effect with their next request. An admin of some
          clusters cannot change users.`}
      </p>
      <ClusterChoice
        all={t`All, including future ones`}
        chosen={user.clusters}
        clusters={clusters}
        isRestricted={isRestricted}
        onRestrict={setRestricted}
      />
      <WhyField />
    </AskingForm>
  );
}

/** All clusters or some of them, which the form has as `cluster`. */
export function ClusterChoice({
  all,
  chosen,
  clusters,
  isRestricted,
  onRestrict,
}: {
  /** The label of the first choice. */
  readonly all: string;
  readonly chosen: FormProps["user"]["clusters"];
  readonly clusters: readonly ClusterView[];
  readonly isRestricted: boolean;
  readonly onRestrict: (isRestricted: boolean) => void;
}) {
  return (
    <fieldset className={`stack pad-0 flush frameless ${styles.choices}`}>
      <legend>{t`Clusters`}</legend>
      <Option label={all}>
        <input
          type="radio"
          name="access"
          checked={!isRestricted}
          onChange={() => onRestrict(false)}
        />
      </Option>
      <Option label={t`Only these`}>
        <input
          type="radio"
          name="access"
          checked={isRestricted}
          onChange={() => onRestrict(true)}
        />
      </Option>
      <div className={styles.nested} hidden={!isRestricted}>
        <Clusters chosen={chosen} clusters={clusters} />
      </div>
    </fieldset>
  );
}

function Clusters({
  chosen,
  clusters,
}: {
  readonly chosen: FormProps["user"]["clusters"];
  readonly clusters: readonly ClusterView[];
}) {
  const isChosen = (id: string) => chosen !== "all" && chosen.includes(id);
  return clusters.map(({ id, name }) => (
    <Option key={id} label={name}>
      <input type="checkbox" name="cluster" value={id} defaultChecked={isChosen(id)} />
    </Option>
  ));
}

function Option({
  label,
  children,
}: {
  readonly label: string;
  readonly children: React.ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label className={`flex centred gap-2 ${styles.option}`}>
      {children} {label}
    </label>
  );
}
