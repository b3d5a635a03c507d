#!/bin/sh
# Writes what docker compose needs: .env with random secrets, and .certificates/ by make-certificates.sh. Run it again
# after an upgrade and at least every ten months: .env is left alone, certificates near their end are replaced.
set -eu
cd "$(dirname "$0")/../.."
umask 077
sh deploy/compose/make-certificates.sh
# Containers run as users of their own and read these, whatever the umask was under which they were cloned.
find deploy/compose deploy/observability \( ! -perm -0444 -o -type d ! -perm -0555 \) -exec chmod a+rX {} +
if [ -e .env ]; then
  echo '.env is there already and stays as it is. To have new secrets delete it, but not while there is data: they belong together.'
  exit 0
fi
random() { head -c 32 /dev/urandom | base64 | tr -d '+/=\n' | cut -c1-40; }
cat > .env.new <<DOTENV
# For docker compose, written by deploy/compose/make-env.sh. Keep it secret, and back it up beside the database: without
# API_KEY_PEPPER no API key works again.
PORT=8080
PUBLIC_BASE_URL=http://localhost:8080
# Behind a proxy on this machine, which ends TLS: callers are distinguished by X-Forwarded-For, and no one gets past the proxy.
# BIND=127.0.0.1
# TRUSTED_PROXIES=172.30.80.1,172.30.80.250
# A second installation on this machine needs addresses and ports of its own: SUBNET_PREFIX=172.30.81, with PORT.
# SUBNET_PREFIX=172.30.80
# With the profile observability, so that Prometheus reaches the metrics of the processes.
# METRICS_HOST=0.0.0.0
# Images of a registry instead of those built here.
# REGISTRY=registry.example/snipkeep
# VERSION=0.1.0
# PULL_POLICY=missing

# To try it: anyone signs in as anyone, and payments move no money. For others to use it, delete these six lines and set
# OIDC_ISSUERS=https://issuer.example=audience, PUBLIC_BASE_URL, and COMPOSE_PROFILES=payments, PAYMENT_PROVIDER=stripe with
# STRIPE_*. Where no one pays and everyone is Pro: PAYMENT_PROVIDER=none, and no payments among the profiles.
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
# The issuer of the profile accounts (docs/sign-in.md), for which the password of admin@localhost is this.
ACCOUNTS_ADMIN_PASSWORD=$(random)
ACCOUNTS_KEY=snipkeep/$(head -c 32 /dev/urandom | base64 | tr -d '\n')
ACCOUNTS_RAFT_SECRET=$(random)
ACCOUNTS_API_SECRET=$(random)
DOTENV
mv .env.new .env
echo 'Wrote .env; next: docker compose up --build --wait'
