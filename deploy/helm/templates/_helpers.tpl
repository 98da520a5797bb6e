{{- define "groundcrew.name" -}}
{{- if contains "groundcrew" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-groundcrew" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels by which a Deployment and a Service know the pods of one kind. Call it with (list . "web"). */}}
{{- define "groundcrew.selector" -}}
app.kubernetes.io/name: groundcrew
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "groundcrew.labels" -}}
{{ include "groundcrew.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Values.image.tag | trunc 63 | trimSuffix "-" | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ (index . 0).Chart.Name }}-{{ (index . 0).Chart.Version }}
{{- end -}}

{{/* The environment of all processes, but for what is secret. `env` goes before what the chart says. */}}
{{- define "groundcrew.environment" -}}
{{- $s3 := .Values.storage.s3 -}}
{{- if not (or $s3.bucket .Values.storage.existingClaim) -}}
{{- fail "set storage.s3.bucket, or storage.existingClaim: photographs would be lost with their pod" -}}
{{- end -}}
{{- $all := dict
  "GROUNDCREW_HOSTS" (join "," .Values.hosts)
  "GROUNDCREW_SITE" (printf "https://%s" (first .Values.hosts))
  "GROUNDCREW_TLS" "1"
  "GROUNDCREW_PROXIES" (.Values.web.proxies | toString)
  "TMPDIR" "/var/lib/groundcrew/incoming"
-}}
{{- if $s3.bucket -}}
{{- $_ := set $all "GROUNDCREW_S3_BUCKET" $s3.bucket -}}
{{- $region := required "set storage.s3.region: browsers may load photographs from that region only" $s3.region -}}
{{- $_ := set $all "GROUNDCREW_S3_REGION" $region -}}
{{- with $s3.endpoint }}{{ $_ := set $all "GROUNDCREW_S3_ENDPOINT" . }}{{ end -}}
{{- with $s3.publicEndpoint }}{{ $_ := set $all "GROUNDCREW_S3_PUBLIC_ENDPOINT" . }}{{ end -}}
{{- end -}}
{{- range $name, $value := .Values.env -}}
{{- /* Helm reads whole numbers as floating point, and would write 5000000000 as 5e+09. */ -}}
{{- $whole := and (kindIs "float64" $value) (eq (floor $value) $value) -}}
{{- $_ := set $all $name (ternary (printf "%.0f" $value) (toString $value) $whole) -}}
{{- end -}}
{{- toYaml $all -}}
{{- end -}}

{{/* A pod of any kind. Call it with a dict of root, component, resources and grace, and what else it needs. */}}
{{- define "groundcrew.pod" -}}
{{- $values := .root.Values -}}
automountServiceAccountToken: {{ ne $values.serviceAccountName "" }}
{{- with $values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
enableServiceLinks: false
{{- with $values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
terminationGracePeriodSeconds: {{ .grace }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
containers:
  - name: {{ .component }}
    image: "{{ $values.image.repository }}:{{ $values.image.tag }}"
    imagePullPolicy: {{ $values.image.pullPolicy }}
    {{- with .command }}
    command:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with .ports }}
    ports:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    envFrom:
      - configMapRef:
          name: {{ .environment | default (include "groundcrew.name" .root) }}
      - secretRef:
          name: {{ $values.secretName }}
    env:
      # Without one of these, a process would take SQLite, messages in files or a key of its own.
      {{- range list "DATABASE_URL" "REDIS_URL" "GROUNDCREW_SECRET_KEY" }}
      - name: {{ . }}
        valueFrom:
          secretKeyRef:
            name: {{ $values.secretName }}
            key: {{ . }}
      {{- end }}
      {{- with .env }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    {{- with .probes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    {{- with .lifecycle }}
    lifecycle:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    resources:
      {{- toYaml .resources | nindent 6 }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities:
        drop: [ALL]
    volumeMounts:
      - name: var
        mountPath: /var/lib/groundcrew
      - name: temporary
        mountPath: /tmp
      {{- if and .files $values.storage.existingClaim }}
      - name: files
        mountPath: /var/lib/groundcrew/media
      {{- end }}
volumes:
  # What only this pod needs: uploads that arrive, corpora that are unpacked, exports, figures, beat's schedule.
  - name: var
    emptyDir:
      sizeLimit: {{ .temporarySize | default "1Gi" }}
  - name: temporary
    emptyDir:
      sizeLimit: 64Mi
  {{- if and .files $values.storage.existingClaim }}
  - name: files
    persistentVolumeClaim:
      claimName: {{ $values.storage.existingClaim }}
  {{- end }}
{{- with $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
