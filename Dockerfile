# Web server, worker, jobs and beat are the same image with different commands (docker-compose.yml).

FROM node:22-slim AS pages
WORKDIR /pages
COPY frontend/package.json frontend/package-lock.json ./
RUN npm ci --no-audit --no-fund --no-update-notifier
COPY frontend ./
COPY console/static/console/palette.css /console/static/console/
RUN npm run build

FROM python:3.11-slim-bookworm AS environment
COPY requirements.txt /tmp/
RUN python -m venv /venv \
 && /venv/bin/pip install --no-cache-dir --no-deps --require-hashes --requirement /tmp/requirements.txt
# The server compresses nothing on its way: each file has its .gz beside it.
COPY --from=pages /pages/dist /pages
COPY scripts/compress_pages.py /tmp/
RUN /venv/bin/python /tmp/compress_pages.py /pages

FROM python:3.11-slim-bookworm
RUN useradd --system --uid 10001 --no-create-home groundcrew \
 && install --directory --owner=groundcrew /var/lib/groundcrew
COPY --from=environment /venv /venv
WORKDIR /app
COPY manage.py ./
COPY annotation ./annotation
COPY config ./config
COPY console ./console
COPY evaluation ./evaluation
COPY simulation ./simulation
COPY workflows ./workflows
COPY --from=environment /pages ./frontend/dist
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    GROUNDCREW_VAR=/var/lib/groundcrew \
    GROUNDCREW_LOG_FORMAT=json \
    GRANIAN_INTERFACE=asginl \
    GRANIAN_HOST=0.0.0.0 \
    GRANIAN_PORT=8000 \
    GRANIAN_WEBSOCKETS=false \
    GRANIAN_WORKERS=2 \
    GRANIAN_RESPAWN_FAILED_WORKERS=true \
    GRANIAN_BACKPRESSURE=8000 \
    GRANIAN_HTTP1_HEADER_READ_TIMEOUT=10000
USER groundcrew
VOLUME /var/lib/groundcrew
EXPOSE 8000
CMD ["granian", "config.asgi:application"]
