#!/bin/sh
# entrypoint.sh web | worker | prepare | any manage.py command
set -eu
case "${1:-web}" in
    prepare)
        # Once before web and worker start: tables, catalogue, prompt templates.
        python manage.py migrate --noinput
        python manage.py load_catalogue
        exec python manage.py load_prompts
        ;;
    web)
        # Threads: a synchronous worker waits for clients that keep their connection open.
        exec gunicorn config.wsgi --config python:config.web_server --worker-class gthread \
            --workers "${WEB_WORKERS:-2}" --threads "${WEB_THREADS:-8}" \
            --bind "0.0.0.0:${PORT:-8000}" --log-level warning
        ;;
    worker)
        # With the schedule: reading Prolific's submissions, deleting ids whose time is over.
        exec celery -A config worker --pool threads --beat --schedule "${AFFECTBENCH_VAR_DIR:-/data}/beat" \
            --concurrency "${WORKER_THREADS:-4}" --loglevel WARNING
        ;;
    *)
        exec python manage.py "$@"
        ;;
esac
