{{- /* Each part is one line, so that it fits at any indentation. */ -}}
{{- define "alder.name" -}}{{ .Release.Name }}{{- end -}}
{{- define "alder.image" -}}{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}{{- end -}}
{{- define "alder.labels" -}}
{ app.kubernetes.io/name: alder, app.kubernetes.io/instance: {{ .Release.Name }}, app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}, app.kubernetes.io/managed-by: {{ .Release.Service }} }
{{- end -}}
{{- define "alder.servers" -}}
{ app.kubernetes.io/name: alder, app.kubernetes.io/instance: {{ .Release.Name }}, app.kubernetes.io/component: server }
{{- end -}}
{{- define "alder.migration" -}}
{ app.kubernetes.io/name: alder, app.kubernetes.io/instance: {{ .Release.Name }}, app.kubernetes.io/component: migrate }
{{- end -}}
{{- define "alder.podSecurity" -}}
{ runAsNonRoot: true, runAsUser: 10001, runAsGroup: 10001, fsGroup: 10001, seccompProfile: { type: RuntimeDefault } }
{{- end -}}
{{- define "alder.security" -}}
{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
{{- end -}}
{{- define "alder.env" }}
            - { name: BANK_MODE, value: {{ .Values.bank.mode | quote }} }
            - { name: BANK_TIME_ZONE, value: {{ .Values.bank.timeZone | quote }} }
            - { name: PUBLIC_URL, value: {{ required "bank.publicUrl is needed" .Values.bank.publicUrl | quote }} }
            - { name: TRUST_PROXY, value: 'true' }
            - { name: DRAIN_SECONDS, value: {{ .Values.bank.drainSeconds | quote }} }
            {{- range $name, $value := .Values.bank.env }}
            - { name: {{ $name }}, value: {{ $value | quote }} }
            {{- end }}
            {{- range $name, $key := .Values.secret.keys }}
            - { name: {{ $name }}_FILE, value: /secrets/{{ $key }} }
            {{- end }}
{{- end -}}
{{- define "alder.caMount" }}
            {{- if .Values.database.ca.configMap }}
            - { name: database, mountPath: /database, readOnly: true }
            {{- end }}
{{- end -}}
{{- define "alder.caVolume" }}
        {{- if .Values.database.ca.configMap }}
        - { name: database, configMap: { name: {{ .Values.database.ca.configMap }}, items: [{ key: {{ .Values.database.ca.key }}, path: ca.pem }] } }
        {{- end }}
{{- end -}}
