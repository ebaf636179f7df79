{{/* The name of everything of a release. */}}
{{- define "livejoin.name" -}}
{{- if contains "livejoin" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-livejoin" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What pods of a component are known by: (list . "serve"). It never changes. */}}
{{- define "livejoin.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: livejoin
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "livejoin.labels" -}}
{{- $root := index . 0 -}}
{{ include "livejoin.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "livejoin.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{- printf "%s@%s" .repository .digest -}}
{{- else -}}
{{- printf "%s:%s" .repository (.tag | default $.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The names by which a service is reached: (list . "name"), with commas. */}}
{{- define "livejoin.serviceNames" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $namespace := $root.Release.Namespace -}}
{{- printf "%s,%s.%s,%s.%s.svc,%s.%s.svc.cluster.local" $name $name $namespace $name $namespace $name $namespace -}}
{{- end -}}

{{/* Who runs it: nobody in particular, without any right. The group is that of the files which are handed in. */}}
{{- define "livejoin.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
# Not again at every start: it would take as long as there are checkpoints, and open them to the group.
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "livejoin.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* How pods are spread where nobody says otherwise: (list . "serve" constraints). */}}
{{- define "livejoin.spread" -}}
{{- $given := index . 2 -}}
{{- if $given -}}
{{- toYaml $given -}}
{{- else -}}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels: {{- include "livejoin.selector" (list (index . 0) (index . 1)) | nindent 6 }}
{{- end -}}
{{- end -}}

{{/* The address that people use. */}}
{{- define "livejoin.url" -}}
{{- if .Values.serve.url -}}
{{- .Values.serve.url -}}
{{- else if .Values.ingress.enabled -}}
{{- printf "https://%s" .Values.ingress.host -}}
{{- end -}}
{{- end -}}

{{/* What cannot be right, in words. */}}
{{- define "livejoin.check" -}}
{{- if not (or .Values.serve.behindProxy .Values.serve.tls.existingSecret) -}}
{{- fail "serve: keys and rows would cross the network in the clear: say serve.behindProxy: true where a proxy speaks TLS, or name serve.tls.existingSecret" -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not (or .Values.ingress.tls.existingSecret .Values.ingress.tls.elsewhere)) -}}
{{- fail "ingress: keys and rows would cross the network in the clear: name ingress.tls.existingSecret, or say ingress.tls.elsewhere: true where somebody before it speaks TLS" -}}
{{- end -}}
{{- end -}}
