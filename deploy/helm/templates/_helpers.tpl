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
app.kubernetes.io/version: {{ (index . 0).Values.image.tag | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ (index . 0).Chart.Name }}-{{ (index . 0).Chart.Version }}
{{- end -}}

{{/* The environment of all processes. The Secret's keys are added by envFrom. */}}
{{- define "groundcrew.environment" -}}
GROUNDCREW_HOSTS: {{ join "," .Values.hosts | quote }}
GROUNDCREW_SITE: {{ printf "https://%s" (first .Values.hosts) | quote }}
GROUNDCREW_TLS: "1"
GROUNDCREW_PROXIES: {{ .Values.web.proxies | quote }}
TMPDIR: /var/lib/groundcrew/incoming
{{- with .Values.storage.s3 }}
{{- if .bucket }}
GROUNDCREW_S3_BUCKET: {{ .bucket | quote }}
GROUNDCREW_S3_REGION: {{ required "set storage.s3.region: browsers may load photographs from that region only" .region | quote }}
{{- if .endpoint }}
GROUNDCREW_S3_ENDPOINT: {{ .endpoint | quote }}
{{- end }}
{{- if .publicEndpoint }}
GROUNDCREW_S3_PUBLIC_ENDPOINT: {{ .publicEndpoint | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- if not (or .Values.storage.s3.bucket .Values.storage.existingClaim) }}
{{- fail "set storage.s3.bucket, or storage.existingClaim: photographs would be lost with their pod" }}
{{- end }}
{{- range $name, $value := .Values.env }}
{{ $name }}: {{ $value | toString | quote }}
{{- end }}
{{- end -}}

{{/* A pod of any kind. Call it with a dict of root, component, command, resources, probes and grace. */}}
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
    {{- with .env }}
    env:
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
  # What a process writes for itself: temporary files, figures for metrics, beat's schedule.
  - name: var
    emptyDir:
      sizeLimit: {{ $values.storage.temporarySize }}
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
