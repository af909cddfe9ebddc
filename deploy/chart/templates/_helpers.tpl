{{/* Names. A release called cloudwright gives its objects just that name. */}}
{{- define "cloudwright.name" -}}
{{- if contains "cloudwright" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-cloudwright{{ end }}
{{- end }}

{{- define "cloudwright.labels" -}}
app.kubernetes.io/part-of: cloudwright
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* Of one component: (list . "controller"). */}}
{{- define "cloudwright.selector" -}}
app.kubernetes.io/name: cloudwright
app.kubernetes.io/instance: {{ (first .).Release.Name }}
app.kubernetes.io/component: {{ last . }}
{{- end }}

{{- define "cloudwright.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end }}

{{- define "cloudwright.imageLines" -}}
image: {{ include "cloudwright.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{- define "cloudwright.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "cloudwright.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "cloudwright.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* A folder of the node belongs to root when it is made: (list . "volume" USER), as an init container. The image has no shell. */}}
{{- define "cloudwright.ownFolder" -}}
- name: own-folder
  {{- include "cloudwright.imageLines" (first .) | nindent 2 }}
  command: [/usr/local/bin/node, -e]
  args: ["const fs = require('node:fs'); fs.chownSync('/folder', {{ last . }}, {{ last . }}); fs.chmodSync('/folder', 0o700)"]
  securityContext:
    runAsUser: 0
    runAsGroup: 0
    runAsNonRoot: false
    allowPrivilegeEscalation: false
    readOnlyRootFilesystem: true
    capabilities:
      drop: [ALL]
      add: [CHOWN, FOWNER]
  volumeMounts:
    - { name: {{ index . 1 }}, mountPath: /folder }
{{- end }}

{{/* Where nobody has initialised the node yet, and on those of the control plane. */}}
{{- define "cloudwright.earlyTolerations" -}}
- key: node.cloudprovider.kubernetes.io/uninitialized
  operator: Exists
  effect: NoSchedule
- key: node.kubernetes.io/not-ready
  operator: Exists
  effect: NoSchedule
- key: node.kubernetes.io/network-unavailable
  operator: Exists
  effect: NoSchedule
- key: node-role.kubernetes.io/control-plane
  operator: Exists
  effect: NoSchedule
- key: node-role.kubernetes.io/master
  operator: Exists
  effect: NoSchedule
{{- end }}

{{/* A flag's value: lists by commas, whole numbers without an exponent. */}}
{{- define "cloudwright.flagValue" -}}
{{- if kindIs "slice" . }}{{ join "," . }}
{{- else if kindIs "float64" . }}{{ if eq (floor .) . }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- else }}{{ . }}{{ end -}}
{{- end }}

{{/* The API server by address, if one is given. */}}
{{- define "cloudwright.apiServer" -}}
{{- with .Values.apiServer }}
{{- if .host }}
- { name: KUBERNETES_SERVICE_HOST, value: {{ .host | quote }} }
- { name: KUBERNETES_SERVICE_PORT, value: {{ .port | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{- define "cloudwright.cloudSecret" -}}
{{- if .Values.cloud.existingSecret }}{{ .Values.cloud.existingSecret }}{{ else if .Values.cloud.config }}{{ include "cloudwright.name" . }}-cloud-config{{ end }}
{{- end }}

{{/*
DATABASE_URL as one of the logins: (list . "owner"|"controller"|"dashboard"). The trial's server, and for controllers that of
database.secret.service, goes by its Service's address, which kubelets give every container: no name is looked up.
*/}}
{{- define "cloudwright.databaseUrl" -}}
{{- $root := first . -}}
{{- $login := last . -}}
{{- $name := include "cloudwright.name" $root -}}
{{- if eq $root.Values.database.mode "secret" }}
{{- $secret := $root.Values.database.secret -}}
{{- $service := ternary $secret.service "" (eq $login "controller") }}
- name: {{ ternary "DATABASE_URI" "DATABASE_URL" (ne $service "") }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret.name }}
      key: {{ index $secret (printf "%sKey" $login) }}
{{- if $service }}
- name: DATABASE_URL
  value: $(DATABASE_URI)?host=$({{ $service | upper | replace "-" "_" }}_SERVICE_HOST)
{{- end }}
{{- else if eq $root.Values.database.mode "trial" }}
- name: DATABASE_PASSWORD
  valueFrom:
    secretKeyRef: { name: {{ $name }}-database, key: {{ $login }} }
- name: DATABASE_URL
  value: postgresql://{{ get (dict "owner" "cloudwright" "controller" "cloudwright_controller" "dashboard" "cloudwright_web") $login }}:$(DATABASE_PASSWORD)@$({{ $name | upper | replace "-" "_" }}_DATABASE_SERVICE_HOST):5432/cloudwright
{{- end }}
{{- end }}

{{- define "cloudwright.hasLedger" -}}
{{- if has .Values.database.mode (list "secret" "trial") }}true{{ end }}
{{- end }}

{{/* Events of other components are for the ledger. */}}
{{- define "cloudwright.watchesEvents" -}}
{{- if and .Values.controller.watchEvents (include "cloudwright.hasLedger" .) }}true{{ end }}
{{- end }}

{{- define "cloudwright.hasDashboard" -}}
{{- if and .Values.dashboard.enabled (include "cloudwright.hasLedger" .) }}true{{ end }}
{{- end }}

{{/* A password that stays over upgrades: (list . SECRET KEY). */}}
{{- define "cloudwright.keptPassword" -}}
{{- $root := first . -}}
{{- $there := lookup "v1" "Secret" $root.Release.Namespace (index . 1) -}}
{{- $kept := get ((get ($there | default dict) "data") | default dict) (last .) -}}
{{- if $kept }}{{ b64dec $kept }}{{ else }}{{ randAlphaNum 40 }}{{ end }}
{{- end }}

{{/* The controllers that will run, of files/roles.yaml, by the rule of --controllers: the first mention counts, wherever * stands. */}}
{{- define "cloudwright.running" -}}
{{- $list := .Values.controller.controllers -}}
{{- $flags := .Values.controller.flags -}}
{{- $known := list "*" -}}
{{- $running := list -}}
{{- range $controller := (.Files.Get "files/roles.yaml" | fromYaml).controllers -}}
  {{- $names := prepend ($controller.aliases | default list) $controller.name -}}
  {{- $known = concat $known $names -}}
  {{- $value := toString (get $flags $controller.flag) -}}
  {{- $on := and (has "*" $list) (or $controller.enabledByDefault $controller.isOnByFlag) -}}
  {{- $mention := "" -}}
  {{- range $word := $list -}}
    {{- if and (not $mention) (has (trimPrefix "-" $word) $names) -}}{{- $mention = $word -}}{{- end -}}
  {{- end -}}
  {{- if $mention -}}{{- $on = not (hasPrefix "-" $mention) -}}{{- end -}}
  {{- if $controller.isOnByFlag -}}{{- $on = and $on (eq $value "true") -}}
  {{- else if $controller.flag -}}{{- $on = and $on (ne $value "false") -}}{{- end -}}
  {{- if $on -}}{{- $running = append $running $controller -}}{{- end -}}
{{- end -}}
{{- range $word := $list -}}
  {{- if not (has (trimPrefix "-" $word) $known) -}}
    {{- fail (printf "controller.controllers names %s, which is not a controller: use one of %s." (trimPrefix "-" $word) (join ", " (rest $known))) -}}
  {{- end -}}
{{- end -}}
{{- toJson $running -}}
{{- end }}

{{/* Why an upgrade would replace nothing: a replica that waits for a node for ever keeps the other ones from being replaced. Empty where no cluster is asked. */}}
{{- define "cloudwright.tooFewNodes" -}}
{{- $c := .Values.controller -}}
{{- $nodes := (lookup "v1" "Node" "" "").items | default list -}}
{{- $fitting := 0 -}}
{{- range $node := $nodes -}}
  {{- $fits := true -}}
  {{- range $label, $value := $c.nodeSelector -}}
    {{- if ne (toString (get ($node.metadata.labels | default dict) $label)) $value -}}{{- $fits = false -}}{{- end -}}
  {{- end -}}
  {{- if $fits -}}{{- $fitting = add1 $fitting -}}{{- end -}}
{{- end -}}
{{- if and $nodes (ne $c.kind "DaemonSet") (lt (int $fitting) (int $c.replicas)) }}
WARNING: {{ $c.replicas }} replicas of the controllers need as many nodes, and there {{ ternary "is" "are" (eq (int $fitting) 1) }} {{ $fitting }} for them. Until there are more, an upgrade replaces
no running replica. If there will be no more, set controller.replicas to {{ max 1 $fitting }}.
{{ end -}}
{{- end }}

{{- define "cloudwright.electionNamespace" -}}
{{- get .Values.controller.flags "leader-elect-resource-namespace" | default "kube-system" -}}
{{- end }}

{{/* The Leases that are held, as a JSON list. */}}
{{- define "cloudwright.leases" -}}
{{- $flags := .Values.controller.flags -}}
{{- $own := get $flags "leader-elect-resource-name" | default "cloud-controller-manager" -}}
{{- $leases := list (ternary "cloudwright-shadow" $own (eq (toString (get $flags "dry-run")) "true")) -}}
{{- if eq (toString (get $flags "enable-leader-migration")) "true" -}}
  {{- $leases = append $leases "cloud-provider-extraction-migration" -}}
{{- end -}}
{{- toJson $leases -}}
{{- end }}

{{/* Mistakes that a schema cannot see; each ends in one sentence. */}}
{{- define "cloudwright.check" -}}
{{- $v := .Values -}}
{{- if not $v.cloud.provider -}}
  {{- fail "cloud.provider is empty: name the cloud provider, such as openstack." -}}
{{- end -}}
{{- if and (eq $v.image.tag "latest") (not $v.image.digest) -}}
  {{- fail "image.tag is latest: name a version or a digest, so that every node runs the same program." -}}
{{- end -}}
{{- if contains "://" $v.apiServer.host -}}
  {{- fail "apiServer.host is a URL: give the address alone, and its port as apiServer.port." -}}
{{- end -}}
{{- if regexMatch "^[^:]+:[0-9]+$|^\\[.*\\]:[0-9]+$" $v.apiServer.host -}}
  {{- fail "apiServer.host has a port: give it as apiServer.port." -}}
{{- end -}}
{{- if and $v.cloud.config $v.cloud.existingSecret -}}
  {{- fail "cloud.config and cloud.existingSecret are both given: keep one of them." -}}
{{- end -}}
{{- range $flag, $instead := dict "cloud-provider" "cloud.provider" "cloud-config" "cloud.config" "controllers" "controller.controllers" "use-service-account-credentials" "controller.useServiceAccountCredentials" "watch-events" "controller.watchEvents" "secure-port" "controller.securePort" "spool-dir" "controller.spool" "database-url" "database" -}}
  {{- if hasKey $v.controller.flags $flag -}}
    {{- fail (printf "controller.flags.%s cannot be given: set %s." $flag $instead) -}}
  {{- end -}}
{{- end -}}
{{- include "cloudwright.checkFlags" . -}}
{{- range $controller := include "cloudwright.running" . | fromJsonArray -}}
  {{- if and (eq $controller.flag "configure-cloud-routes") (not (get $v.controller.flags "cluster-cidr")) -}}
    {{- fail "The route controller needs the pods' range: set controller.flags.cluster-cidr, or turn it off with controller.flags.configure-cloud-routes=false." -}}
  {{- end -}}
{{- end -}}
{{- if and (eq $v.database.mode "secret") (not $v.database.secret.name) -}}
  {{- fail "database.mode is secret, but database.secret.name is empty: name the Secret that holds the database's address." -}}
{{- end -}}
{{- if and $v.database.secret.name (not $v.database.mode) -}}
  {{- fail "database.secret.name is given, but database.mode is empty: set it to secret, or to none to go without a ledger for now." -}}
{{- end -}}
{{- if and $v.database.secret.name (eq $v.database.mode "trial") -}}
  {{- fail "database.mode is trial, which makes its own database, and database.secret.name is given: set database.mode to secret, or remove the name." -}}
{{- end -}}
{{- if and (eq $v.database.mode "trial") (eq $v.database.trial.storage.type "hostPath") (not $v.database.trial.nodeSelector) -}}
  {{- fail "database.trial.storage.type is hostPath, which stays on one node: name that node by database.trial.nodeSelector, such as kubernetes.io/hostname: NODE." -}}
{{- end -}}
{{- if and (eq $v.controller.spool.type "persistentVolumeClaim") (ne $v.controller.kind "StatefulSet") -}}
  {{- fail "controller.spool.type is persistentVolumeClaim, which needs a volume for each replica: set controller.kind to StatefulSet." -}}
{{- end -}}
{{- with $v.dashboard.oidc -}}
{{- if and .issuer (not .clientId) -}}
  {{- fail "dashboard.oidc.issuer is given, but dashboard.oidc.clientId is empty: give the client id under which the dashboard is registered at the provider." -}}
{{- end -}}
{{- if and .issuer (not (concat (list) (.roles.viewer | default list) (.roles.operator | default list) (.roles.admin | default list))) -}}
  {{- fail "dashboard.oidc.roles is empty, so nobody could sign in: name the groups that give each role, such as admin: [platform]." -}}
{{- end -}}
{{- if and .issuer (not $v.dashboard.publicUrl) (not $v.dashboard.ingress.enabled) -}}
  {{- fail "dashboard.oidc.issuer is given, but dashboard.publicUrl is empty: name the address that the provider sends browsers back to." -}}
{{- end -}}
{{- if and (not .issuer) (not $v.dashboard.localSignIn) -}}
  {{- fail "dashboard.localSignIn is false, and dashboard.oidc.issuer is empty, so nobody could sign in: give dashboard.oidc, or set dashboard.localSignIn to true." -}}
{{- end -}}
{{- end -}}
{{- if and $v.dashboard.service.nodePort (eq $v.dashboard.service.type "ClusterIP") -}}
  {{- fail "dashboard.service.nodePort is given, but dashboard.service.type is ClusterIP: set it to NodePort." -}}
{{- end -}}
{{- if and $v.dashboard.enabled (not $v.database.mode) -}}
  {{- range $part, $asked := dict "ingress is enabled" $v.dashboard.ingress.enabled "oidc.issuer is given" $v.dashboard.oidc.issuer -}}
    {{- if $asked -}}
      {{- fail (printf "dashboard.%s, but there is no dashboard without a ledger: set database.mode to secret or trial, or to none to go without both for now." $part) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- if and $v.dashboard.ingress.enabled (not $v.dashboard.ingress.host) -}}
  {{- fail "dashboard.ingress.enabled is true, but dashboard.ingress.host is empty: name the host that browsers ask for." -}}
{{- end -}}
{{- end }}

{{/* Mistakes in controller.flags that would end the process, or let two of them write. */}}
{{- define "cloudwright.checkFlags" -}}
{{- $c := .Values.controller -}}
{{- $known := .Files.Get "files/flags.yaml" | fromYamlArray -}}
{{- range $flag, $value := $c.flags -}}
  {{- if hasPrefix "-" $flag -}}
    {{- fail (printf "controller.flags.%s is not a flag: write it as %s, without dashes in front." $flag (trimPrefix "-" (trimPrefix "-" $flag))) -}}
  {{- end -}}
  {{- if not (has $flag $known) -}}
    {{- fail (printf "controller.flags.%s is not a flag of this release: docs/flags.md lists them." $flag) -}}
  {{- end -}}
{{- end -}}
{{- $ranges := get $c.flags "cluster-cidr" | default list -}}
{{- range $range := kindIs "slice" $ranges | ternary $ranges (splitList "," (toString $ranges)) -}}
  {{- if not (regexMatch "^ *[0-9a-fA-F.:]+/[0-9]+ *$" $range) -}}
    {{- fail (printf "controller.flags.cluster-cidr has %s, which is not a range: write it as 10.244.0.0/16." $range) -}}
  {{- end -}}
{{- end -}}
{{- if eq (toString (get $c.flags "leader-elect")) "false" -}}
  {{- if eq $c.kind "DaemonSet" -}}
    {{- fail "controller.flags.leader-elect is false, and a DaemonSet has a replica on each node, which would all write: set controller.kind to Deployment and controller.replicas to 1, or remove the flag." -}}
  {{- else if gt (int $c.replicas) 1 -}}
    {{- fail (printf "controller.flags.leader-elect is false, and there are %d replicas, which would all write: set controller.replicas to 1, or remove the flag." (int $c.replicas)) -}}
  {{- end -}}
{{- end -}}
{{- if and .Values.tracing.endpoint (hasKey $c.flags "tracing-endpoint") -}}
  {{- fail "controller.flags.tracing-endpoint and tracing.endpoint are both given: keep tracing.endpoint." -}}
{{- end -}}
{{- end }}

{{- /* The port of an address that urlParse has taken apart. */ -}}
{{- define "cloudwright.portOf" -}}
{{- $port := regexFind ":[0-9]+$" .host | trimPrefix ":" -}}
{{- $port | default (ternary "80" "443" (eq .scheme "http")) -}}
{{- end }}
