#!/bin/sh
# Writes .env with random secrets for docker compose; an .env that is there is left alone.
set -eu
cd "$(dirname "$0")/../.."
if [ -e .env ]; then
  echo '.env is there already; delete it to have new secrets, but not while there is data: they belong together.' >&2
  exit 1
fi
random() { head -c 32 /dev/urandom | base64 | tr -d '+/=\n' | cut -c1-40; }
umask 077
cat > .env <<END
# For docker compose, written by deploy/compose/make-env.sh. Keep it secret, and back it up beside the database: without
# API_KEY_PEPPER no API key works again.
PORT=8080
PUBLIC_BASE_URL=http://localhost:8080
# Behind a proxy on this machine, which ends TLS: callers are told apart by X-Forwarded-For, and nobody gets past the proxy.
# BIND=127.0.0.1
# TRUSTED_PROXIES=172.30.80.1,172.30.80.250

# To try it: anybody signs in as anybody, and payments move no money. For others to use it, delete these six lines and set
# OIDC_ISSUERS=https://issuer.example=audience, PUBLIC_BASE_URL, and COMPOSE_PROFILES=payments, PAYMENT_PROVIDER=stripe with
# STRIPE_*. Where nobody pays and everyone is Pro: PAYMENT_PROVIDER=none, and no payments among the profiles.
COMPOSE_PROFILES=trial,payments
NODE_ENV=development
OIDC_ISSUERS=http://issuer.localhost:8081=snipkeep
PAYMENT_PROVIDER=sandbox
SANDBOX_SECRET_KEY=sk_test_$(random)
SANDBOX_WEBHOOK_SECRET=whsec_$(random)

POSTGRES_PASSWORD=$(random)
CONTENT_DATABASE_PASSWORD=$(random)
IDENTITY_DATABASE_PASSWORD=$(random)
ACTIVITY_DATABASE_PASSWORD=$(random)
BILLING_DATABASE_PASSWORD=$(random)
# Migrations log in as the owner of a schema, by the passwords above, and services by these, as one who owns nothing.
CONTENT_SERVING_PASSWORD=$(random)
IDENTITY_SERVING_PASSWORD=$(random)
ACTIVITY_SERVING_PASSWORD=$(random)
BILLING_SERVING_PASSWORD=$(random)
SERVING_SUFFIX=_serving
REDIS_PASSWORD=$(random)
API_KEY_PEPPER=$(random)
GRAFANA_PASSWORD=$(random)
END
echo 'Wrote .env; next: docker compose up --build --wait'
