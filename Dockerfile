# syntax=docker/dockerfile:1
FROM python:3.11-slim-bookworm AS build

# mysqlclient is compiled here; the final image has the client library alone.
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc libc6-dev libmariadb-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
RUN python -m venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH
COPY requirements.txt .
RUN pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.txt


FROM node:20-bookworm-slim AS client

# The board's client of Centrifugo; the pages serve it themselves.
WORKDIR /client
COPY sdk/js/package.json sdk/js/package-lock.json ./
RUN npm ci --omit=dev --loglevel=error


FROM python:3.11-slim-bookworm

RUN apt-get update \
    && apt-get install -y --no-install-recommends libmariadb3 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /app --shell /usr/sbin/nologin taskstatus

ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    BIND_ADDRESS=0.0.0.0 \
    PORT=8000 \
    STATIC_ROOT=/app/static \
    VAR_DIR=/app/var

WORKDIR /app
COPY --from=build /opt/venv /opt/venv
COPY . .
COPY --from=client /client/node_modules/centrifuge/build sdk/js/node_modules/centrifuge/build
# Assets need no secret; the folder for what runs is the only one that the service may write to.
RUN python manage.py collectstatic --no-input --skip-checks \
    && install -d -o taskstatus -g taskstatus /app/var

USER taskstatus
EXPOSE 8000
VOLUME /app/var

HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-m", "taskstatus.config.healthcheck"]

CMD ["gunicorn", "-c", "python:taskstatus.config.gunicorn"]
